/** Writes an HTML report for a command; the renderer, which is large, is loaded only then. */
import type { ReportInput } from "../render/report-input.js";
import type { ExperimentWorld } from "./experiment-world.js";

/** Writes the report to a file; null: none is wanted. */
export const writeHtml = async (
  path: string | null,
  input: () => ReportInput,
  world: Pick<ExperimentWorld, "writeText">,
): Promise<void> => {
  if (path === null) return;
  const { renderHtml } = await import("../render/html-report.js");
  await world.writeText(path, renderHtml(input()));
};
