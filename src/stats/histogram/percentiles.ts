/**
 * Percentiles of a plat histogram. Percentile p is the value of the first bucket at which the running count reaches
 * p/100·n, clamped to [min, max]; percentiles are always derived from a (merged) histogram, never averaged.
 *
 * p/100·n is computed in doubles, in this order, as upstream computes it: 99.9/100 · 1000 is 999.0000000000001, so that p99.9
 * of a multiple of 1,000 samples takes one sample more than on paper, in every percentile of ours as in every one of upstream's.
 *
 * Upstream counterpart: calc_percentiles.
 */
import { at } from "../../at.js";
import { type Histogram, platValue, sampleCount } from "./plat.js";

/** A percentile as keys and labels write it: with one digit at least, and as many as it has (`99.0`, `99.9`, `99.99`). */
export const percentileName = (percentile: number): string =>
  Number.isInteger(percentile * 10) ? percentile.toFixed(1) : String(percentile);

/** One percentile: its value, and how many samples lie between the previous percentile of the list and this one. */
export interface PercentileRow {
  readonly percentile: number;
  readonly value: number;
  readonly samples: number;
}

/** Rows for ascending percentiles (each in (0, 100]); empty for an empty histogram. */
export const percentileRows = (histogram: Histogram, percentiles: readonly number[]): readonly PercentileRow[] => {
  const { counts, min, max } = histogram;
  if (min === null || max === null) return [];
  const total = sampleCount(histogram);
  const rows: PercentileRow[] = [];
  let index = 0;
  let running = at(counts, 0);
  let before = 0;
  for (const percentile of percentiles) {
    while (running < (percentile / 100) * total && index < counts.length - 1) running += at(counts, ++index);
    rows.push({ percentile, value: Math.min(Math.max(platValue(index), min), max), samples: running - before });
    before = running;
  }
  return rows;
};

/** Value of one percentile; null for an empty histogram. */
export const percentileOf = (histogram: Histogram, percentile: number): number | null =>
  percentileRows(histogram, [percentile])[0]?.value ?? null;
