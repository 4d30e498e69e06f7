/** The data block of a report. */
import { embedData, type EmbeddedReport, type EmbeddedSubject, REPORT_DATA_VERSION } from "../embedded-data.js";
import type { Markup } from "../html/markup.js";

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
