/** One metric of one pair of subjects: the ratio of medians, the rank test, and the verdict. */
import { finiteOrNull, type Interval } from "../stats/intervals/bootstrap.js";
import { medianDistribution, ratioInterval } from "../stats/intervals/median-bootstrap.js";
import { isAtMost } from "../stats/significance/multiple-testing.js";
import { rankTest } from "../stats/significance/rank-test.js";
import { resolutionAt } from "../stats/histogram/resolution.js";
import { fewestRuns, runsToFind } from "../stats/significance/sample-size.js";
import { directionOf } from "./direction.js";
import { hasInterval, type IntervalOptions, knownValues } from "./subject-metrics.js";
import type { PairMetric, SubjectMetric, Verdict } from "./comparison.js";
import type { MetricDefinition } from "../model/metrics/metrics.js";

/** What is known of a pair before its metrics are corrected together. */
export interface PairTest {
  readonly metric: MetricDefinition;
  readonly base: SubjectMetric;
  readonly candidate: SubjectMetric;
  /** Interval of the ratio of medians, infinite where the base's may be 0; null with fewer than two runs a side, or if none was asked for. */
  readonly interval: Interval | null;
  readonly p: number | null;
  readonly smallestP: number | null;
  /** Absolute differences that matter only when exceeded, in the metric's unit. */
  readonly limits: { readonly noise: number; readonly resolution: number };
}

const intervalOfRatio = (
  below: readonly number[],
  above: readonly number[],
  options: IntervalOptions,
): Interval | null => {
  const runs = Math.min(below.length, above.length);
  if (!hasInterval(runs, options)) return null;
  return ratioInterval(medianDistribution(above), medianDistribution(below), options.confidence, runs);
};

/** Tests one metric of one pair; `noiseThreshold` (relative) replaces the metric's own floor where given. */
export const testPair = (
  metric: MetricDefinition,
  base: SubjectMetric,
  candidate: SubjectMetric,
  noiseThreshold: number | null,
  options: IntervalOptions,
): PairTest => {
  const [below, above] = [knownValues(base), knownValues(candidate)];
  const test = below.length > 0 && above.length > 0 ? rankTest(below, above) : null;
  const center = base.median?.value ?? 0;
  const coarser = Math.max(center, candidate.median?.value ?? 0);
  return {
    metric,
    base,
    candidate,
    interval: intervalOfRatio(below, above, options),
    p: test?.p ?? null,
    smallestP: test?.smallestP ?? null,
    limits: {
      noise: Math.max((noiseThreshold ?? metric.noiseFloor) * Math.abs(center), metric.absoluteFloor),
      resolution: metric.quantised ? resolutionAt(coarser) : 0,
    },
  };
};

/** The test speaks of runs, the table of medians: a difference is claimed only where both see it. */
export const apartFromOne = (interval: Interval | null): boolean =>
  interval === null || interval.low > 1 || interval.high < 1;

/** What looking at other metrics and candidates costs one test. */
export interface Correction {
  /** To be compared with the level of the whole comparison. */
  readonly adjustedP: number | null;
  /** To be compared with p: what is left of that level for this test alone. */
  readonly level: number;
}

/** What is not shown, with the plan for showing it where there is one. */
const notShown = (
  { base, candidate, limits }: PairTest,
  level: number,
  { center, difference }: { readonly center: number; readonly difference: number },
): Verdict => {
  const nothing = { kind: "not-shown", neededRuns: null, neededForRatio: null } as const;
  if (center <= 0) return nothing;
  // The difference seen, or, where that would not matter anyway, the smallest one that would.
  const matters = Math.max(limits.noise, limits.resolution);
  const wanted = (center + (Math.abs(difference) > matters ? difference : matters)) / center;
  const [below, above] = [knownValues(base), knownValues(candidate)];
  const neededRuns = runsToFind(wanted, below, above, level);
  // A plan is for more runs: if these should have done, there is none.
  if (neededRuns === null || neededRuns <= Math.min(below.length, above.length)) return nothing;
  return { kind: "not-shown", neededRuns, neededForRatio: wanted };
};

const pairVerdict = (test: PairTest, { adjustedP, level }: Correction, alpha: number): Verdict => {
  const { base, candidate, limits, metric } = test;
  if (adjustedP === null || test.smallestP === null || base.median === null || candidate.median === null)
    return { kind: "undecided", because: "no-data", neededRuns: null };
  const difference = candidate.median.value - base.median.value;
  const distance = Math.abs(difference);
  const isSeen = isAtMost(adjustedP, alpha);
  if (isSeen && apartFromOne(test.interval)) {
    if (distance <= limits.resolution) return { kind: "negligible", because: "resolution" };
    if (distance <= limits.noise) return { kind: "negligible", because: "noise-threshold" };
    return { kind: "different", direction: directionOf(metric, difference < 0) };
  }
  if (!isSeen && !isAtMost(test.smallestP, level))
    return { kind: "undecided", because: "too-few-runs", neededRuns: fewestRuns(level) };
  return notShown(test, level, { center: base.median.value, difference });
};

/** The ratio of medians as data: none where a median of 0 would divide, and no upper end where it is infinite. */
export const ratioOf = ({ base, candidate, interval }: PairTest): PairMetric["ratio"] => {
  if (base.median === null || candidate.median === null || base.median.value === 0) return null;
  return {
    value: candidate.median.value / base.median.value,
    interval: interval === null ? null : { low: interval.low, high: finiteOrNull(interval.high) },
  };
};

/** The pair as it is reported; `alpha` is the level of the whole comparison. */
export const judgedPair = (test: PairTest, correction: Correction, alpha: number): PairMetric => {
  const { base, candidate } = test;
  const center = base.median?.value ?? 0;
  return {
    base: base.subject,
    candidate: candidate.subject,
    difference: base.median === null || candidate.median === null ? null : candidate.median.value - center,
    ratio: ratioOf(test),
    p: test.p,
    smallestP: test.smallestP,
    adjustedP: correction.adjustedP,
    threshold: center > 0 ? Math.max(test.limits.noise, test.limits.resolution) / center : null,
    verdict: pairVerdict(test, correction, alpha),
  };
};
