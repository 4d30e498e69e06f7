/** One metric of one pair of subjects: the ratio of medians, the rank test, and the verdict. */
import { bootstrapMedians } from "../stats/bootstrap.js";
import { labelledRandom } from "../stats/random.js";
import { rankTest, smallestReachableP } from "../stats/rank-test.js";
import { resolutionAt } from "../stats/resolution.js";
import { fewestRuns, runsToFind } from "../stats/sample-size.js";
import { estimateOf, type IntervalOptions, knownValues } from "./subject-metrics.js";
import type { Estimate, PairMetric, SubjectMetric, Verdict } from "./comparison.js";
import type { MetricDefinition } from "../model/metrics.js";

/** What is known of a pair before its metrics are corrected together. */
export interface PairTest {
  readonly metric: MetricDefinition;
  readonly base: SubjectMetric;
  readonly candidate: SubjectMetric;
  readonly ratio: Estimate | null;
  readonly p: number | null;
  readonly smallestP: number | null;
  /** Absolute differences that matter only when exceeded, in the metric's unit. */
  readonly limits: { readonly noise: number; readonly resolution: number };
}

const ratioOfMedians = (
  metric: MetricDefinition,
  base: SubjectMetric,
  candidate: SubjectMetric,
  options: IntervalOptions,
): Estimate | null => {
  if (base.median === null || candidate.median === null || base.median.value === 0) return null;
  const [below, above] = [knownValues(base), knownValues(candidate)];
  const medians = (values: readonly number[], side: string): number[] =>
    bootstrapMedians(
      values,
      options.resamples,
      labelledRandom(options.seed, `${metric.id} ${base.subject} ${candidate.subject} ${side}`),
    );
  return estimateOf(candidate.median.value / base.median.value, Math.min(below.length, above.length), options, () => {
    const divisors = medians(below, "base");
    return medians(above, "candidate")
      .map((value, index) => value / (divisors[index] ?? Number.NaN))
      .filter((ratio) => Number.isFinite(ratio));
  });
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
  const testable = below.length > 0 && above.length > 0;
  const center = base.median?.value ?? 0;
  const coarser = Math.max(center, candidate.median?.value ?? 0);
  return {
    metric,
    base,
    candidate,
    ratio: ratioOfMedians(metric, base, candidate, options),
    p: testable ? rankTest(below, above).p : null,
    smallestP: testable ? smallestReachableP(below.length, above.length) : null,
    limits: {
      noise: (noiseThreshold ?? metric.noiseFloor) * Math.abs(center),
      resolution: metric.quantised ? resolutionAt(coarser) : 0,
    },
  };
};

/** The test speaks of runs, the table of medians: a difference is claimed only where both see it. */
const apartFromOne = (ratio: Estimate | null): boolean =>
  ratio === null || ratio.interval === null || ratio.interval.low > 1 || ratio.interval.high < 1;

/** What looking at other metrics and candidates costs one test. */
export interface Correction {
  /** To be compared with the level of the whole comparison. */
  readonly adjustedP: number | null;
  /** To be compared with p: what is left of that level for this test alone. */
  readonly level: number;
}

const pairVerdict = (test: PairTest, { adjustedP, level }: Correction, alpha: number): Verdict => {
  const { base, candidate, limits, metric } = test;
  if (adjustedP === null || test.smallestP === null || base.median === null || candidate.median === null)
    return { kind: "undecided", because: "no-data", neededRuns: null };
  const difference = candidate.median.value - base.median.value;
  const distance = Math.abs(difference);
  if (adjustedP <= alpha && apartFromOne(test.ratio)) {
    if (distance <= limits.resolution) return { kind: "negligible", because: "resolution" };
    if (distance <= limits.noise) return { kind: "negligible", because: "noise-threshold" };
    return { kind: "different", direction: difference < 0 === (metric.better === "lower") ? "better" : "worse" };
  }
  if (test.smallestP > level) return { kind: "undecided", because: "too-few-runs", neededRuns: fewestRuns(level) };
  const center = base.median.value;
  if (center <= 0) return { kind: "not-shown", neededRuns: null, neededForRatio: null };
  // The difference seen, or, where that would not matter anyway, the smallest one that would.
  const matters = Math.max(limits.noise, limits.resolution);
  const wanted = (center + (distance > matters ? difference : matters)) / center;
  const neededRuns = runsToFind(wanted, knownValues(base), knownValues(candidate), level);
  return { kind: "not-shown", neededRuns, neededForRatio: neededRuns === null ? null : wanted };
};

/** The pair as it is reported; `alpha` is the level of the whole comparison. */
export const judgedPair = (test: PairTest, correction: Correction, alpha: number): PairMetric => {
  const center = test.base.median?.value ?? 0;
  return {
    base: test.base.subject,
    candidate: test.candidate.subject,
    ratio: test.ratio,
    p: test.p,
    smallestP: test.smallestP,
    adjustedP: correction.adjustedP,
    threshold: center > 0 ? Math.max(test.limits.noise, test.limits.resolution) / center : null,
    verdict: pairVerdict(test, correction, alpha),
  };
};
