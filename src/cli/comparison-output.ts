/** What the commands that compare share: their options, their output in each format, their exit code. */
import { EXIT, type ExitCode, UsageError } from "../errors.js";
import { type CompareOptions } from "../experiment/compare.js";
import type { Comparison } from "../experiment/comparison.js";
import { isMetricId, METRICS } from "../experiment/metrics.js";
import { nearestName } from "../options/suggest.js";
import type { OptionTable, OptionValues } from "../options/option-table.js";
import { comparisonMarkdown } from "../render/comparison-markdown.js";
import { comparisonTable } from "../render/comparison-table.js";
import type { Io } from "./command.js";

/** How to judge, and how to show it. */
export const judgeOptions = [
  {
    id: "primary",
    kind: "text",
    long: ["primary"],
    group: "Judgement",
    meaning: "the metric that decides, named before the runs are seen",
    valueName: "METRIC",
    defaultText: "request-p99; in pipe mode transfer-ops",
  },
  {
    id: "threshold",
    kind: "percent",
    long: ["threshold"],
    group: "Judgement",
    meaning: "differences up to this do not matter, however surely they are there",
    min: 0,
    decimals: true,
    defaultText: "each metric's noise floor",
  },
  {
    id: "check",
    kind: "flag",
    long: ["check"],
    group: "Judgement",
    meaning: "exit 2 when a difference is shown, 3 when undecided",
  },
  {
    id: "format",
    kind: "choice",
    long: ["format"],
    group: "Output",
    meaning: "how the judgement is printed",
    choices: ["text", "markdown", "json"],
    default: "text",
  },
  {
    id: "html",
    kind: "file",
    long: ["html"],
    group: "Output",
    meaning: "write a report with charts, one file that needs no network",
  },
] as const satisfies OptionTable;

type JudgeOptions = OptionValues<typeof judgeOptions>;

/** The judgement's settings. */
export const compareSettings = (options: JudgeOptions, seed: number): CompareOptions => {
  const { primary, threshold } = options;
  if (primary !== null && !isMetricId(primary)) {
    const known = METRICS.map((metric) => metric.id);
    const near = nearestName(primary, known);
    throw new UsageError(
      `unknown metric "${primary}" for --primary: allowed is one of ${known.join(", ")}`,
      near === undefined ? undefined : `Did you mean ${near}?`,
    );
  }
  return {
    seed,
    ...(primary === null ? {} : { primaryMetric: primary }),
    ...(threshold === null ? {} : { noiseThreshold: threshold / 100 }),
  };
};

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
  format: JudgeOptions["format"],
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

/** 0; with `--check` 2 when some comparison shows a difference, else 3 when some is undecided. */
export const comparisonExit = (comparisons: readonly NamedComparison[], check: boolean): ExitCode => {
  const outcomes = comparisons.map(({ comparison }) => comparison.outcome);
  if (!check) return EXIT.ok;
  if (outcomes.includes("different")) return EXIT.different;
  return outcomes.includes("undecided") ? EXIT.undecided : EXIT.ok;
};
