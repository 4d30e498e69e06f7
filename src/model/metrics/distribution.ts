/** Between a histogram in memory and a distribution in a result. */
import { percentileOf, percentileRows } from "../../stats/histogram/percentiles.js";
import { fromSparse, type Histogram, sampleCount, toSparse } from "../../stats/histogram/plat.js";
import { PERCENTILES } from "./percentile-table.js";
import type { Distribution } from "../result/run-result.js";

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

/** The value of any percentile of a distribution: of its rows or its buckets; null when its source had only other rows. */
export const percentileIn = (distribution: Distribution | null, percentile: number): number | null => {
  if (distribution === null) return null;
  const row = distribution.percentiles.find((one) => one.percentile === percentile);
  if (row !== undefined) return row.value;
  const histogram = histogramIn(distribution);
  return histogram === null ? null : percentileOf(histogram, percentile);
};

/** The rows of PERCENTILES, as a result of today has them; those of its source where that had only a table. */
export const rowsIn = (distribution: Distribution): Distribution["percentiles"] => {
  const isComplete = PERCENTILES.every((p) => distribution.percentiles.some(({ percentile }) => percentile === p));
  const histogram = isComplete ? null : histogramIn(distribution);
  return histogram === null ? distribution.percentiles : [...percentileRows(histogram, PERCENTILES)];
};
