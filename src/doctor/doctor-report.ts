/** How findings are shown: aligned text with a symbol and a word for each status, or JSON. */
import { createColors } from "picocolors";
import type { HostFacts } from "../model/result/run-result.js";
import { isFit } from "./diagnose.js";
import type { Finding, Status } from "./finding.js";

/** Where the text goes. */
export interface TextStyle {
  readonly colour: boolean;
  readonly columns: number;
}

const SYMBOLS = { ok: "✓", note: "!", bad: "✗" } as const satisfies Record<Status, string>;

const STATUS_WIDTH = 4;

/** Less than this in a line is hard to read beside a title. */
const LEAST_TEXT_COLUMNS = 30;

/** Breaks a text at spaces; a word that is longer than a line gets one of its own. */
const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

const countOf = (findings: readonly Finding[], status: Status): number =>
  findings.filter((finding) => finding.status === status).length;

const summary = (findings: readonly Finding[]): string => {
  const notes = countOf(findings, "note");
  const counts = `${countOf(findings, "bad")} bad, ${notes} ${notes === 1 ? "note" : "notes"}, ${countOf(findings, "ok")} ok`;
  return isFit(findings)
    ? `${SYMBOLS.ok} This machine is fit for measuring (${counts}).`
    : `${SYMBOLS.bad} This machine is not fit for measuring (${counts}): fix what is bad first.`;
};

/** Pure: the findings as text, the worst first as given. Colour only repeats what symbol and word say. */
export const doctorText = (host: HostFacts, findings: readonly Finding[], style: TextStyle): string => {
  const colours = createColors(style.colour);
  const paint = { ok: colours.green, note: colours.yellow, bad: colours.red } as const satisfies Record<
    Status,
    unknown
  >;
  const titleWidth = Math.max(0, ...findings.map(({ title }) => title.length));
  const beside = 2 + STATUS_WIDTH + 2 + titleWidth + 2;
  // On a narrow terminal the text goes below its title.
  const isNarrow = style.columns - beside < LEAST_TEXT_COLUMNS;
  const indent = " ".repeat(isNarrow ? 2 : beside);
  const width = Math.max(1, style.columns - indent.length);

  const block = (label: string, text: string | null): readonly string[] =>
    text === null
      ? []
      : wrap(text, width - 8).map((line, at) => `${indent}${(at === 0 ? label : "").padEnd(8)}${line}`);

  const lines = findings.flatMap(({ status, title, what, cost, remedy }) => {
    const [first = "", ...more] = wrap(what, width);
    const head = paint[status](`${SYMBOLS[status]} ${status.padEnd(STATUS_WIDTH)}`);
    return [
      ...(isNarrow ? [`${head}  ${title}`, `${indent}${first}`] : [`${head}  ${title.padEnd(titleWidth)}  ${first}`]),
      ...more.map((line) => `${indent}${line}`),
      ...block("costs", cost),
      ...block("fix", remedy),
    ].map((line) => line.trimEnd());
  });
  const heading = `${host.hostname}: ${host.cpuModel ?? "unknown CPU"}, ${host.cpusOnline} CPUs, Linux ${host.kernel}`;
  return [heading, "", ...lines, "", summary(findings), ""].join("\n");
};

/** The version of the doctor's JSON; rises when a reader of the old one would misread the new one. */
const DOCTOR_FORMAT_VERSION = 1;

/** Pure: the findings as JSON with the host's facts. */
export const doctorJson = (host: HostFacts, findings: readonly Finding[]): string =>
  `${JSON.stringify(
    { format: "schbench-ts/doctor", version: DOCTOR_FORMAT_VERSION, fit: isFit(findings), findings, host },
    null,
    2,
  )}\n`;
