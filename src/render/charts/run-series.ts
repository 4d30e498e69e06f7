/** The runs of one subject as charts see them: a name, a style, results. */
import { histogramIn } from "../../model/metrics/distribution.js";
import type { MergedLatencies } from "../../model/metrics/merged-latencies.js";
import type { Distribution, RunResult } from "../../model/result/run-result.js";
import { type Histogram, mergeHistograms } from "../../stats/histogram/plat.js";
import { type SeriesStyle, seriesStyle } from "../html/palette.js";

/** One subject's runs. */
export interface RunSeries {
  readonly name: string;
  readonly runs: readonly RunResult[];
  /** The latencies of all of them together, where none has a histogram of its own. */
  readonly merged?: MergedLatencies;
  readonly style: SeriesStyle;
  /** From 1; the number of its colour. */
  readonly number: number;
}

/** The latency distributions of a run. */
export type LatencyName = "wakeup" | "request" | "response";

/** Series of some subjects, styled in their order. */
export const runSeries = (subjects: readonly Pick<RunSeries, "name" | "runs" | "merged">[]): readonly RunSeries[] =>
  subjects.map(({ name, runs, merged }, i) => ({
    name,
    runs,
    ...(merged === undefined ? {} : { merged }),
    style: seriesStyle(i),
    number: (i % 6) + 1,
  }));

/** A distribution of a run by name. */
export const latencyOf = (result: RunResult, name: LatencyName): Distribution | null => result[name];

/** The merged histogram of all runs that have one; null when none has, and nothing is known of them together. */
export const mergedHistogram = (
  { runs, merged }: Pick<RunSeries, "runs" | "merged">,
  name: LatencyName,
): Histogram | null => {
  const histograms = runs.flatMap((result) => {
    const distribution = latencyOf(result, name);
    const histogram = distribution === null ? null : histogramIn(distribution);
    return histogram === null ? [] : [histogram];
  });
  if (histograms.length > 0) return mergeHistograms(histograms);
  const together = merged?.[name] ?? null;
  return together === null ? null : histogramIn(together);
};
