/** What rises along an axis: the rising curve that fits best, and whether there is a trend at all. */
import { at } from "../../at.js";

/** The middle value, or the lower of the two middle ones: of two values that contradict each other, the one that is no outlier upwards. */
const lowerMedian = (values: readonly number[]): number =>
  at(
    values.toSorted((a, b) => a - b),
    (values.length - 1) >> 1,
  );

/**
 * The non-decreasing curve with the smallest sum of absolute distances from the values, one of its values for each: isotonic median
 * regression (T. Robertson, F. Wright 1973, "Multiple Isotonic Median Regression", Annals of Statistics 1:422–432) by pooling adjacent
 * violators (M. Ayer et al. 1955, Annals of Mathematical Statistics 26:641–647). A median follows no single outlier.
 */
export const risingFit = (values: readonly number[]): readonly number[] => {
  const blocks: (readonly number[])[] = [];
  for (const value of values) {
    let block: readonly number[] = [value];
    for (let before = blocks.at(-1); before !== undefined; before = blocks.at(-1)) {
      if (lowerMedian(before) <= lowerMedian(block)) break;
      block = [...before, ...block];
      blocks.pop();
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) => block.map(() => lowerMedian(block)));
};

/** The share of all orders of `length` different values that have at most `most` falling pairs. */
const shareOfOrders = (length: number, most: number): number => {
  // By the number of falling pairs; one more value adds 0 … its place of them, each equally likely.
  let shares: readonly number[] = [1];
  for (let place = 1; place < length; place++) {
    const next = Array.from({ length: shares.length + place }, () => 0);
    shares.forEach((share, pairs) => {
      for (let more = 0; more <= place; more++) next[pairs + more] = at(next, pairs + more) + share / (place + 1);
    });
    shares = next;
  }
  return shares.slice(0, most + 1).reduce((sum, share) => sum + share, 0);
};

/**
 * The Mann–Kendall test for a trend upwards (H. Mann 1945, "Nonparametric Tests Against Trend", Econometrica 13:245–259): the exact p,
 * one-sided, of so many more rising than falling pairs among values that come in any order alike. A tie counts half of each, which
 * makes the p larger than it is.
 */
export const risingTrendP = (values: readonly number[]): number => {
  let falling = 0;
  values.forEach((value, index) => {
    for (const later of values.slice(index + 1)) falling += later < value ? 1 : later === value ? 0.5 : 0;
  });
  return shareOfOrders(values.length, Math.ceil(falling));
};
