/** The data block of a report. */
import type { MetricId } from "../../model/metrics/metrics.js";
import { mergedLatencies } from "../../model/metrics/merged-latencies.js";
import type { RunResult } from "../../model/result/run-result.js";
import {
  embedData,
  type EmbeddedName,
  type EmbeddedReport,
  type EmbeddedSubject,
  PACKED_VERSION,
  REPORT_DATA_VERSION,
} from "./embedded-data.js";
import { MANY_RUNS, packRuns } from "./packed-runs.js";
import type { Markup } from "../html/markup.js";

/** A run without what only its own charts need: histograms second by second, and the readings at the intervals. */
const slimRun = (run: RunResult): RunResult => ({
  ...run,
  intervals: [],
  seconds: run.seconds.map((second) => ({ ...second, wakeup: null, request: null })),
});

const nameOf = ({ name, subject, cell }: EmbeddedName): EmbeddedName => ({
  name,
  ...(subject === undefined ? {} : { subject }),
  ...(cell === undefined ? {} : { cell }),
});

/** The subjects and runs of a report of some kind, as its data block; `more` holds the judgement, where there is one. */
export const reportData = (
  kind: EmbeddedReport["kind"],
  subjects: readonly EmbeddedSubject[],
  more: Readonly<Record<string, unknown>> = {},
): Markup =>
  embedData({
    format: "schbench-ts/report",
    version: REPORT_DATA_VERSION,
    kind,
    subjects: subjects.map((subject) => ({ ...nameOf(subject), runs: subject.runs })),
    ...more,
  } satisfies EmbeddedReport);

/** The same for many runs, which are slimmed. */
export const slimReportData: typeof reportData = (kind, subjects, more) =>
  reportData(
    kind,
    subjects.map((subject) => ({ ...subject, runs: subject.runs.map(slimRun) })),
    more,
  );

/** Whether these are so many runs that they are packed. */
export const arePacked = (subjects: readonly EmbeddedSubject[]): boolean =>
  subjects.reduce((sum, { runs }) => sum + runs.length, 0) >= MANY_RUNS;

/** The same for very many runs: what their metrics are read from, packed. */
export const packedReportData = (
  kind: EmbeddedReport["kind"],
  subjects: readonly EmbeddedSubject[],
  { metrics, more }: { readonly metrics: readonly MetricId[]; readonly more: Readonly<Record<string, unknown>> },
): Markup =>
  embedData({
    format: "schbench-ts/report",
    version: PACKED_VERSION,
    kind,
    subjects: subjects.map((subject) => ({
      ...nameOf(subject),
      count: subject.runs.length,
      packedRuns: packRuns(subject.runs, metrics),
      merged: mergedLatencies(subject.runs),
    })),
    ...more,
  } satisfies EmbeddedReport);
