/**
 * The latency histogram of fio and schbench ("plat"): 19 groups of 256 buckets. Values below 512 have a bucket of their
 * own; above, a value keeps its top nine bits and its bucket stands for the middle of its range, so the error is at
 * most 1/512. The last bucket takes everything larger.
 *
 * Upstream counterpart: plat_val_to_idx, plat_idx_to_val, combine_stats. The engine has a twin in assembly/memory/plat.ts; the
 * tests hold the two together.
 */
import { at } from "../../at.js";
import { largest, smallest } from "../sample.js";

export const PLAT_BITS = 8;
const PLAT_VAL = 1 << PLAT_BITS;
const PLAT_GROUP_NR = 19;
/** Number of buckets: 4,864. */
export const PLAT_NR = PLAT_GROUP_NR * PLAT_VAL;

/** A histogram with its exact extremes; `min` and `max` are null while it is empty. */
export interface Histogram {
  /** PLAT_NR counts. */
  readonly counts: Float64Array;
  readonly min: number | null;
  readonly max: number | null;
}

/** Bucket of a non-negative integer value (32 bits). */
export const platIndex = (value: number): number => {
  const msb = value === 0 ? 0 : 31 - Math.clz32(value);
  if (msb <= PLAT_BITS) return value;
  const errorBits = msb - PLAT_BITS;
  const base = (errorBits + 1) << PLAT_BITS;
  const offset = (PLAT_VAL - 1) & (value >>> errorBits);
  return Math.min(base + offset, PLAT_NR - 1);
};

/** Value that a bucket stands for: exact below 512, the middle of its range above. */
export const platValue = (index: number): number => {
  if (index < PLAT_VAL << 1) return index;
  const errorBits = (index >> PLAT_BITS) - 1;
  const base = 2 ** (errorBits + PLAT_BITS);
  return Math.floor(base + ((index % PLAT_VAL) + 0.5) * 2 ** errorBits);
};

/** Number of samples. */
export const sampleCount = (histogram: Histogram): number => {
  let count = 0;
  for (const n of histogram.counts) count += n;
  return count;
};

/** Histogram of non-negative integer values. */
export const histogramOf = (values: Iterable<number>): Histogram => {
  const counts = new Float64Array(PLAT_NR);
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    const index = platIndex(value);
    counts[index] = at(counts, index) + 1;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { counts, min, max } : { counts, min: null, max: null };
};

/** The buckets between minimum and maximum; an empty range for an empty histogram. */
export const usedBuckets = ({ min, max }: Histogram): { readonly first: number; readonly last: number } =>
  min === null || max === null ? { first: 0, last: -1 } : { first: platIndex(min), last: platIndex(max) };

const pick = (choose: (values: readonly number[]) => number, histograms: readonly Histogram[], end: "min" | "max") => {
  const known = histograms.map((histogram) => histogram[end]).filter((value) => value !== null);
  return known.length === 0 ? null : choose(known);
};

/** Sum of histograms, bucket by bucket; an empty one has no say in the extremes. */
export const mergeHistograms = (histograms: readonly Histogram[]): Histogram => {
  const counts = new Float64Array(PLAT_NR);
  for (const histogram of histograms) {
    const { first, last } = usedBuckets(histogram);
    for (let i = first; i <= last; i++) counts[i] = at(counts, i) + at(histogram.counts, i);
  }
  return { counts, min: pick(smallest, histograms, "min"), max: pick(largest, histograms, "max") };
};

/** The non-empty buckets as `[index, count]`, ascending: the form in which histograms are stored. */
export const toSparse = (histogram: Histogram): [number, number][] => {
  const buckets: [number, number][] = [];
  histogram.counts.forEach((count, index) => {
    if (count > 0) buckets.push([index, count]);
  });
  return buckets;
};

/** The histogram that `toSparse` took apart. */
export const fromSparse = (
  buckets: readonly (readonly [number, number])[],
  min: number | null,
  max: number | null,
): Histogram => {
  const counts = new Float64Array(PLAT_NR);
  for (const [index, count] of buckets) counts[index] = count;
  return { counts, min, max };
};
