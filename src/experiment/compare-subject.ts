/** One subject's runs seen through one metric: values, median and merged percentile with their bootstrap intervals. */
import type { Distribution, RunResult } from "../report/run-result.js";
import { bootstrapMedians, intervalOf } from "../stats/bootstrap.js";
import { bootstrapMergedPercentile, mergedPercentile, type SparseHistogram } from "../stats/merged-percentile.js";
import { labelledRandom } from "../stats/random.js";
import { median } from "../stats/sample.js";
import type { Estimate, SubjectMetric } from "./comparison.js";
import type { MetricDefinition } from "./metrics.js";

/** How intervals are made. */
export interface IntervalOptions {
  readonly seed: number;
  /** Such as 0.95. */
  readonly confidence: number;
  readonly resamples: number;
}

/** A value with the interval of a bootstrap distribution; without one where fewer than two runs went in. */
export const estimateOf = (
  value: number,
  runs: number,
  confidence: number,
  bootstrapped: () => readonly number[],
): Estimate => ({ value, interval: runs < 2 ? null : intervalOf(bootstrapped(), confidence, runs) });

const sparse = (distribution: Distribution | null): SparseHistogram | null =>
  distribution === null || distribution.buckets === null
    ? null
    : { buckets: distribution.buckets, min: distribution.min, max: distribution.max };

/** The histograms of a metric's distribution in all runs; null where the metric is no percentile or a run has none. */
export const histogramsOf = (
  metric: MetricDefinition,
  runs: readonly RunResult[],
): readonly SparseHistogram[] | null => {
  const { source } = metric;
  if (source === null || runs.length === 0) return null;
  const histograms = runs.map((run) => sparse(run[source.of])).filter((histogram) => histogram !== null);
  return histograms.length === runs.length ? histograms : null;
};

const mergedEstimate = (
  metric: MetricDefinition,
  runs: readonly RunResult[],
  label: string,
  options: IntervalOptions,
): Estimate | null => {
  const histograms = histogramsOf(metric, runs);
  if (metric.source === null || histograms === null) return null;
  const { percentile } = metric.source;
  const value = mergedPercentile(histograms, percentile);
  if (value === null) return null;
  return estimateOf(value, runs.length, options.confidence, () =>
    bootstrapMergedPercentile(
      histograms,
      percentile,
      options.resamples,
      labelledRandom(options.seed, `${label} merged`),
    ),
  );
};

/** A subject's runs seen through one metric. */
export const subjectMetric = (
  metric: MetricDefinition,
  subject: string,
  runs: readonly RunResult[],
  options: IntervalOptions,
): SubjectMetric => {
  const label = `${metric.id} ${subject}`;
  const values = runs.map((run) => metric.read(run));
  const known = values.filter((value) => value !== null);
  const middle =
    known.length === 0
      ? null
      : estimateOf(median(known), known.length, options.confidence, () =>
          bootstrapMedians(known, options.resamples, labelledRandom(options.seed, `${label} median`)),
        );
  const merged = mergedEstimate(metric, runs, label, options);
  const shown =
    merged !== null
      ? { ...merged, from: "merged-histograms" as const }
      : middle === null
        ? null
        : { ...middle, from: "median-of-runs" as const };
  return { subject, values, median: middle, merged, shown };
};

/** The values that are there. */
export const knownValues = (subject: SubjectMetric): readonly number[] =>
  subject.values.filter((value) => value !== null);
