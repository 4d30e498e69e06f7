/** Between a histogram in memory and a distribution in a result. */
import { PERCENTILES, percentileRows } from "../stats/percentiles.js";
import { fromSparse, type Histogram, sampleCount, toSparse } from "../stats/plat.js";
import type { Distribution } from "./run-result.js";

/** The distribution of a histogram; null when it has no sample. */
export const distributionOf = (histogram: Histogram, unit: Distribution["unit"]): Distribution | null => {
  if (histogram.min === null) return null;
  return {
    unit,
    samples: sampleCount(histogram),
    min: histogram.min,
    max: histogram.max,
    percentiles: percentileRows(histogram, PERCENTILES).map((row) => ({ ...row })),
    buckets: toSparse(histogram),
  };
};

/** The histogram of a distribution; null when its source had only a table. */
export const histogramIn = (distribution: Distribution): Histogram | null =>
  distribution.buckets === null ? null : fromSparse(distribution.buckets, distribution.min, distribution.max);

/** The value of one percentile of a distribution; null when the source did not give it. */
export const percentileIn = (distribution: Distribution | null, percentile: number): number | null =>
  distribution?.percentiles.find((row) => row.percentile === percentile)?.value ?? null;
