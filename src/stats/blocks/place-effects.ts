/**
 * What each of several places (machines) says of the factor between two sides, and whether the places disagree. An effect is the logarithm of a
 * ratio of medians; its variance is that of the bootstrap of both medians (J. Maritz, R. Jarrett 1978, JASA 73:194–196), n/(n − 1)
 * times as large, since a bootstrap of few values is too narrow by that.
 */
import { at } from "../../at.js";
import { medianDistribution } from "../intervals/median-bootstrap.js";
import { isAtMost } from "../significance/multiple-testing.js";
import type { Random } from "../random.js";
import { disagreement, type PlaceEffect } from "./random-effects.js";
import { ascending, median, standardDeviation } from "../sample.js";
import type { TwoSided } from "./stratified-shift.js";

/** Up to so many values in all, the chance of as large a disagreement is counted by dealing; above, chi-square is as good. */
const MOST_DEALT = 2000;
const DEALS = 1000;
/** After so many deals that disagree as much, it is no rare thing (J. Besag, P. Clifford 1991, "Sequential Monte Carlo p-values", Biometrika 78:301–304). */
const ENOUGH = 20;

/** How likely each pair of order statistics is to be the middle of a drawing with replacement: it depends on their number only. */
const middlePairs = (n: number): readonly (readonly [low: number, high: number, probability: number])[] => {
  // Of 0, 1, 3, 7 … (powers of two less one) no two pairs have the same mean, so each median tells its pair.
  const marks = Array.from({ length: n }, (_, rank) => 2 ** rank - 1);
  const { values, probabilities } = medianDistribution(marks);
  const pairs = marks.flatMap((low, i) => marks.slice(i).map((high, j) => ({ sum: low + high, i, j: i + j })));
  const bySum = new Map(pairs.map(({ sum, i, j }) => [sum, [i, j] as const]));
  return Array.from(values, (value, index) => {
    const [low, high] = bySum.get(2 * value) ?? [Number.NaN, Number.NaN];
    return [low, high, at(probabilities, index)] as const;
  });
};

/** Above so many values powers of two lose their last digit; their medians' variance is as good from the scatter. */
const MOST_EXACT = 40;
const cached = new Map<number, ReturnType<typeof middlePairs>>();

/** Variance of the median of some logarithms (at least two). */
const medianVariance = (logs: readonly number[]): number => {
  const n = logs.length;
  if (n > MOST_EXACT) return (Math.PI / 2) * (standardDeviation(logs) ** 2 / n);
  const pairs = cached.get(n) ?? middlePairs(n);
  cached.set(n, pairs);
  const sorted = ascending(logs);
  let [sum, squares] = [0, 0];
  for (const [low, high, probability] of pairs) {
    const middle = (at(sorted, low) + at(sorted, high)) / 2;
    sum += middle * probability;
    squares += middle * middle * probability;
  }
  return Math.max(0, squares - sum * sum) * (n / (n - 1));
};

/** Logarithms of both sides, at least one each, and the variance that comes from whole steps of the metric. */
export interface LogSides extends TwoSided {
  readonly steps: number;
}

/** Scatter of a single value within sides, over all places; 0 where no side has two values. */
const commonVariance = (places: readonly LogSides[]): number => {
  const sides = places.flatMap(({ x, y }) => [x, y]).filter(({ length }) => length > 1);
  const degrees = sides.reduce((sum, { length }) => sum + length - 1, 0);
  const squares = sides.reduce((sum, side) => sum + standardDeviation(side) ** 2 * (side.length - 1), 0);
  return degrees === 0 ? 0 : squares / degrees;
};

/** A variance of 0 would make one place outweigh all others. */
const LEAST_VARIANCE = 1e-12;

/** The effect of each place: from x to y. A side of one value has the scatter of the others. */
export const placeEffects = (places: readonly LogSides[]): readonly PlaceEffect[] => {
  const common = commonVariance(places);
  const ofSide = (side: readonly number[]): number => (side.length > 1 ? medianVariance(side) : common);
  return places.map(({ x, y, steps }) => ({
    effect: median(y) - median(x),
    variance: Math.max(LEAST_VARIANCE, ofSide(x) + ofSide(y) + steps),
  }));
};

/** Puts `count` of the items to the front, at random. */
const dealt = (items: number[], count: number, random: Random): void => {
  for (let place = 0; place < count; place++) {
    const from = place + random.below(items.length - place);
    const taken = at(items, from);
    items[from] = at(items, place);
    items[place] = taken;
  }
};

/**
 * The chance that places which all have one and the same effect disagree as much as these (by Cochran's Q): that effect is taken off the second
 * side, and the values of each place are dealt anew to its two sides. Of many values it is the tail of chi-square.
 */
export const disagreementP = (
  places: readonly LogSides[],
  random: Random,
): { readonly p: number; readonly method: "permutation" | "chi-square" } => {
  const effects = placeEffects(places);
  const seen = disagreement(effects);
  const size = places.reduce((sum, { x, y }) => sum + x.length + y.length, 0);
  if (size > MOST_DEALT) return { p: seen.p, method: "chi-square" };
  const weights = effects.map(({ variance }) => 1 / variance);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const common = effects.reduce((sum, { effect }, index) => sum + effect * at(weights, index), 0) / total;
  const pools = places.map(({ x, y, steps }) => ({
    steps,
    count: x.length,
    values: [...x, ...y.map((value) => value - common)],
  }));
  let asLarge = 0;
  for (let deal = 1; deal < DEALS; deal++) {
    const anew = pools.map(({ steps, count, values }) => {
      dealt(values, count, random);
      return { x: values.slice(0, count), y: values.slice(count), steps };
    });
    if (isAtMost(seen.q, disagreement(placeEffects(anew)).q)) asLarge++;
    if (asLarge === ENOUGH) return { p: ENOUGH / deal, method: "permutation" };
  }
  return { p: (asLarge + 1) / DEALS, method: "permutation" };
};
