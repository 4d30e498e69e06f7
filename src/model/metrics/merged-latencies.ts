/** The latencies of all runs of a subject added up, for where the histograms of single runs are left out. Pure. */
import { mergeHistograms } from "../../stats/histogram/plat.js";
import { distributionOf, histogramIn } from "./distribution.js";
import type { Distribution, RunResult } from "../result/run-result.js";

/** The latencies whose histograms are added up. */
export const MERGED = ["wakeup", "request", "response"] as const;

/** The latencies of all runs of a subject together, of which no run alone has a histogram; null where they are not known. */
export type MergedLatencies = Readonly<Record<(typeof MERGED)[number], Distribution | null>>;

const added = (runs: readonly RunResult[], name: (typeof MERGED)[number]): Distribution | null => {
  const known = runs.map((run) => run[name]).filter((distribution) => distribution !== null);
  const histograms = known.map(histogramIn).filter((histogram) => histogram !== null);
  // A sum that lacks a run would be taken for the whole.
  if (histograms.length === 0 || histograms.length < known.length) return null;
  return distributionOf(mergeHistograms(histograms), "usec");
};

/** The latencies of some runs together. */
export const mergedLatencies = (runs: readonly RunResult[]): MergedLatencies => ({
  wakeup: added(runs, "wakeup"),
  request: added(runs, "request"),
  response: added(runs, "response"),
});
