/** Runs judged, whatever their shape: several subjects under one setting, or under several. And what a command does with that. */
import { at } from "../../at.js";
import { compareSubjects, type CompareOptions } from "../../compare/compare.js";
import type { Comparison } from "../../compare/comparison.js";
import { compareGrid } from "../../compare/grid.js";
import type { GridComparison } from "../../compare/grid-comparison.js";
import { type Gate, type GateOptions, judgeGate } from "../../compare/gate.js";
import { EXIT, type ExitCode, UsageError, UserError } from "../../errors.js";
import { comparisonCsv, comparisonMail } from "../../render/comparison/comparison-mail.js";
import { gateGithub } from "../../render/gate/github.js";
import { gateJunit } from "../../render/gate/junit.js";
import { gateTap } from "../../render/gate/tap.js";
import { oneVisibleLine } from "../io/visible-text.js";
import { comparisonMarkdown } from "../../render/comparison/comparison-markdown.js";
import { comparisonTable } from "../../render/comparison/comparison-table.js";
import { gridCsv } from "../../render/comparison/grid-csv.js";
import { gridMarkdown } from "../../render/comparison/grid-markdown.js";
import { type GridOrigin, originOf } from "../../render/comparison/grid-origin.js";
import { gridText, MAIL_COLUMNS } from "../../render/comparison/grid-text.js";
import { onceInCells } from "../../compare/repeated.js";
import type { ReportSubject } from "../../render/reports/report-input.js";
import type { Io } from "../io/command.js";
import type { comparisonFormatOption } from "../options/output-options.js";

/** The runs of one setting. */
export interface JudgedCell {
  readonly name: string;
  /** One per varied option. */
  readonly values: readonly string[];
  readonly subjects: readonly ReportSubject[];
}

/** What was found out. */
export type Judged =
  | {
      readonly kind: "comparison";
      readonly comparison: Comparison;
      readonly origin: GridOrigin;
      readonly subjects: readonly ReportSubject[];
    }
  | {
      readonly kind: "grid";
      readonly grid: GridComparison;
      readonly origin: GridOrigin;
      readonly cells: readonly JudgedCell[];
    };

/** The runs of each subject over all cells. */
const overCells = (cells: readonly JudgedCell[]) =>
  at(cells, 0).subjects.map(({ name }, index) => ({
    name,
    runs: cells.flatMap(({ subjects }) => at(subjects, index).runs),
  }));

/** The runs that the judgement counts, each once, and where they were made: in a report, figures and runs stand side by side. */
const judgedRuns = (given: readonly JudgedCell[], command: string | null) => {
  const { cells } = onceInCells(given);
  return { cells, subjects: at(cells, 0).subjects, origin: originOf(overCells(cells), command) };
};

/**
 * Judges runs: one setting as a comparison, several as a grid.
 *
 * @param varied names of the varied options
 * @param command the experiment's command line; null: not known
 */
export const judge = (
  varied: readonly string[],
  cells: readonly JudgedCell[],
  command: string | null,
  settings: CompareOptions,
): Judged => {
  const [only] = cells;
  if (cells.length === 1 && only !== undefined) {
    const comparison = compareSubjects(only.subjects, settings);
    return { kind: "comparison", comparison, ...judgedRuns(cells, command) };
  }
  const grid = compareGrid(varied, cells, settings);
  return { kind: "grid", grid, ...judgedRuns(cells, command) };
};

type Format = (typeof comparisonFormatOption.choices)[number];

/** Whether text on standard output may be coloured. */
const wantsColour = (io: Io): boolean => io.stdout.isTerminal && (io.env["NO_COLOR"] ?? "") === "";

const outcomeOf = (judged: Judged): Comparison | GridComparison =>
  judged.kind === "grid" ? judged.grid : judged.comparison;

/** A gate's format shows a gate also where the exit code is not asked for. */
const gateOf = (judged: Judged, gate: GateOptions | null): Gate =>
  judgeGate(outcomeOf(judged), gate ?? { failOn: "worse", margin: null, metrics: null });

const textOf = (judged: Judged, io: Io): string => {
  const how = { colour: wantsColour(io), columns: io.stdout.columns };
  return judged.kind === "grid"
    ? gridText(judged.grid, judged.origin, { ...how, columns: how.columns ?? MAIL_COLUMNS })
    : comparisonTable(judged.comparison, how);
};

const mailOf = (judged: Judged): string =>
  judged.kind === "grid"
    ? gridText(judged.grid, judged.origin, { colour: false, columns: MAIL_COLUMNS })
    : comparisonMail(judged.comparison, judged.origin);

const markdownOf = (judged: Judged): string =>
  judged.kind === "grid" ? gridMarkdown(judged.grid, judged.origin) : comparisonMarkdown(judged.comparison);

/** The findings as data, with the gate's decision where there is one. */
export const findingsOf = (judged: Judged, gate: GateOptions | null): object => ({
  ...outcomeOf(judged),
  ...(gate === null ? {} : { gate: gateOf(judged, gate) }),
});

/** The findings in each format. */
const FORMATS: Readonly<Record<Format, (judged: Judged, gate: GateOptions | null, io: Io) => string>> = {
  text: (judged, _gate, io) => textOf(judged, io),
  mail: mailOf,
  markdown: markdownOf,
  csv: (judged) => (judged.kind === "grid" ? gridCsv(judged.grid) : comparisonCsv(judged.comparison)),
  json: (judged, gate) => `${JSON.stringify(findingsOf(judged, gate), null, 2)}\n`,
  junit: (judged, gate) => gateJunit(gateOf(judged, gate)),
  tap: (judged, gate) => gateTap(gateOf(judged, gate)),
  github: (judged, gate) => gateGithub(gateOf(judged, gate)),
};

/** Prints the findings. */
export const printJudged = (judged: Judged, format: Format, gate: GateOptions | null, io: Io): void =>
  io.stdout.write(FORMATS[format](judged, gate, io));

/** The summary of a GitHub job, appended where the service says; null: there is none to write. */
export const jobSummary = (
  judged: Judged,
  format: Format,
  io: Io,
): { readonly file: string; readonly text: string } | null => {
  const file = io.env["GITHUB_STEP_SUMMARY"];
  return format === "github" && file !== undefined && file !== "" ? { file, text: markdownOf(judged) } : null;
};

/** The metrics that were judged. */
export const judgedMetrics = (judged: Judged): readonly { readonly id: string }[] => outcomeOf(judged).metrics;

/** 0 where there is no gate. */
export const judgedExit = (judged: Judged, gate: GateOptions | null, bisect: boolean): ExitCode => {
  if (gate === null) return EXIT.ok;
  const { outcome } = gateOf(judged, gate);
  if (outcome === "pass") return EXIT.ok;
  if (bisect) return outcome === "fail" ? EXIT.failure : EXIT.skipped;
  return outcome === "fail" ? EXIT.different : EXIT.undecided;
};

/** Under `git bisect run`, what could not be measured is skipped, not bad. */
export const skippingFaults = async (bisect: boolean, io: Io, body: () => Promise<ExitCode>): Promise<ExitCode> => {
  if (!bisect) return body();
  try {
    return await body();
  } catch (thrown) {
    if (!(thrown instanceof UserError) || thrown instanceof UsageError) throw thrown;
    io.stderr.write(`schbench-ts: not measured: ${oneVisibleLine(thrown.message)}\n`);
    return EXIT.skipped;
  }
};
