/**
 * The table on a terminal while an experiment goes on: medians so far of the setting that is being run. It shows where things stand
 * and judges nothing: whoever stops because of what it shows has no verdict (docs/statistics.md). Pure.
 */
import { at } from "../../at.js";
import { defaultPrimary } from "../../compare/compare.js";
import { isMetricId, type Metric, type MetricId, metricOf } from "../../model/metrics/metrics.js";
import type { RunResult } from "../../model/result/run-result.js";
import { median } from "../../stats/sample.js";
import { changeText, valueText } from "./comparison-text.js";
import { alignedRows, type Cell } from "../table.js";

/** A screen has 24 lines, and other things on it. */
const MOST_METRICS = 5;
const MOST_SUBJECTS = 6;
const USUAL = ["wakeup-p99", "request-p99", "average-rps"] as const satisfies readonly MetricId[];

/** The runs so far under the setting in progress. */
export interface LiveRuns {
  /** Name of the setting; null: there is only one. */
  readonly setting: string | null;
  /** The base first. */
  readonly subjects: readonly { readonly name: string; readonly runs: readonly RunResult[] }[];
  /** `--primary` and `--metrics` as they were written. */
  readonly asked: { readonly primary?: string | undefined; readonly metrics?: string | undefined };
  /** What is known of looks, below the table. */
  readonly note: string;
}

/** What is shown: the primary metric, then those asked for, else the usual ones; of those what some run has. */
const shownMetrics = ({ primary, metrics }: LiveRuns["asked"], runs: readonly RunResult[]): readonly Metric[] =>
  [...new Set([primary ?? defaultPrimary(runs), ...(metrics?.split(",") ?? USUAL)])]
    .map((word) => word.trim())
    .filter(isMetricId)
    .map(metricOf)
    .filter((metric) => runs.some((run) => metric.read(run) !== null))
    .slice(0, MOST_METRICS);

const medianOf = (metric: Metric, runs: readonly RunResult[]): number | null => {
  const known = runs.flatMap((run) => metric.read(run) ?? []);
  return known.length === 0 ? null : median(known);
};

const right = (text: string): Cell => ({ text, align: "right" });

/** The lines of the table; none before a run has been measured. */
export const liveTable = ({ setting, subjects: all, asked, note }: LiveRuns): readonly string[] => {
  const subjects = all.slice(0, MOST_SUBJECTS);
  const runs = subjects.flatMap((subject) => subject.runs);
  if (runs.length === 0) return [];
  const metrics = shownMetrics(asked, runs);
  const title = subjects.flatMap(({ name, runs: own }, index) => [
    right(`${name} (${own.length})`),
    ...(index === 0 ? [] : [right("change")]),
  ]);
  const rows = metrics.map((metric) => {
    const medians = subjects.map((subject) => medianOf(metric, subject.runs));
    const base = at(medians, 0);
    return [
      { text: metric.label },
      ...medians.flatMap((value, index) => [
        right(value === null ? "-" : valueText(value, metric.unit)),
        ...(index === 0 ? [] : [right(value === null || base === null || base === 0 ? "" : changeText(value / base))]),
      ]),
    ];
  });
  return [...alignedRows([[{ text: setting ?? "medians so far" }, ...title], ...rows]), note];
};
