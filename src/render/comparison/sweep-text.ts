/** A sweep as tables, one per metric, and the sentences about its knees; for a terminal and as Markdown. */
import { at } from "../../at.js";
import type { Sweep, SweptKnee, SweptMetric, SweptValue } from "../../compare/sweep.js";
import { escapedMarkdown } from "./comparison-markdown.js";
import { betterWords, valueText } from "./comparison-text.js";
import { alignedRows } from "../table.js";

const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

/** `t=8 F=64`, for some of the varied options. */
const setting = (names: readonly string[], values: readonly string[]): string =>
  names.map((name, index) => `${name}=${at(values, index)}`).join(" ");

const cellText = (metric: SweptMetric, value: SweptValue | undefined): string => {
  if (value === undefined || value.median === null || value.min === null || value.max === null) return "-";
  const middle = valueText(value.median, metric.unit);
  if (value.runs < 2) return middle;
  return `${middle} [${valueText(value.min, metric.unit)}–${valueText(value.max, metric.unit)}]`;
};

const usec = (value: number): string => valueText(Math.round(value), "usec");

const markdownRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** What is said about one knee. */
const kneeText = (sweep: Sweep, metric: SweptMetric, { subject, held, knee }: SweptKnee): string => {
  const [name = ""] = sweep.varied;
  const where = [
    ...(sweep.subjects.length > 1 ? [subject] : []),
    ...(held.length > 0 ? [setting(sweep.varied.slice(1), held)] : []),
  ].join(", ");
  const start = `${metric.label}${where === "" ? "" : ` (${where})`}`;
  if (knee.kind === "knee") {
    const back = knee.backAt.map((x) => `${name}=${x}`);
    return `${start}: knee between ${name}=${knee.lastFlat} and ${name}=${knee.firstBeyond}; flat at ${usec(knee.flatUsec)} until there, above ${usec(knee.limitUsec)} beyond${back.length === 0 ? "" : `, but not at ${back.join(", ")}`}.`;
  }
  if (knee.kind === "flat") return `${start}: no knee; flat at ${usec(knee.flatUsec)} over all values of ${name}.`;
  if (knee.kind === "rising")
    return `${start}: rises from the first value of ${name} on (${usec(knee.firstUsec)}); a flat part, if any, lies below it.`;
  return `${start}: ${knee.points} ${knee.points === 1 ? "value" : "values"} of ${name} are too few for a knee, at least 3 are needed.`;
};

/** Every sentence about knees. */
export const kneeLines = (sweep: Sweep): readonly string[] =>
  sweep.metrics.flatMap((metric) => metric.knees.map((knee) => kneeText(sweep, metric, knee)));

/** Rows of text: the first varied option down, the others and the subjects across. */
const tableRows = (sweep: Sweep, metric: SweptMetric): readonly (readonly string[])[] => {
  const [name = "", ...others] = sweep.varied;
  const rows = distinct(metric.points.map((point) => at(point.values, 0)));
  const columns = distinct(metric.points.map((point) => JSON.stringify([point.subject, ...point.values.slice(1)])));
  const find = (row: string, column: string) =>
    metric.points.find(
      (point) => point.values[0] === row && JSON.stringify([point.subject, ...point.values.slice(1)]) === column,
    );
  const title = (column: string): string => {
    const point = metric.points.find(
      (candidate) => JSON.stringify([candidate.subject, ...candidate.values.slice(1)]) === column,
    );
    const held = setting(others, point?.values.slice(1) ?? []);
    const subject = point?.subject ?? "";
    if (held === "") return subject;
    return sweep.subjects.length > 1 ? `${subject} ${held}` : held;
  };
  return [
    [name, ...columns.map(title)],
    ...rows.map((row) => [row, ...columns.map((column) => cellText(metric, find(row, column)))]),
  ];
};

const heading = (metric: SweptMetric): string => `${metric.label} (${betterWords(metric.better)})`;

/** The sweep as text, ending in a newline: knees first, then a table per metric. */
export const sweepText = (sweep: Sweep): string => {
  const tables = sweep.metrics.map((metric) =>
    [
      heading(metric),
      ...alignedRows(tableRows(sweep, metric).map((row) => row.map((text) => ({ text, align: "right" as const })))),
    ].join("\n"),
  );
  const knees = kneeLines(sweep).join("\n");
  return `${[...(knees === "" ? [] : [knees]), ...tables, "Medians over runs [lowest–highest]."].join("\n\n")}\n`;
};

/** The sweep as Markdown, ending in a newline. */
export const sweepMarkdown = (sweep: Sweep): string => {
  const table = (metric: SweptMetric): string => {
    const [header = [], ...rows] = tableRows(sweep, metric).map((row) => row.map(escapedMarkdown));
    return [
      `### ${heading(metric)}`,
      "",
      markdownRow(header),
      markdownRow(header.map(() => "---:")),
      ...rows.map(markdownRow),
    ].join("\n");
  };
  const knees = kneeLines(sweep).map((text) => `- ${escapedMarkdown(text)}`);
  return `${[...(knees.length === 0 ? [] : [knees.join("\n")]), ...sweep.metrics.map(table), "Medians over runs [lowest–highest]."].join("\n\n")}\n`;
};
