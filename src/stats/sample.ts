/** Summaries of a small sample of numbers, such as one metric over the runs of a subject. Every function needs at least one value. */

import { at } from "../at.js";

/** The values in ascending order, as a new array. */
export const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** Arithmetic mean; NaN for no values. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Middle value, or the mean of the two middle ones; NaN for no values. */
export const median = (values: readonly number[]): number => medianOfAscending(ascending(values));

/** Median of the values that are known; null where none is. */
export const medianOfKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
};

/** Median of values that are sorted already. */
export const medianOfAscending = (sorted: ArrayLike<number>): number => {
  if (sorted.length === 0) return Number.NaN;
  const middle = sorted.length >> 1;
  const upper = at(sorted, middle);
  return sorted.length % 2 === 1 ? upper : (at(sorted, middle - 1) + upper) / 2;
};

/**
 * Quantile of ascending values for a fraction in [0, 1], by linear interpolation between order statistics
 * (Hyndman and Fan 1996, type 7; the default of R).
 */
export const quantileOfAscending = (sorted: ArrayLike<number>, fraction: number): number => {
  const place = (sorted.length - 1) * Math.min(Math.max(fraction, 0), 1);
  const share = place - Math.floor(place);
  const below = at(sorted, Math.floor(place));
  // Without a share of the one above it has no say: it may be infinite.
  if (share === 0) return below;
  const above = at(sorted, Math.ceil(place));
  return below === above ? below : below + (above - below) * share;
};

/** Sample standard deviation (divisor n − 1); 0 for a single value. */
export const standardDeviation = (values: readonly number[]): number => {
  if (values.length < 2) return 0;
  const center = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1));
};

// A function takes a hundred thousand arguments at most: of more values, `Math.min(...values)` throws.

/** The smallest value; Infinity of none. */
export const smallest = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Infinity);

/** The largest value; -Infinity of none. */
export const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity);

/** Largest minus smallest; −Infinity for no values. */
export const spread = (values: readonly number[]): number => largest(values) - smallest(values);
