/** Writes what a validation found: the report, and the page with its tables and its picture. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { UserError } from "../../errors.js";
import { type ExperimentHeader, measuredResults, type RunRecord } from "../../experiment/record.js";
import type { Validation } from "../../validate/validation.js";
import { type Cause, HAND_WRITTEN, validationPage } from "../../render/validation/validation-page.js";
import { validationMarkdown } from "../../render/validation/validation-markdown.js";
import type { Io } from "../io/command.js";
import { makeDirectory } from "../io/make-directory.js";
import { readInput } from "../io/read-input.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import { writeHtml } from "./write-report.js";

const PAGE = "validation.md";
const TABLES = "validation-tables.md";
const PICTURE = "images/validation.svg";

/** Where a validation's findings go. */
export interface ValidationTargets {
  readonly format: "markdown" | "json";
  readonly output: string | null;
  readonly outputDir: string | null;
  readonly html: string | null;
}

const inFolder = (folder: string, file: string): string => `${folder.replace(/\/+$/, "")}/${file}`;

/** Option and file of everything that is written at the end. */
export const validationFiles = ({
  html,
  output,
  outputDir,
}: Omit<ValidationTargets, "format">): readonly (readonly [option: string, path: string | null])[] => [
  ["--html", html],
  ["--output", output],
  ...(outputDir === null
    ? []
    : [PAGE, TABLES, PICTURE].map((file) => ["--output-dir", inFolder(outputDir, file)] as const)),
];

const causeList = z.array(
  z.strictObject({ axes: z.array(z.string()).min(1), metrics: z.array(z.string()).min(1), cause: z.string().min(1) }),
);

/** The causes that `--causes` names. */
export const readCauses = async (path: string | null, io: Io): Promise<readonly Cause[]> => {
  if (path === null) return [];
  const text = await readInput(path, io);
  try {
    return causeList.parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError(
      `cannot read the causes in "${path}"`,
      'Expected is a JSON list such as [{"axes": ["F64"], "metrics": ["request-p50"], "cause": "…"}].',
      { cause },
    );
  }
};

/** Makes the folders of a page, so that its files can be written. */
export const makeFolders = async (outputDir: string | null): Promise<void> => {
  if (outputDir === null) return;
  await makeDirectory(dirname(inFolder(outputDir, PICTURE)), "Name another with --output-dir.");
};

/** What stands below the line in a page that is there already: it is kept. */
const handWritten = async (path: string): Promise<string> => {
  const text = await readFile(path, "utf8").catch(() => "");
  const from = text.indexOf(HAND_WRITTEN);
  return from < 0 ? "" : text.slice(from + HAND_WRITTEN.length);
};

/** Writes everything that is wanted. */
export const writeValidation = async (
  validation: Validation,
  evidence: { readonly header: ExperimentHeader; readonly records: () => readonly RunRecord[] },
  options: ValidationTargets & { readonly causes: readonly Cause[]; readonly command: string },
  world: ExperimentWorld,
  io: Io,
): Promise<void> => {
  const { command, causes, format, output, outputDir } = options;
  const tables = () => validationMarkdown(validation, { command });
  const text = format === "json" ? `${JSON.stringify(validation, null, 2)}\n` : tables();
  if (output !== null && output !== "-") await world.writeText(output, text);
  else if (output === "-" || outputDir === null) io.stdout.write(text);
  if (outputDir !== null) {
    const { validationPicture } = await import("../../render/validation/validation-picture.js");
    const page = inFolder(outputDir, PAGE);
    const kept = await handWritten(page);
    await world.writeText(inFolder(outputDir, TABLES), tables());
    await world.writeText(inFolder(outputDir, PICTURE), validationPicture(validation));
    await world.writeText(
      page,
      `${validationPage(validation, { command, causes, tables: TABLES, picture: PICTURE })}${kept}`,
    );
  }
  await writeHtml(
    options.html,
    () => ({
      kind: "validation",
      validation,
      // Each cell is a plan of its own: pooled, they could not be compared when the report is fed back.
      subjects: evidence.header.subjects.flatMap(({ name }) =>
        evidence.header.cells.map((cell) => ({
          name: `${name}, ${cell.name}`,
          runs: measuredResults(evidence.records(), name, cell.name),
        })),
      ),
    }),
    { writeText: world.writeText, atOnce: io.atOnce },
  );
};
