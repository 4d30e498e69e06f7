/**
 * What looking at many metrics and candidates costs each test, so that everything a comparison shows is wrong somewhere in at
 * most 5 % of the experiments on identical subjects: the metrics of a candidate are corrected together (joint-permutation.ts), and
 * every candidate has an equal part of the 5 %.
 */
import { at } from "../at.js";
import { type JointMetric, jointRankTest } from "../stats/significance/joint-permutation.js";
import { holm, isAtMost } from "../stats/significance/multiple-testing.js";
import { labelledRandom } from "../stats/random.js";
import type { Correction, PairTest } from "./pair.js";
import { countedValues } from "./subject-metrics.js";
import {
  type JudgedHead,
  type Metric,
  type MetricDefinition,
  metricHead,
  type MetricId,
} from "../model/metrics/metrics.js";

/**
 * Weight of the primary metric and of steady ones; the others have 1. With six runs a side and all metrics of a usual comparison, a
 * metric of weight 3 is found at U ≤ 2 as a rule, and at U ≤ 1 even if all had nothing to do with each other; one of weight 1
 * when it is perfectly apart. docs/statistics.md has what other weights find.
 */
const HEAVY = 3;

/** How much a metric counts; see `JointMetric.weight`. */
export const weightOf = (metric: Pick<MetricDefinition, "id" | "steady">, primaryMetric: MetricId): number =>
  metric.steady || metric.id === primaryMetric ? HEAVY : 1;

/** The head of a metric as it is judged. */
export const judgedHead = (metric: Metric, primaryMetric: MetricId): JudgedHead => ({
  ...metricHead(metric),
  quantised: metric.quantised,
  primary: metric.id === primaryMetric,
  weight: weightOf(metric, primaryMetric),
});

/** How to correct. */
export interface CorrectionOptions {
  readonly primaryMetric: MetricId;
  /** The level of the whole comparison, such as 0.05. */
  readonly alpha: number;
  readonly seed: number;
}

const jointMetric = ({ base, candidate, metric }: PairTest, primaryMetric: MetricId): JointMetric => ({
  x: countedValues(base),
  y: countedValues(candidate),
  weight: weightOf(metric, primaryMetric),
});

const atMostOne = (p: number): number => Math.min(1, p);

/** All metrics of one candidate. */
const ofCandidate = (
  tests: readonly PairTest[],
  candidates: number,
  { primaryMetric, alpha, seed }: CorrectionOptions,
): readonly (readonly [PairTest, Correction])[] => {
  const tested = tests.filter((test) => test.p !== null);
  const names = `${tests[0]?.base.subject ?? ""} ${tests[0]?.candidate.subject ?? ""}`;
  const joint = jointRankTest(
    tested.map((test) => jointMetric(test, primaryMetric)),
    labelledRandom(seed, `${names} deals`),
  );
  const level = joint.levelFor(alpha / candidates);
  const adjusted = new Map(tested.map((test, index) => [test, atMostOne(at(joint.adjusted, index) * candidates)]));
  return tests.map((test) => [
    test,
    { adjustedP: adjusted.get(test) ?? null, level: level * weightOf(test.metric, primaryMetric) },
  ]);
};

/** One metric of several candidates: a candidate that differs leaves its part to the others. */
const ofOneMetric = (tests: readonly PairTest[], { alpha }: CorrectionOptions): ReadonlyMap<PairTest, Correction> => {
  const tested = tests.filter((test) => test.p !== null);
  const adjusted = holm(tested.map((test) => test.p ?? 1));
  const adjustedOf = new Map(tested.map((test, index) => [test, at(adjusted, index)]));
  return new Map(
    tests.map((test) => {
      const adjustedP = adjustedOf.get(test) ?? null;
      // Holm's step: what the others left when they were found.
      const found = tested.filter((other, index) => other !== test && isAtMost(at(adjusted, index), alpha)).length;
      return [test, { adjustedP, level: alpha / Math.max(1, tested.length - found) }];
    }),
  );
};

/** The correction of every test, in the order given. */
export const corrections = (
  tests: readonly PairTest[],
  options: CorrectionOptions,
): readonly (readonly [PairTest, Correction])[] => {
  const candidates = [...new Set(tests.map(({ candidate }) => candidate.subject))];
  const corrected =
    candidates.length === tests.length
      ? ofOneMetric(tests, options)
      : new Map(
          candidates.flatMap((name) =>
            ofCandidate(
              tests.filter(({ candidate }) => candidate.subject === name),
              candidates.length,
              options,
            ),
          ),
        );
  return tests.flatMap((test) => {
    const correction = corrected.get(test);
    return correction === undefined ? [] : [[test, correction] as const];
  });
};
