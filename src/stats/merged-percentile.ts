/**
 * Percentiles of the merged histogram of several runs, and their bootstrap over runs: a resample weighs each run by how
 * often it was drawn. The running counts are kept per run, so that a resample costs a binary search, not a merge.
 */
import { at, numberAt } from "../at.js";
import { bootstrap } from "./bootstrap.js";
import { PLAT_NR, platValue } from "./plat.js";
import type { Random } from "./random.js";

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
  /** Per run: samples up to and including each of those buckets. */
  readonly upTo: readonly Float64Array[];
  readonly total: readonly number[];
}

/** Prepares the histograms of several runs. */
export const mergedRuns = (runs: readonly SparseHistogram[]): MergedRuns => {
  const used = new Uint8Array(PLAT_NR);
  for (const run of runs) for (const [bucket] of run.buckets) used[bucket] = 1;
  const buckets: number[] = [];
  used.forEach((isUsed, bucket) => {
    if (isUsed === 1) buckets.push(bucket);
  });
  const upTo = runs.map((run) => {
    const counts = new Float64Array(buckets.length);
    let running = 0;
    let next = 0;
    for (let index = 0; index < buckets.length; index++) {
      const entry = run.buckets[next];
      if (entry !== undefined && entry[0] === buckets[index]) {
        running += entry[1];
        next++;
      }
      counts[index] = running;
    }
    return counts;
  });
  return { runs, buckets, upTo, total: upTo.map((counts) => counts.at(-1) ?? 0) };
};

/** A percentile of runs weighed by whole numbers; null where the weighed runs have no sample. */
const weighed = ({ runs, buckets, ...counts }: MergedRuns, weights: Uint32Array, percentile: number): number | null => {
  const sumOver = (of: (run: number) => number): number => {
    let sum = 0;
    for (let run = 0; run < weights.length; run++) sum += at(weights, run) * of(run);
    return sum;
  };
  const total = sumOver((run) => at(counts.total, run));
  if (total === 0) return null;
  const wanted = (percentile / 100) * total;
  let low = 0;
  let high = buckets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sumOver((run) => numberAt(at(counts.upTo, run), middle)) >= wanted) high = middle;
    else low = middle + 1;
  }
  let min = Infinity;
  let max = -Infinity;
  runs.forEach((run, index) => {
    if (at(weights, index) === 0 || run.min === null || run.max === null) return;
    min = Math.min(min, run.min);
    max = Math.max(max, run.max);
  });
  return Math.min(Math.max(platValue(at(buckets, low)), min), max);
};

/** Percentile (in percent) of all runs' samples together; null without a sample. Same rule as percentiles.ts. */
export const mergedPercentile = (merged: MergedRuns, percentile: number): number | null =>
  weighed(merged, new Uint32Array(merged.runs.length).fill(1), percentile);

/** Bootstrap distribution, over runs, of the percentile of the merged histogram; drawings without a sample are left out. */
export const bootstrapMergedPercentile = (
  merged: MergedRuns,
  percentile: number,
  count: number,
  random: Random,
): number[] => {
  const weights = new Uint32Array(merged.runs.length);
  const figures = bootstrap(weights.length, count, random, (indices) => {
    weights.fill(0);
    for (const index of indices) weights[index] = at(weights, index) + 1;
    return weighed(merged, weights, percentile) ?? Number.NaN;
  });
  return figures.filter((figure) => !Number.isNaN(figure));
};
