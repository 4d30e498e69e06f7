/** One subject's runs seen through one metric: values, median and merged percentile with their bootstrap intervals. */
import type { Distribution, RunResult } from "../model/run-result.js";
import { bootstrapMedians, intervalOf } from "../stats/bootstrap.js";
import {
  bootstrapMergedPercentile,
  mergedPercentile,
  mergedRuns,
  type MergedRuns,
  type SparseHistogram,
} from "../stats/merged-percentile.js";
import { labelledRandom } from "../stats/random.js";
import { median } from "../stats/sample.js";
import type { Estimate, SubjectMetric } from "./comparison.js";
import type { DistributionName, MetricDefinition } from "../model/metrics.js";

/** How intervals are made. */
export interface IntervalOptions {
  readonly seed: number;
  /** Such as 0.95. */
  readonly confidence: number;
  /** 0: no intervals. */
  readonly resamples: number;
}

/** A value with the interval of a bootstrap distribution; without one where fewer than two runs went in. */
export const estimateOf = (
  value: number,
  runs: number,
  { confidence, resamples }: IntervalOptions,
  bootstrapped: () => readonly number[],
): Estimate => ({ value, interval: runs < 2 || resamples === 0 ? null : intervalOf(bootstrapped(), confidence, runs) });

const sparse = (distribution: Distribution | null): SparseHistogram | null =>
  distribution === null || distribution.buckets === null
    ? null
    : { buckets: distribution.buckets, min: distribution.min, max: distribution.max };

const mergedIn = (runs: readonly RunResult[], name: DistributionName): MergedRuns | null => {
  const histograms = runs.map((run) => sparse(run[name])).filter((histogram) => histogram !== null);
  return runs.length > 0 && histograms.length === runs.length ? mergedRuns(histograms) : null;
};

/** A subject whose histograms are laid out once for all metrics; null where some run has no histogram. */
export interface PreparedSubject {
  readonly name: string;
  readonly runs: readonly RunResult[];
  readonly merged: Readonly<Record<DistributionName, MergedRuns | null>>;
}

/** Lays out the histograms of a subject's runs. */
export const prepareSubject = (name: string, runs: readonly RunResult[]): PreparedSubject => ({
  name,
  runs,
  merged: {
    wakeup: mergedIn(runs, "wakeup"),
    request: mergedIn(runs, "request"),
    response: mergedIn(runs, "response"),
    rps: mergedIn(runs, "rps"),
  },
});

/** A subject whose histograms are not looked at: what is shown are medians over runs. */
export const withoutMerging = (name: string, runs: readonly RunResult[]): PreparedSubject => ({
  name,
  runs,
  merged: { wakeup: null, request: null, response: null, rps: null },
});

const mergedEstimate = (
  { source }: MetricDefinition,
  subject: PreparedSubject,
  label: string,
  options: IntervalOptions,
): Estimate | null => {
  const merged = source === null ? null : subject.merged[source.of];
  if (source === null || merged === null) return null;
  const value = mergedPercentile(merged, source.percentile);
  if (value === null) return null;
  return estimateOf(value, subject.runs.length, options, () =>
    bootstrapMergedPercentile(
      merged,
      source.percentile,
      options.resamples,
      labelledRandom(options.seed, `${label} merged`),
    ),
  );
};

/** A subject's runs seen through one metric. */
export const subjectMetric = (
  metric: MetricDefinition,
  subject: PreparedSubject,
  options: IntervalOptions,
): SubjectMetric => {
  const label = `${metric.id} ${subject.name}`;
  const values = subject.runs.map((run) => metric.read(run));
  const known = values.filter((value) => value !== null);
  const middle =
    known.length === 0
      ? null
      : estimateOf(median(known), known.length, options, () =>
          bootstrapMedians(known, options.resamples, labelledRandom(options.seed, `${label} median`)),
        );
  const merged = mergedEstimate(metric, subject, label, options);
  const shown =
    merged !== null
      ? { ...merged, from: "merged-histograms" as const }
      : middle === null
        ? null
        : { ...middle, from: "median-of-runs" as const };
  return { subject: subject.name, values, median: middle, merged, shown };
};

/** The values that are there. */
export const knownValues = (subject: SubjectMetric): readonly number[] =>
  subject.values.filter((value) => value !== null);
