/** What a command does with judged runs: prints them, writes the report, decides the exit code. */
import type { GateOptions } from "../../compare/gate.js";
import type { ExitCode } from "../../errors.js";
import type { MetricId } from "../../model/metrics/metrics.js";
import type { ReportInput } from "../../render/reports/report-input.js";
import type { Io } from "../io/command.js";
import type { comparisonFormatOption } from "../options/output-options.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import { findingsOf, jobSummary, type Judged, judgedExit, judgedMetrics, printJudged } from "./judged.js";
import { writeHtml } from "./write-report.js";

/** What is wanted. */
export interface JudgedWishes {
  readonly format: (typeof comparisonFormatOption.choices)[number];
  readonly html: string | null;
  readonly bisect: boolean;
  /** null: no gate. */
  readonly gate: GateOptions | null;
  /** In JSON the findings stand in this object, as `comparison`; left out: by themselves. */
  readonly within?: object;
  /** The metrics asked for by name. */
  readonly metrics: readonly MetricId[] | undefined;
}

/** Says which of the metrics that were asked for no run has: they are in no table. */
export const noteAbsentMetrics = (
  wanted: readonly MetricId[] | undefined,
  shown: readonly { readonly id: string }[],
  io: Io,
): void => {
  const absent = (wanted ?? []).filter((id) => shown.every((metric) => metric.id !== id));
  if (absent.length > 0) io.stderr.write(`schbench-ts: no run has the metric ${absent.join(", ")}\n`);
};

/** The report on judged runs. */
export const judgedReport = (judged: Judged): ReportInput =>
  judged.kind === "grid"
    ? { kind: "grid", grid: judged.grid, origin: judged.origin, cells: judged.cells }
    : { kind: "comparison", subjects: judged.subjects, comparison: judged.comparison };

/** Prints, writes, and gives the exit code. */
export const finishJudged = async (
  judged: Judged,
  { format, html, bisect, gate, within, metrics }: JudgedWishes,
  io: Io,
  world: Pick<ExperimentWorld, "writeText" | "appendText">,
): Promise<ExitCode> => {
  if (format === "json" && within !== undefined)
    io.stdout.write(`${JSON.stringify({ ...within, comparison: findingsOf(judged, gate) }, null, 2)}\n`);
  else printJudged(judged, format, gate, io);
  noteAbsentMetrics(metrics, judgedMetrics(judged), io);
  const summary = jobSummary(judged, format, io);
  if (summary !== null) await world.appendText(summary.file, summary.text);
  await writeHtml(html, () => judgedReport(judged), { writeText: world.writeText, atOnce: io.atOnce });
  return judgedExit(judged, gate, bisect);
};
