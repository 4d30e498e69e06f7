/** Writes an HTML report for a command; the renderer, which is large, is loaded only then. */
import { UsageError } from "../../errors.js";
import type { ReportInput } from "../../render/reports/report-input.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import type { Io } from "../io/command.js";
import { openFile, refuseInput, refuseSameFile } from "../io/output-file.js";

/** Where a command prints its findings on standard output, the report goes to a file; throws UsageError. */
const refuseStandardOutput = (html: string | null): void => {
  if (html === "-")
    throw new UsageError(
      'cannot write --html to "-": standard output is for the findings',
      "Name a file, such as --html report.html.",
    );
};

/** What is written at the end: the option and the file it names; null and `-` are passed over. */
type Written = readonly (readonly [option: string, path: string | null])[];

/**
 * Opens, before anything is read, what a command writes at its end: hours of reading and a table on the screen are not for
 * a file that cannot be written.
 *
 * @param inputs files that are read, which nothing may be written over
 * @returns the writer of those files, each of which is as it was until then
 * @throws UserError
 */
export const openDestinations = (written: Written, inputs: readonly string[]): Pick<ExperimentWorld, "writeText"> => {
  for (const [option, path] of written) if (option === "--html") refuseStandardOutput(path);
  refuseSameFile(written);
  for (const output of written) refuseInput(output, inputs);
  const files = new Map(
    written.flatMap(([, path]) => (path === null || path === "-" ? [] : [[path, openFile(path)] as const])),
  );
  return {
    writeText: async (path, text) => {
      const file = files.get(path);
      if (file === undefined) throw new TypeError(`"${path}" was not opened`);
      await file.write(text);
    },
  };
};

/**
 * Makes sure, before a long experiment, that its outputs can be written after it, and not over each other.
 *
 * @param written option and file of what is written at the end
 * @param store the file that keeps the runs; null: a new one
 * @throws UserError
 */
export const checkWritable = (
  written: Written,
  store: string | null,
  world: Pick<ExperimentWorld, "refuseUnwritable">,
): void => {
  for (const [option, path] of written) if (option === "--html") refuseStandardOutput(path);
  refuseSameFile([["--store", store], ...written]);
  for (const [, path] of written) if (path !== null && path !== "-") world.refuseUnwritable(path);
};

/** Writes the report to a file; null: none is wanted. */
export const writeHtml = async (
  path: string | null,
  input: () => ReportInput,
  { writeText, atOnce }: Pick<ExperimentWorld, "writeText"> & Pick<Io, "atOnce">,
): Promise<void> => {
  if (path === null) return;
  const { renderHtml } = await import("../../render/reports/html-report.js");
  await writeText(
    path,
    atOnce(() => renderHtml(input())),
  );
};
