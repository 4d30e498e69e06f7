/** The data block of a report. */
import type { Comparison } from "../../compare/comparison.js";
import type { RunResult } from "../../model/run-result.js";
import { withoutCourse } from "../../model/without-course.js";
import { embedData, type EmbeddedReport, type EmbeddedSubject, REPORT_DATA_VERSION } from "./embedded-data.js";
import type { Markup } from "../html/markup.js";

/** A run without what only its own charts need: histograms second by second, and the readings at the intervals. */
const slimRun = (run: RunResult): RunResult => ({
  ...run,
  intervals: [],
  seconds: run.seconds.map((second) => ({ ...second, wakeup: null, request: null })),
});

/** From so many runs on, a comparison leaves their course out: it would be most of the file, and its charts are drawn. */
const MANY_RUNS = 100;

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
    subjects: subjects.map(({ name, runs }) => ({ name, runs })),
    ...more,
  } satisfies EmbeddedReport);

/** The same for many runs, which are slimmed. */
export const slimReportData: typeof reportData = (kind, subjects, more) =>
  reportData(
    kind,
    subjects.map(({ name, runs }) => ({ name, runs: runs.map(slimRun) })),
    more,
  );

/** The same for a comparison: whole, or, of many runs, what they are judged by. */
export const comparisonData = (subjects: readonly EmbeddedSubject[], comparison: Comparison): Markup => {
  const isLarge = subjects.reduce((sum, { runs }) => sum + runs.length, 0) >= MANY_RUNS;
  const kept = isLarge ? subjects.map(({ name, runs }) => ({ name, runs: runs.map(withoutCourse) })) : subjects;
  return reportData("comparison", kept, { comparison });
};
