/**
 * The data behind a report, inside the report: a block of JSON that no browser runs and that `report` and `compare`
 * read back. Escaping is JSON's own (`<` as `\u003c`), so that no text in a result can end the block.
 */
import { z } from "zod";
import { ParseError } from "../../errors.js";
import type { MergedLatencies } from "../../model/metrics/merged-latencies.js";
import { distribution, type RunResult, runResult } from "../../model/result/run-result.js";
import { schemaFault } from "../../model/schema-fault.js";
import { type Markup, trustedMarkup } from "../html/markup.js";
import { unpackRuns } from "./packed-runs.js";

const OPEN = '<script type="application/json" id="schbench-ts-data">';
const CLOSE = "</script>";

/** The version of the embedded form; rises when a reader of the old one would misread the new one. */
export const REPORT_DATA_VERSION = 1;

/** The version of the form in which runs are packed. */
export const PACKED_VERSION = 2;

/** Whose runs, and under which setting where there are several: `name` says both at once. */
export interface EmbeddedName {
  readonly name: string;
  readonly subject?: string | undefined;
  readonly cell?: string | undefined;
}

/** The runs of one subject, as they stand in a report. */
export interface EmbeddedSubject extends EmbeddedName {
  readonly runs: readonly RunResult[];
}

/** The same where they are many. */
export interface PackedSubject extends EmbeddedName {
  readonly count: number;
  readonly packedRuns: string;
  readonly merged: MergedLatencies;
}

/** What a report carries along. */
export type EmbeddedReport = { readonly format: "schbench-ts/report"; readonly kind: string } & (
  | { readonly version: typeof REPORT_DATA_VERSION; readonly subjects: readonly EmbeddedSubject[] }
  | { readonly version: typeof PACKED_VERSION; readonly subjects: readonly PackedSubject[] }
);

/** A subject that was read back. */
export interface ReadBackSubject extends EmbeddedSubject {
  /** Left out: the runs have histograms of their own. */
  readonly merged?: MergedLatencies;
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

const name = { name: z.string(), subject: z.string().optional(), cell: z.string().optional() };

const embeddedReport = z.object({
  format: z.literal("schbench-ts/report"),
  version: z.literal(REPORT_DATA_VERSION),
  subjects: z.array(z.object({ ...name, runs: z.array(runResult) })),
});

const packedReport = z.object({
  format: z.literal("schbench-ts/report"),
  version: z.literal(PACKED_VERSION),
  subjects: z.array(
    z.object({
      ...name,
      count: z.number().int().nonnegative(),
      packedRuns: z.string(),
      merged: z.object({
        wakeup: distribution.nullable(),
        request: distribution.nullable(),
        response: distribution.nullable(),
      }),
    }),
  ),
});

/** What is wrong with the data. */
class DataFault extends Error {}

const parsedBy = <S extends z.ZodType>(schema: S, data: unknown): z.infer<S> => {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new DataFault(`damaged data of a report: ${schemaFault(parsed.error, data)}`);
};

const unpacked = (packed: string): unknown => {
  try {
    return unpackRuns(packed);
  } catch {
    throw new DataFault("damaged data of a report: its runs cannot be unpacked");
  }
};

const subjectsOf = (data: unknown): readonly ReadBackSubject[] => {
  if (!isRecord(data) || data["format"] !== "schbench-ts/report")
    throw new DataFault("this HTML file carries no schbench-ts results, or was cut off");
  const { version } = data;
  if (version === PACKED_VERSION)
    return parsedBy(packedReport, data).subjects.map(({ count, packedRuns, ...subject }) => {
      const runs = parsedBy(z.array(runResult), unpacked(packedRuns));
      if (runs.length !== count)
        throw new DataFault(`damaged data of a report: "${subject.name}" has ${runs.length} of ${count} runs`);
      return { ...subject, runs };
    });
  if (typeof version === "number" && version !== REPORT_DATA_VERSION)
    throw new DataFault(
      `the data of a report of version ${version}: this program reads versions ${REPORT_DATA_VERSION} and ${PACKED_VERSION}`,
    );
  return parsedBy(embeddedReport, data).subjects;
};

/** The subjects and runs in a report, checked against the schema; throws ParseError when the report has none. */
export const subjectsInHtml = (text: string, file: string): readonly ReadBackSubject[] => {
  try {
    return subjectsOf(resultsInHtml(text));
  } catch (thrown) {
    if (!(thrown instanceof DataFault)) throw thrown;
    throw new ParseError(thrown.message, file, lineOf(text, Math.max(0, text.lastIndexOf(OPEN))));
  }
};
