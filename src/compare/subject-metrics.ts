/** One subject's runs seen through one metric: values, median and merged percentile with their bootstrap intervals. */
import { at } from "../at.js";
import type { Distribution, RunResult } from "../model/result/run-result.js";
import { type Interval, intervalOf } from "../stats/intervals/bootstrap.js";
import { medianDistribution, medianInterval } from "../stats/intervals/median-bootstrap.js";
import {
  bootstrapMergedPercentile,
  mergedPercentile,
  mergedRuns,
  type MergedRuns,
  type SparseHistogram,
} from "../stats/intervals/merged-percentile.js";
import { labelledRandom } from "../stats/random.js";
import { median } from "../stats/sample.js";
import type { Estimate, SubjectMetric } from "./comparison.js";
import { distributionBehind, type MetricDefinition } from "../model/metrics/metrics.js";

/** How intervals are made. */
export interface IntervalOptions {
  readonly seed: number;
  /** Such as 0.95. */
  readonly confidence: number;
  /** 0: no intervals. */
  readonly resamples: number;
}

/** Are there intervals, for a figure in which so many runs went? */
export const hasInterval = (runs: number, { resamples }: IntervalOptions): boolean => runs >= 2 && resamples > 0;

/** A value with its interval; without one where fewer than two runs went in. */
const estimateOf = (value: number, runs: number, options: IntervalOptions, interval: () => Interval): Estimate => ({
  value,
  interval: hasInterval(runs, options) ? interval() : null,
});

const sparse = (distribution: Distribution): SparseHistogram | null =>
  distribution.buckets === null
    ? null
    : { buckets: distribution.buckets, min: distribution.min, max: distribution.max };

/** Runs without a sample have no part in the merged histogram; one that has only a table leaves none. */
const mergedIn = (runs: readonly RunResult[], metric: MetricDefinition): MergedRuns | null => {
  const present = runs.map((run) => distributionBehind(run, metric)).filter((distribution) => distribution !== null);
  const histograms = present.map(sparse).filter((histogram) => histogram !== null);
  return present.length > 0 && histograms.length === present.length ? mergedRuns(histograms) : null;
};

/** A subject whose histograms are laid out once for all metrics. */
export interface PreparedSubject {
  readonly name: string;
  readonly runs: readonly RunResult[];
  /** The histograms behind a metric that is a percentile; null where no run has samples, or one has only a table. */
  readonly merged: (metric: MetricDefinition) => MergedRuns | null;
}

/** Lays out the histograms of a subject's runs, each when it is first asked for. */
export const prepareSubject = (name: string, runs: readonly RunResult[]): PreparedSubject => {
  const known = new Map<string, MergedRuns | null>();
  return {
    name,
    runs,
    merged: (metric) => {
      const key = `${metric.group ?? ""}.${metric.source?.of ?? ""}`;
      const merged = known.has(key) ? (known.get(key) ?? null) : mergedIn(runs, metric);
      known.set(key, merged);
      return merged;
    },
  };
};

/** A subject whose histograms are not looked at: what is shown are medians over runs. */
export const withoutMerging = (name: string, runs: readonly RunResult[]): PreparedSubject => ({
  name,
  runs,
  merged: () => null,
});

const mergedEstimate = (
  metric: MetricDefinition,
  subject: PreparedSubject,
  label: string,
  options: IntervalOptions,
): Estimate | null => {
  const { source } = metric;
  const merged = source === null ? null : subject.merged(metric);
  if (source === null || merged === null) return null;
  const value = mergedPercentile(merged, source.percentile);
  if (value === null) return null;
  const runs = merged.runs.length;
  return estimateOf(value, runs, options, () => {
    const random = labelledRandom(options.seed, `${label} merged`);
    const drawn = bootstrapMergedPercentile(merged, source.percentile, options.resamples, random);
    return intervalOf(drawn, options.confidence, runs);
  });
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
  const middle = medianEstimate(known, options);
  const merged = mergedEstimate(metric, subject, label, options);
  // A column and its change are one statistic: the ratio of a pair is the ratio of these medians.
  const shown = middle === null ? null : { ...middle, from: "median-of-runs" as const };
  return { subject: subject.name, values, median: middle, merged, shown };
};

/** What counts once: the values of boots or machines where there are such, else those of runs. */
export const countedValues = ({ units, values }: Pick<SubjectMetric, "units" | "values">): readonly (number | null)[] =>
  units ?? values;

/** The values that count and are there. */
export const knownValues = (subject: SubjectMetric): readonly number[] =>
  countedValues(subject).filter((value) => value !== null);

/** The median of what counts once; null for none. */
const medianEstimate = (values: readonly number[], options: IntervalOptions): Estimate | null =>
  values.length === 0
    ? null
    : estimateOf(median(values), values.length, options, () =>
        medianInterval(medianDistribution(values), options.confidence, values.length),
      );

/** The values of what counts once: each the median of some runs (given by index), null where none has the metric. */
export const unitValues = (
  { values }: Pick<SubjectMetric, "values">,
  units: readonly (readonly number[])[],
): readonly (number | null)[] =>
  units.map((runs) => {
    const known = runs.map((run) => at(values, run)).filter((value) => value !== null);
    return known.length === 0 ? null : median(known);
  });

/** The figures of a subject from the values of what counts once. */
export const figuresOfUnits = (
  units: readonly (number | null)[],
  options: IntervalOptions,
): Pick<SubjectMetric, "median" | "shown"> => {
  const middle = medianEstimate(
    units.filter((value) => value !== null),
    options,
  );
  return { median: middle, shown: middle === null ? null : { ...middle, from: "median-of-runs" } };
};
