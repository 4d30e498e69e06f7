/** The HTML report: any kind of result as one self-contained document. Pure; loaded only when a report is written. */
import type { ReportInput } from "./report-input.js";
import { comparisonReport } from "./comparison-report.js";
import { gridReport } from "./grid-report.js";
import { runReport } from "./run-report.js";
import { sweepReport } from "./sweep-report.js";
import { validationReport } from "./validation-report.js";

/** The document for some results: opens from disk, asks the network for nothing, runs nothing. */
export const renderHtml = (input: ReportInput): string => {
  if (input.kind === "run") return runReport(input);
  if (input.kind === "comparison") return comparisonReport(input);
  if (input.kind === "grid") return gridReport(input);
  return input.kind === "sweep" ? sweepReport(input) : validationReport(input);
};
