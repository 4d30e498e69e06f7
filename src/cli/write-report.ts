/** Writes an HTML report for a command; the renderer, which is large, is loaded only then. */
import type { ReportInput } from "../render/report-input.js";
import type { ExperimentWorld } from "./experiment-world.js";

/** Makes sure, before a long experiment, that its outputs can be written after it; throws UserError. */
export const checkWritable = async (
  paths: readonly (string | null)[],
  world: Pick<ExperimentWorld, "storeFiles">,
): Promise<void> => {
  for (const path of paths) if (path !== null && path !== "-") await world.storeFiles.append(path, "");
};

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
