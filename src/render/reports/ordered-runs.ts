/** The order of runs over a whole experiment, told or read off their start times. */
import type { OrderedSeries } from "../charts/run-order-chart.js";
import type { RunSeries } from "../charts/run-series.js";
import type { RunResult } from "../../model/result/run-result.js";

/** Places (from 1) of the runs of each subject; null when neither told nor known from start times. */
export const experimentOrder = (
  subjects: readonly { readonly runs: readonly RunResult[]; readonly positions?: readonly number[] }[],
): readonly (readonly number[])[] | null => {
  const told = subjects.map(({ positions }) => positions ?? []);
  if (subjects.every(({ positions, runs }) => positions?.length === runs.length)) return told;
  const starts = subjects.map(({ runs }) => runs.map(({ startedAt }) => Date.parse(startedAt ?? "")));
  const all = starts.flat();
  if (all.some(Number.isNaN) || new Set(all).size < all.length) return null;
  const places = new Map(all.toSorted((a, b) => a - b).map((time, index) => [time, index + 1]));
  return starts.map((times) => times.map((time) => places.get(time) ?? 0));
};

/** The values of one metric in experiment order; runs without the metric are left out. */
export const orderedSeries = (
  subjects: readonly RunSeries[],
  order: readonly (readonly number[])[],
  read: (result: RunResult) => number | null,
): readonly OrderedSeries[] =>
  subjects.map((series, i) => ({
    series,
    values: series.runs.flatMap((result, run) => {
      const value = read(result);
      const position = order[i]?.[run];
      return value === null || position === undefined ? [] : [{ position, value, startedAt: result.startedAt }];
    }),
  }));
