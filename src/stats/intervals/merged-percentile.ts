/**
 * Percentiles of the merged histogram of several runs, and their bootstrap over runs: a resample weighs each run by how
 * often it was drawn. The running counts are kept by bucket, so that a resample costs the sums of a few buckets, not a merge.
 */
import { at, numberAt } from "../../at.js";
import { bootstrap } from "./bootstrap.js";
import { PLAT_NR, platValue } from "../histogram/plat.js";
import type { Random } from "../random.js";

/** A histogram as results store it: `[bucket, count]`, ascending, with its extremes. */
export interface SparseHistogram {
  readonly buckets: readonly (readonly [number, number])[];
  readonly min: number | null;
  readonly max: number | null;
}

/** Histograms of several runs, prepared for percentiles of any selection of them. */
export interface MergedRuns {
  readonly runs: readonly SparseHistogram[];
  /** The buckets that some run has, ascending. */
  readonly buckets: readonly number[];
  /** For each of those buckets: samples up to and including it, run by run. */
  readonly upTo: readonly Float64Array[];
  /** Between these no extreme of a run, and so of no selection, moves a value. */
  readonly highestMin: number;
  readonly lowestMax: number;
}

/** Prepares the histograms of several runs. */
export const mergedRuns = (runs: readonly SparseHistogram[]): MergedRuns => {
  const used = new Uint8Array(PLAT_NR);
  for (const run of runs) for (const entry of run.buckets) used[entry[0]] = 1;
  const buckets: number[] = [];
  used.forEach((isUsed, bucket) => {
    if (isUsed === 1) buckets.push(bucket);
  });
  const upTo = buckets.map(() => new Float64Array(runs.length));
  let [highestMin, lowestMax] = [-Infinity, Infinity];
  for (const [index, run] of runs.entries()) {
    let running = 0;
    let next = 0;
    for (const [place, column] of upTo.entries()) {
      const entry = run.buckets[next];
      if (entry !== undefined && entry[0] === buckets[place]) {
        running += entry[1];
        next++;
      }
      column[index] = running;
    }
    highestMin = Math.max(highestMin, run.min ?? -Infinity);
    lowestMax = Math.min(lowestMax, run.max ?? Infinity);
  }
  return { runs, buckets, upTo, highestMin, lowestMax };
};

/** In how many samples a column of weighed runs results. */
const weighedSum = (column: Float64Array, weights: Float64Array): number => {
  let sum = 0;
  for (let run = 0; run < weights.length; run++) sum += numberAt(weights, run) * numberAt(column, run);
  return sum;
};

/** The first of the places 0 … last that is reached, where all after it are, too; looked for around a guess first. */
const firstReached = (isReached: (place: number) => boolean, last: number, guess: number): number => {
  let [low, high] = [0, last];
  let probe = guess;
  for (let step = 1; low <= probe && probe < high; step *= 2) {
    if (isReached(probe)) {
      high = probe;
      probe -= step;
    } else {
      low = probe + 1;
      probe += step;
    }
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The place of the bucket in which a percentile of weighed runs lies; null where they have no sample. */
const weighedPlace = (
  { upTo }: MergedRuns,
  weights: Float64Array,
  percentile: number,
  guess: number,
): number | null => {
  const last = upTo.length - 1;
  const total = last < 0 ? 0 : weighedSum(at(upTo, last), weights);
  if (total === 0) return null;
  const wanted = (percentile / 100) * total;
  return firstReached((place) => weighedSum(at(upTo, place), weights) >= wanted, last, guess);
};

/** The value at a place, no further out than the runs that have a weight. */
const valueAt = (
  { runs, buckets, highestMin, lowestMax }: MergedRuns,
  weights: Float64Array,
  place: number,
): number => {
  const value = platValue(at(buckets, place));
  if (value >= highestMin && value <= lowestMax) return value;
  let [min, max] = [Infinity, -Infinity];
  for (const [index, run] of runs.entries()) {
    if (numberAt(weights, index) === 0 || run.min === null || run.max === null) continue;
    min = Math.min(min, run.min);
    max = Math.max(max, run.max);
  }
  return Math.min(Math.max(value, min), max);
};

const onceEach = ({ runs }: MergedRuns): Float64Array => new Float64Array(runs.length).fill(1);

/** Percentile (in percent) of all runs' samples together; null without a sample. Same rule as percentiles.ts. */
export const mergedPercentile = (merged: MergedRuns, percentile: number): number | null => {
  const weights = onceEach(merged);
  const place = weighedPlace(merged, weights, percentile, 0);
  return place === null ? null : valueAt(merged, weights, place);
};

/** Bootstrap distribution, over runs, of the percentile of the merged histogram; drawings without a sample are left out. */
export const bootstrapMergedPercentile = (
  merged: MergedRuns,
  percentile: number,
  count: number,
  random: Random,
): number[] => {
  const weights = onceEach(merged);
  const guess = weighedPlace(merged, weights, percentile, 0) ?? 0;
  const figures = bootstrap(weights.length, count, random, (indices) => {
    weights.fill(0);
    for (const index of indices) weights[index] = numberAt(weights, index) + 1;
    const place = weighedPlace(merged, weights, percentile, guess);
    return place === null ? Number.NaN : valueAt(merged, weights, place);
  });
  return figures.filter((figure) => !Number.isNaN(figure));
};
