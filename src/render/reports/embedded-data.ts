/**
 * The data behind a report, inside the report: a block of JSON that no browser runs and that `report` and `compare`
 * read back. Escaping is JSON's own (`<` as `\u003c`), so that no text in a result can end the block.
 */
import { z } from "zod";
import { ParseError } from "../../errors.js";
import { type RunResult, runResult } from "../../model/run-result.js";
import { schemaFault } from "../../model/schema-fault.js";
import { type Markup, trustedMarkup } from "../html/markup.js";

const OPEN = '<script type="application/json" id="schbench-ts-data">';
const CLOSE = "</script>";

/** The version of the embedded form; rises when a reader of the old one would misread the new one. */
export const REPORT_DATA_VERSION = 1;

/** The runs of one subject, as they stand in a report. */
export interface EmbeddedSubject {
  readonly name: string;
  readonly runs: readonly RunResult[];
}

/** What a report carries along. */
export interface EmbeddedReport {
  readonly format: "schbench-ts/report";
  readonly version: typeof REPORT_DATA_VERSION;
  readonly kind: string;
  readonly subjects: readonly EmbeddedSubject[];
}

/** Any JSON value as a data block; the text holds no `<`, `>`, `&` or line separator outside its own tags. */
export const embedData = (data: unknown): Markup => {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return trustedMarkup(`${OPEN}${json}${CLOSE}`);
};

/** Whether a file's text is an HTML report of ours. */
export const isHtmlReport = (text: string): boolean =>
  text.trimStart().slice(0, 15).toLowerCase() === "<!doctype html>";

/** The value that `embedData` put into a report; undefined when there is none, or it is cut off. */
export const resultsInHtml = (text: string): unknown => {
  const start = text.lastIndexOf(OPEN);
  const end = text.indexOf(CLOSE, start);
  if (start < 0 || end < 0) return undefined;
  try {
    return JSON.parse(text.slice(start + OPEN.length, end));
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

const embeddedReport = z.object({
  format: z.literal("schbench-ts/report"),
  version: z.literal(REPORT_DATA_VERSION),
  subjects: z.array(z.object({ name: z.string(), runs: z.array(runResult) })),
});

/** The subjects and runs in a report, checked against the schema; throws ParseError when the report has none. */
export const subjectsInHtml = (text: string, file: string): readonly EmbeddedSubject[] => {
  const data = resultsInHtml(text);
  const fail = (message: string): never => {
    throw new ParseError(message, file, lineOf(text, Math.max(0, text.lastIndexOf(OPEN))));
  };
  if (!isRecord(data) || data["format"] !== "schbench-ts/report")
    return fail("this HTML file carries no schbench-ts results, or was cut off");
  const { version } = data;
  if (typeof version === "number" && version !== REPORT_DATA_VERSION)
    return fail(`the data of a report of version ${version}: this program reads version ${REPORT_DATA_VERSION}`);
  const parsed = embeddedReport.safeParse(data);
  return parsed.success ? parsed.data.subjects : fail(`damaged data of a report: ${schemaFault(parsed.error, data)}`);
};
