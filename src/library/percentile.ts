/** Any percentile of a result, and the share of samples above a limit: from the histograms, on demand. */
import { UsageError } from "../errors.js";
import { histogramIn, percentileIn } from "../model/metrics/distribution.js";
import type { DistributionName } from "../model/metrics/percentile-table.js";
import type { Distribution } from "../model/result/run-result.js";
import { platValue, sampleCount } from "../stats/histogram/plat.js";
import { type Duration, usecOf } from "./duration.js";

/** Anything that has distributions: a result, one of its intervals or phases. */
export type WithDistributions = { readonly [N in DistributionName]?: Distribution | null };

const checkPercentile = (percent: number): void => {
  if (!(percent > 0 && percent <= 100))
    throw new UsageError(`invalid percentile "${percent}": allowed is more than 0, up to 100`);
};

/** Value of any percentile of a distribution; null where there is no sample, or the source had only other percentiles. */
export const percentileOfDistribution = (distribution: Distribution | null, percent: number): number | null => {
  checkPercentile(percent);
  return percentileIn(distribution, percent);
};

/**
 * Any percentile of a result, of one of its phases or intervals: latencies in microseconds, `rps` in requests per second.
 * Null where there is no sample, and for a parsed table that does not have this percentile. Percentile p is the value of
 * the first bucket at which the running count reaches p/100·n; buckets are exact below 512 and 0.2 % wide above.
 *
 * @param percent more than 0, up to 100, such as 99.5
 * @throws UsageError for a percentile out of range
 */
export const percentile = (result: WithDistributions, of: DistributionName, percent: number): number | null =>
  percentileOfDistribution(result[of] ?? null, percent);

/**
 * Share of the samples above a latency, 0 to 1; null where there is no sample, or no histogram.
 *
 * @throws UsageError for a limit that is no duration
 */
export const shareAbove = (
  result: WithDistributions,
  of: Exclude<DistributionName, "rps">,
  limit: Duration,
): number | null => {
  const limitUsec = usecOf(limit);
  const distribution = result[of] ?? null;
  const histogram = distribution === null ? null : histogramIn(distribution);
  if (histogram === null) return null;
  let above = 0;
  histogram.counts.forEach((count, bucket) => {
    if (count > 0 && platValue(bucket) > limitUsec) above += count;
  });
  return above / sampleCount(histogram);
};
