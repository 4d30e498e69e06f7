/**
 * The shift function: how far every percentile of one side lies from the same percentile of the other (K. Doksum 1974, "Empirical
 * probability plots and statistical inference for nonlinear models in the two-sample case", Annals of Statistics 2:267–277),
 * as a ratio, with a pointwise band from a bootstrap over runs. Where a tail alone moves, it shows.
 */
import { at } from "../../at.js";
import { intervalOf } from "./bootstrap.js";
import { bootstrapMergedPercentile, mergedPercentile, type MergedRuns } from "./merged-percentile.js";
import type { Random } from "../random.js";

/** Percentiles at which the shift is told. */
const SHIFT_PERCENTILES = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9] as const;

/** Resamples of a band that is drawn, not quoted. */
const RESAMPLES = 400;

/** One percentile of the shift function. */
export interface Shift {
  readonly percentile: number;
  /** Candidate over base; null where the base's percentile is 0 or a side has no sample. */
  readonly ratio: number | null;
  /** Pointwise; null for fewer than two runs a side. */
  readonly band: { readonly low: number; readonly high: number } | null;
}

/** The shift of a candidate's merged runs against a base's. */
export const percentileShift = (
  base: MergedRuns,
  candidate: MergedRuns,
  confidence: number,
  random: Random,
): readonly Shift[] =>
  SHIFT_PERCENTILES.map((percentile) => {
    const [below, above] = [mergedPercentile(base, percentile), mergedPercentile(candidate, percentile)];
    if (below === null || above === null || below === 0) return { percentile, ratio: null, band: null };
    const runs = Math.min(base.runs.length, candidate.runs.length);
    if (runs < 2) return { percentile, ratio: above / below, band: null };
    const divisors = bootstrapMergedPercentile(base, percentile, RESAMPLES, random);
    const ratios = bootstrapMergedPercentile(candidate, percentile, RESAMPLES, random)
      .slice(0, divisors.length)
      .map((value, index) => value / at(divisors, index))
      .filter((ratio) => Number.isFinite(ratio));
    return {
      percentile,
      ratio: above / below,
      band: ratios.length < 2 ? null : intervalOf(ratios, confidence, runs),
    };
  });
