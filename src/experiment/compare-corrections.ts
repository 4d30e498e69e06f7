/**
 * What looking at many metrics and candidates costs each test, so that everything a comparison shows is wrong somewhere in at
 * most 5 % of the experiments on identical subjects.
 *
 * Every candidate has an equal part of the 5 %. Of that the primary metric, named beforehand, has a share to itself; the other metrics are
 * corrected together (joint-permutation.ts) and have the rest. Where the primary is found different its share passes on to them:
 * a fallback procedure (B. Wiens 2003, Pharmaceutical Statistics 2:211–215; F. Bretz et al. 2009, Statistics in Medicine
 * 28:586–604), whose corrected p values these are.
 */
import { jointRankTest } from "../stats/joint-permutation.js";
import { holm } from "../stats/multiple-testing.js";
import { labelledRandom } from "../stats/random.js";
import type { Correction, PairTest } from "./compare-pair.js";
import type { MetricId } from "./metrics.js";

/**
 * The primary metric's share of the level. With six runs a side and 5 % that is 1.6 %, enough for U ≤ 3 (p = 14/924). What is
 * left, 3.4 %, is enough for a metric with U ≤ 1 (p = 4/924) among seven that have nothing to do with each other, as the ten others of
 * a usual comparison are worth, and for one that is perfectly apart (p = 2/924) among fifteen. More for the primary finds fewer
 * true differences: the steadiest metric of a workload is seldom the one that was named (docs/statistics.md has the figures).
 */
export const PRIMARY_SHARE = 0.32;

/** How the level is shared. */
export interface Sharing {
  readonly primaryMetric: MetricId;
  /** PRIMARY_SHARE, or 1 where nothing else is looked at. */
  readonly primaryShare: number;
  /** The level of the whole comparison, such as 0.05. */
  readonly alpha: number;
  readonly seed: number;
}

const atMostOne = (p: number): number => Math.min(1, p);

/** Primary tests, one per candidate. Where there is nothing else to pass a share on to, it passes to the other candidates: Holm. */
const primaries = (tests: readonly PairTest[], { primaryShare, alpha }: Sharing): Map<PairTest, Correction> => {
  const tested = tests.filter((test) => test.p !== null);
  const ps = tested.map((test) => test.p ?? 1);
  const adjusted = primaryShare === 1 ? holm(ps) : ps.map((p) => atMostOne((p * tests.length) / primaryShare));
  const adjustedOf = new Map(tested.map((test, index) => [test, adjusted[index] ?? 1]));
  return new Map(
    tests.map((test) => [
      test,
      { adjustedP: adjustedOf.get(test) ?? null, level: (alpha * primaryShare) / tests.length },
    ]),
  );
};

/** The other metrics of one candidate; `primaryP`: corrected p of its primary metric. */
const others = (
  tests: readonly PairTest[],
  primaryP: number,
  candidates: number,
  { primaryShare, alpha, seed }: Sharing,
): readonly (readonly [PairTest, Correction])[] => {
  const tested = tests.filter((test) => test.p !== null);
  const names = `${tests[0]?.base.subject ?? ""} ${tests[0]?.candidate.subject ?? ""}`;
  const joint = jointRankTest(
    tested.map(({ base, candidate }) => ({ x: base.values, y: candidate.values })),
    labelledRandom(seed, `${names} deals`),
  );
  const adjusted = new Map(tested.map((test, index) => [test, (joint.adjusted[index] ?? 1) * candidates]));
  const left = primaryP <= alpha ? 1 : 1 - primaryShare;
  const level = joint.levelFor((alpha * left) / candidates);
  return tests.map((test) => {
    const p = adjusted.get(test);
    // Found within the others' own share, or after the primary had passed on its share.
    const adjustedP = p === undefined ? null : atMostOne(Math.min(p / (1 - primaryShare), Math.max(primaryP, p)));
    return [test, { adjustedP, level }];
  });
};

/** The correction of every test, in the order given. */
export const corrections = (
  tests: readonly PairTest[],
  sharing: Sharing,
): readonly (readonly [PairTest, Correction])[] => {
  const isPrimary = ({ metric }: PairTest): boolean => metric.id === sharing.primaryMetric;
  const corrected = primaries(tests.filter(isPrimary), sharing);
  const first = [...corrected];
  for (const [primary, { adjustedP }] of first) {
    const rest = tests.filter((test) => !isPrimary(test) && test.candidate.subject === primary.candidate.subject);
    for (const [test, correction] of others(rest, adjustedP ?? 1, first.length, sharing))
      corrected.set(test, correction);
  }
  return tests.flatMap((test) => {
    const correction = corrected.get(test);
    return correction === undefined ? [] : [[test, correction] as const];
  });
};
