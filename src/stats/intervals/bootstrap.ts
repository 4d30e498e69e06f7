/**
 * Bootstrap over runs: how far would the figure move, had other runs of the same kind been made?
 *
 * The interval is Hesterberg's expanded percentile interval: the plain percentile interval is too narrow for small
 * samples (by √((n−1)/n) and by normal instead of t quantiles), so the tails are taken further out by just that much
 * (T. Hesterberg 2015, "What Teachers Should Know About the Bootstrap", The American Statistician 69:371–386, 4.1.2).
 * BCa is not used: its acceleration comes from the jackknife, which fails for medians and percentiles (Efron and
 * Tibshirani 1993, 11.6), and with six runs its tail corrections reach beyond what six runs can tell.
 */
import { normalCdf, studentQuantile } from "../distributions.js";
import type { Random } from "../random.js";
import { ascending, quantileOfAscending } from "../sample.js";

/** Resamples that suffice for two or three digits of an interval. */
export const DEFAULT_RESAMPLES = 2000;

/** A confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** From one end to the other; null where an end is infinite, which JSON cannot say. */
export interface OpenInterval {
  readonly low: number | null;
  readonly high: number | null;
}

/** A figure as data: null where it is infinite. */
export const finiteOrNull = (figure: number): number | null => (Number.isFinite(figure) ? figure : null);

/** Fraction in one tail of the bootstrap distribution that belongs to a confidence level and `n` runs (at least 2). */
export const expandedTail = (confidence: number, n: number): number =>
  normalCdf(studentQuantile((1 - confidence) / 2, n - 1) * Math.sqrt(n / (n - 1)));

/** The interval in a bootstrap distribution of a figure; `n` is the smallest number of runs that went into it. */
export const intervalOf = (bootstrapped: readonly number[], confidence: number, n: number): Interval => {
  const sorted = ascending(bootstrapped);
  const tail = expandedTail(confidence, n);
  return { low: quantileOfAscending(sorted, tail), high: quantileOfAscending(sorted, 1 - tail) };
};

/** `count` figures, each of a drawing of `n` run indices with replacement. `figure` may reorder the array, not keep it. */
export const bootstrap = (
  n: number,
  count: number,
  random: Random,
  figure: (indices: Uint32Array) => number,
): number[] => {
  const indices = new Uint32Array(n);
  const figures: number[] = [];
  for (let drawing = 0; drawing < count; drawing++) {
    for (let i = 0; i < n; i++) indices[i] = random.below(n);
    figures.push(figure(indices));
  }
  return figures;
};
