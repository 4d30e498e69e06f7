/**
 * One metric of one pair over several blocks: the ratio formed within the blocks, and its verdict. Over machines the ratio is that of
 * machines like these (random effects, Hartung and Knapp); over boots or files of one machine it is that of these (Hodges and
 * Lehmann, within blocks). Pure.
 */
import { effectInterval, randomEffect } from "../stats/blocks/random-effects.js";
import { stratifiedFactor, type TwoSided } from "../stats/blocks/stratified-shift.js";
import { finiteOrNull } from "../stats/intervals/bootstrap.js";
import { isAtMost } from "../stats/significance/multiple-testing.js";
import { choose } from "../stats/significance/rank-test.js";
import { fewestRuns } from "../stats/significance/sample-size.js";
import { resolutionAt } from "../stats/histogram/resolution.js";
import { median } from "../stats/sample.js";
import { type BlockSides, blockEffects } from "./blocks/agreement.js";
import type { PairMetric, RatioEstimate, Verdict } from "./comparison.js";
import { directionOf } from "./direction.js";
import { apartFromOne, type Correction, type PairTest } from "./pair.js";

/** Both sides in blocks. */
export interface PooledTest {
  /** Of all values together: medians, thresholds, names. */
  readonly test: PairTest;
  /** What is dealt anew among itself; both sides have a value. */
  readonly strata: readonly TwoSided[];
  /** Two-sided p of the stratified rank test; null without values on both sides of any stratum. */
  readonly p: number | null;
  readonly ratio: RatioEstimate | null;
}

/** The smallest two-sided p that strata of these sizes can reach: all of one side below all of the other in every one. */
const smallestP = (strata: readonly TwoSided[]): number => {
  const ways = strata.reduce((product, { x, y }) => product * choose(x.length + y.length, x.length), 1);
  return Math.min(1, 2 / ways);
};

/** The ratio at places like these, of at least two blocks. */
export const ratioLikeThese = (blocks: readonly BlockSides[], confidence: number | null): RatioEstimate => {
  const { effects, tauSquared } = blockEffects(blocks);
  const found = randomEffect(effects, tauSquared);
  const value = Math.exp(found.effect);
  if (confidence === null) return { value, interval: null };
  const { low, high } = effectInterval(found, confidence);
  return { value, interval: { low: Math.exp(low), high: finiteOrNull(Math.exp(high)) } };
};

/** The ratio in these blocks; null where nothing positive stands on both sides. */
export const ratioInThese = (strata: readonly TwoSided[], confidence: number | null): RatioEstimate | null => {
  const found = stratifiedFactor(strata, confidence ?? 0.95);
  if (found === null || !Number.isFinite(found.value)) return null;
  const { low, high } = found.interval;
  return { value: found.value, interval: confidence === null ? null : { low, high: finiteOrNull(high) } };
};

/** Whole steps of a metric at two medians, as the variance of the logarithm of their ratio (a step is uniform). */
export const stepVariance = (isQuantised: boolean, medians: readonly number[]): number =>
  isQuantised ? medians.reduce((sum, value) => sum + (resolutionAt(value) / value) ** 2 / 12, 0) : 0;

const verdictOf = (
  { test, strata, ratio }: PooledTest,
  { adjustedP, level }: Correction,
  alpha: number,
  threshold: { readonly noise: number; readonly resolution: number },
): Verdict => {
  if (adjustedP === null || ratio === null) return { kind: "undecided", because: "no-data", neededRuns: null };
  const { interval } = ratio;
  const isSeen = isAtMost(adjustedP, alpha);
  if (isSeen && apartFromOne(interval === null ? null : { low: interval.low, high: interval.high ?? Infinity })) {
    const distance = Math.abs(ratio.value - 1);
    if (distance <= threshold.resolution) return { kind: "negligible", because: "resolution" };
    if (distance <= threshold.noise) return { kind: "negligible", because: "noise-threshold" };
    return { kind: "different", direction: directionOf(test.metric, ratio.value < 1) };
  }
  if (!isSeen && !isAtMost(smallestP(strata), level))
    return { kind: "undecided", because: "too-few-runs", neededRuns: fewestRuns(level) };
  return { kind: "not-shown", neededRuns: null, neededForRatio: null };
};

/** The pair as it is reported; `alpha` is the level of the whole comparison. */
export const judgedPooled = (pooled: PooledTest, correction: Correction, alpha: number): PairMetric => {
  const { test, strata, p, ratio } = pooled;
  const center = test.base.median?.value ?? 0;
  const relative = (limit: number): number => (center > 0 ? limit / center : 0);
  const threshold = { noise: relative(test.limits.noise), resolution: relative(test.limits.resolution) };
  return {
    base: test.base.subject,
    candidate: test.candidate.subject,
    difference: ratio === null || test.base.median === null ? null : center * (ratio.value - 1),
    ratio,
    p,
    smallestP: p === null ? null : smallestP(strata),
    adjustedP: correction.adjustedP,
    threshold: center > 0 ? Math.max(threshold.noise, threshold.resolution) : null,
    verdict: verdictOf(pooled, correction, alpha, threshold),
  };
};

/** The values of both sides of some strata, in which each has one. */
export const twoSided = (
  strata: readonly { readonly x: readonly (number | null)[]; readonly y: readonly (number | null)[] }[],
): readonly TwoSided[] =>
  strata
    .map(({ x, y }) => ({ x: x.filter((value) => value !== null), y: y.filter((value) => value !== null) }))
    .filter(({ x, y }) => x.length > 0 && y.length > 0);

/** Logarithms of a block's two sides; null where a value is not positive. What its strata (boots) have of their own is taken off. */
export const logSides = (strata: readonly TwoSided[], steps: number, row: number): BlockSides | null => {
  if (strata.length === 0 || strata.some(({ x, y }) => [...x, ...y].some((value) => value <= 0))) return null;
  const logs = strata.map(({ x, y }) => ({ x: x.map(Math.log), y: y.map(Math.log) }));
  const [only] = logs;
  if (logs.length === 1 && only !== undefined) return { row, steps, ...only };
  const centred = logs.map(({ x, y }) => {
    const center = (median(x) + median(y)) / 2;
    return { x: x.map((value) => value - center), y: y.map((value) => value - center) };
  });
  return { row, steps, x: centred.flatMap(({ x }) => x), y: centred.flatMap(({ y }) => y) };
};
