/**
 * Percentile curves: latency against the percentile, on an axis logarithmic in 1/(1−p), so that each further nine gets
 * the same room (the plot of HdrHistogram).
 */
import type { Distribution } from "../../model/run-result.js";
import { percentileRows } from "../../stats/percentiles.js";
import { type Histogram, sampleCount } from "../../stats/plat.js";
import { latencyOf, type LatencyName, mergedHistogram, type RunSeries } from "./run-series.js";
import { histogramIn } from "../../model/distribution.js";

/** A point of a curve: `odds` is 1/(1−p), so 10 is the 90th percentile and 1000 the 99.9th. */
export interface CurvePoint {
  readonly odds: number;
  readonly usec: number;
}

/** One subject's curves. */
export interface PercentileCurve {
  readonly series: RunSeries;
  /** All runs merged; empty when nothing is known. */
  readonly merged: readonly CurvePoint[];
  /** Each run alone; empty when there is only one. */
  readonly runs: readonly (readonly CurvePoint[])[];
  /** Largest odds with at least ten samples beyond; null where the number of samples is not known. */
  readonly firmUpTo: number | null;
  /** Only the rows of a table were known. */
  readonly fromTable: boolean;
}

const POINTS_PER_DECADE = 24;
const FIRM_SAMPLES = 10;

/** The percentile (in percent) that has given odds. */
export const percentileAt = (odds: number): number => 100 * (1 - 1 / odds);

/** The curve of a histogram: from its minimum to the last sample but one, then its maximum. */
export const curveOf = (histogram: Histogram): readonly CurvePoint[] => {
  const { min, max } = histogram;
  const samples = sampleCount(histogram);
  if (min === null || max === null) return [];
  const odds: number[] = [];
  for (let i = 1; 10 ** (i / POINTS_PER_DECADE) < samples; i++) odds.push(10 ** (i / POINTS_PER_DECADE));
  const rows = percentileRows(histogram, odds.map(percentileAt));
  return [
    { odds: 1, usec: min },
    ...odds.map((at, i) => ({ odds: at, usec: rows[i]?.value ?? max })),
    { odds: Math.max(samples, 1), usec: max },
  ];
};

const curveOfTable = (distribution: Distribution): readonly CurvePoint[] =>
  distribution.percentiles
    .filter((row) => row.percentile < 100)
    .map((row) => ({ odds: 100 / (100 - row.percentile), usec: row.value }));

const curveOfDistribution = (distribution: Distribution | null): readonly CurvePoint[] => {
  const histogram = distribution === null ? null : histogramIn(distribution);
  if (histogram !== null) return curveOf(histogram);
  return distribution === null ? [] : curveOfTable(distribution);
};

/** The curves of one latency for each subject that has it. */
export const percentileCurves = (subjects: readonly RunSeries[], name: LatencyName): readonly PercentileCurve[] =>
  subjects
    .map((series): PercentileCurve => {
      const histogram = mergedHistogram(series.runs, name);
      const alone = series.runs
        .map((result) => curveOfDistribution(latencyOf(result, name)))
        .filter((c) => c.length > 0);
      return {
        series,
        merged: histogram === null ? (alone[0] ?? []) : curveOf(histogram),
        runs: alone.length > 1 ? alone : [],
        firmUpTo: histogram === null ? null : sampleCount(histogram) / FIRM_SAMPLES,
        fromTable: histogram === null,
      };
    })
    .filter((curve) => curve.merged.length > 0);
