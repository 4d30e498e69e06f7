/** A comparison as Markdown for a mail or a pull request: aligned, so that it also reads well where nobody renders it. */
import { at } from "../../at.js";
import type { Comparison, MetricComparison, PairMetric } from "../../compare/comparison.js";
import { blockedPrimary, blockLines } from "./block-table.js";
import { blockSentences } from "./block-words.js";
import { contrastLines, headlines } from "./comparison-headline.js";
import { intervalText, legend, noteText, pairChangeText, pText, subjectText, verdictText } from "./comparison-text.js";
import { columnWidths, padded } from "../table.js";

/** Text that Markdown shows as it stands, also inside a table. */
export const escapedMarkdown = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, " ").replaceAll(/[\\`*_[\]<>|~&]/g, (mark) => `\\${mark}`);

const ALIGN = ["left", "left", "right", "right", "right", "right", "left", "left", "left"] as const;

const rule = (width: number, align: "left" | "right" | undefined): string =>
  align === "right" ? `${"-".repeat(Math.max(2, width - 1))}:` : "-".repeat(Math.max(3, width));

const row = (metric: MetricComparison, pair: PairMetric, candidate: number): readonly string[] => {
  const { verdict, ratio } = pair;
  const strong = (text: string): string => (verdict.kind === "different" ? `**${text}**` : text);
  return [
    `${metric.label}${metric.primary ? " \\*" : ""}`,
    metric.better,
    subjectText(metric, metric.subjects[0]),
    subjectText(metric, metric.subjects[candidate]),
    strong(verdict.kind === "different" ? pairChangeText(metric, pair) : "~"),
    intervalText(ratio),
    strong(verdictText(pair)),
    pText(pair.adjustedP),
    noteText(pair),
  ];
};

/** Lines of a table whose columns are aligned. */
const linesOf = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly ("left" | "right")[],
): readonly string[] => {
  const widths = columnWidths([header, ...rows].map((cells) => cells.map((text) => ({ text }))));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text, column) => padded(text, Math.max(3, at(widths, column)), align[column])).join(" | ")} |`;
  return [
    line(header),
    line(widths.map((width, column) => rule(Math.max(3, width), align[column]))),
    ...rows.map(line),
  ];
};

const BLOCK_ALIGN = ["left", "right", "right", "right", "right", "left", "left", "left"] as const;

/** A candidate's blocks; no line where there are none. */
const blockTable = (comparison: Comparison, candidate: number): readonly string[] => {
  const found = blockedPrimary(comparison);
  if (found === null) return [];
  const name = (index: number): string => escapedMarkdown(comparison.subjects[index]?.name ?? "");
  const rows = blockLines(comparison, candidate).map((line) => {
    const strong = (text: string): string => (line.verdict === "" ? text : `**${text}**`);
    const { base, candidate: other, change, interval, verdict, p, note } = line;
    const shown = verdict === "" ? "~" : verdict;
    return [escapedMarkdown(line.name), base, other, strong(change), interval, strong(shown), p, escapedMarkdown(note)];
  });
  const header = [`${found.metric.label} \\*`, name(0), name(candidate), "change", "interval", "verdict", "p", "note"];
  return linesOf(header, rows, BLOCK_ALIGN);
};

const table = (comparison: Comparison, candidate: number): readonly string[] => {
  const title = (index: number): string => {
    const subject = comparison.subjects[index];
    return subject === undefined
      ? ""
      : `${escapedMarkdown(subject.name)} (${subject.runs} ${subject.runs === 1 ? "run" : "runs"})`;
  };
  const header = ["metric", "better", title(0), title(candidate), "change", "interval", "verdict", "p", "note"];
  const rows = comparison.metrics.flatMap((metric) => {
    const pair = metric.pairs[candidate - 1];
    return pair === undefined ? [] : [row(metric, pair, candidate)];
  });
  return linesOf(header, rows, ALIGN);
};

/** The comparison as Markdown, ending in a newline. */
export const comparisonMarkdown = (comparison: Comparison): string => {
  const blocks = [
    headlines(comparison).map((line) => `**${escapedMarkdown(line)}**`),
    contrastLines(comparison).map(escapedMarkdown),
    blockSentences(comparison).map((line) => `- ${escapedMarkdown(line)}`),
    ...comparison.subjects
      .slice(1)
      .flatMap((_, index) => [table(comparison, index + 1), blockTable(comparison, index + 1)]),
    [legend(comparison).join(" ").replace(/^\*/, "\\*")],
    comparison.warnings.map(
      (warning) => `- warning: ${escapedMarkdown([warning.message, warning.cure ?? ""].join(". ").trim())}`,
    ),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
};
