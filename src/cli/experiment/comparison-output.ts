/** What the commands that compare share: their output in each format, their exit code. */
import { EXIT, type ExitCode } from "../../errors.js";
import type { Comparison } from "../../compare/comparison.js";
import type { MetricId } from "../../model/metrics.js";
import { comparisonMarkdown } from "../../render/comparison/comparison-markdown.js";
import { comparisonTable } from "../../render/comparison/comparison-table.js";
import type { Io } from "../io/command.js";
import type { formatOption } from "../options/output-options.js";

/** One comparison, and what it is of where there are several; the empty name: the only one. */
export interface NamedComparison {
  readonly name: string;
  readonly comparison: Comparison;
}

/** Whether text on standard output may be coloured. */
const wantsColour = (io: Io): boolean => io.stdout.isTerminal && (io.env["NO_COLOR"] ?? "") === "";

const render = ({ name, comparison }: NamedComparison, format: "text" | "markdown", io: Io): string => {
  const title = name === "" ? "" : format === "markdown" ? `### ${name}\n\n` : `${name}\n`;
  if (format === "markdown") return title + comparisonMarkdown(comparison);
  return title + comparisonTable(comparison, { colour: wantsColour(io), columns: io.stdout.columns });
};

/** Prints comparisons: text, Markdown, or JSON (one object, or an array where they have names). */
export const printComparisons = (
  comparisons: readonly NamedComparison[],
  format: (typeof formatOption.choices)[number],
  io: Io,
): void => {
  if (format !== "json") {
    io.stdout.write(comparisons.map((named) => render(named, format, io)).join("\n"));
    return;
  }
  const [only] = comparisons;
  const value =
    comparisons.length === 1 && only?.name === ""
      ? only.comparison
      : comparisons.map(({ name, comparison }) => ({ name, ...comparison }));
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
};

/** Says which of the metrics that were asked for no run has: they are in no table. */
export const noteAbsentMetrics = (
  wanted: readonly MetricId[] | undefined,
  shown: readonly { readonly id: string }[],
  io: Io,
): void => {
  const absent = (wanted ?? []).filter((id) => shown.every((metric) => metric.id !== id));
  if (absent.length > 0) io.stderr.write(`schbench-ts: no run has the metric ${absent.join(", ")}\n`);
};

/** 0; with `--check` 2 when some comparison shows a difference, else 3 when some is undecided. */
export const comparisonExit = (comparisons: readonly NamedComparison[], check: boolean): ExitCode => {
  const outcomes = comparisons.map(({ comparison }) => comparison.outcome);
  if (!check) return EXIT.ok;
  if (outcomes.includes("different")) return EXIT.different;
  return outcomes.includes("undecided") ? EXIT.undecided : EXIT.ok;
};
