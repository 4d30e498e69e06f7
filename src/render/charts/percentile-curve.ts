/**
 * Percentile curves: latency against the percentile, on an axis logarithmic in 1/(1−p), so that each further nine gets
 * the same room (the plot of HdrHistogram).
 */
import type { Distribution } from "../../model/result/run-result.js";
import { percentileRows } from "../../stats/histogram/percentiles.js";
import { type Histogram, sampleCount } from "../../stats/histogram/plat.js";
import { latencyOf, type LatencyName, mergedHistogram, type RunSeries } from "./run-series.js";
import { median } from "../../stats/sample.js";
import { isMany, summedUp } from "./many-runs.js";
import { histogramIn } from "../../model/metrics/distribution.js";

/** A point of a curve: `odds` is 1/(1−p), so 10 is the 90th percentile and 1000 the 99.9th. */
export interface CurvePoint {
  readonly odds: number;
  readonly usec: number;
}

/** Where eight in ten runs lie at a percentile. */
export interface BandPoint {
  readonly odds: number;
  readonly lowest: number;
  readonly highest: number;
}

/** One subject's curves. */
export interface PercentileCurve {
  readonly series: RunSeries;
  /** All runs merged; empty when nothing is known. */
  readonly merged: readonly CurvePoint[];
  /** Each run alone; empty when there is only one, and when they are too many. */
  readonly runs: readonly (readonly CurvePoint[])[];
  /** Where eight in ten runs lie, when they are too many to be drawn. */
  readonly band: readonly BandPoint[];
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

/** Several runs of which only tables are known: the median over runs of each percentile that all of them have. */
const curveOfTables = (curves: readonly (readonly CurvePoint[])[]): readonly CurvePoint[] => {
  const [first = [], ...others] = curves;
  return first.flatMap(({ odds, usec }) => {
    const values = others.flatMap((curve) => curve.find((point) => point.odds === odds)?.usec ?? []);
    return values.length === others.length ? [{ odds, usec: median([usec, ...values]) }] : [];
  });
};

const curveOfDistribution = (distribution: Distribution | null): readonly CurvePoint[] => {
  const histogram = distribution === null ? null : histogramIn(distribution);
  if (histogram !== null) return curveOf(histogram);
  return distribution === null ? [] : curveOfTable(distribution);
};

/** The band of many curves, as far as half of them reach. */
const bandOf = (curves: readonly (readonly CurvePoint[])[]): readonly BandPoint[] => {
  const byOdds = new Map<number, number[]>();
  for (const curve of curves)
    // The last point is the maximum, at odds of its own.
    for (const { odds, usec } of curve.slice(0, -1)) {
      const known = byOdds.get(odds);
      if (known === undefined) byOdds.set(odds, [usec]);
      else known.push(usec);
    }
  return [...byOdds]
    .filter(([, values]) => values.length * 2 >= curves.length)
    .toSorted(([a], [b]) => a - b)
    .map(([odds, values]) => {
      const { lowest, highest } = summedUp(values);
      return { odds, lowest, highest };
    });
};

/** The curves of one latency for each subject that has it. */
export const percentileCurves = (subjects: readonly RunSeries[], name: LatencyName): readonly PercentileCurve[] => {
  const many = isMany(subjects);
  return subjects
    .map((series): PercentileCurve => {
      const histogram = mergedHistogram(series, name);
      const alone = series.runs
        .map((result) => curveOfDistribution(latencyOf(result, name)))
        .filter((c) => c.length > 0);
      return {
        series,
        merged: histogram === null ? curveOfTables(alone) : curveOf(histogram),
        runs: alone.length > 1 && !many ? alone : [],
        band: many ? bandOf(alone) : [],
        firmUpTo: histogram === null ? null : sampleCount(histogram) / FIRM_SAMPLES,
        fromTable: histogram === null,
      };
    })
    .filter((curve) => curve.merged.length > 0);
};
