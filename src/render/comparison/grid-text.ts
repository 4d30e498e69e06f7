/**
 * A grid as text: for a terminal, and for a mail of at most 80 columns. One table per metric with a row per setting, each value with
 * its change and its coefficient of variation in brackets, as posts to the kernel's lists show them.
 */
import pc from "picocolors";
import { at } from "../../at.js";
import type { Verdict } from "../../compare/comparison.js";
import type { GridComparison, GridMetric } from "../../compare/grid-comparison.js";
import { alignedRows, type Cell, displayWidth, tableWidth } from "../table.js";
import {
  changeFigure,
  changeWords,
  figuresOf,
  type GridFigure,
  type GridFigures,
  metricTitle,
  OVERALL,
  scatterFigure,
  valueFigure,
  verdictFigure,
} from "./grid-figures.js";
import { intervalText } from "./comparison-text.js";
import { contrastLines } from "./comparison-headline.js";
import { gridHeadlines } from "./grid-headline.js";
import type { GridOrigin } from "./grid-origin.js";
import { gridLegend } from "./grid-legend.js";
import { wrapped } from "./wrap.js";

/** Columns of a mail that nobody's client folds. */
export const MAIL_COLUMNS = 80;

/** Where the text goes. */
export interface GridTextOptions {
  readonly colour: boolean;
  /** Columns to keep within. */
  readonly columns: number;
}

type Colours = ReturnType<typeof pc.createColors>;

const right = (text: string): Cell => ({ text, align: "right" });

const paintOf = (colours: Colours, verdict: Verdict | undefined): ((text: string) => string) => {
  if (verdict?.kind !== "different") return colours.dim;
  return { better: colours.green, worse: colours.red, changed: colours.yellow }[verdict.direction];
};

/** The cells of one subject: value, change in brackets, scatter in brackets, and the verdict in a word. */
const figureCells = (figure: GridFigure, isBase: boolean, colours: Colours): readonly Cell[] => {
  const value = right(figure.value === null && figure.change !== null && figure.cv === null ? "" : valueFigure(figure));
  const scatter = right(scatterFigure(figure));
  if (isBase) return [value, scatter];
  const paint = paintOf(colours, figure.change?.verdict);
  return [value, { ...right(`(${changeFigure(figure)})`), paint }, scatter, { text: verdictFigure(figure), paint }];
};

/** Short names where the real ones would not fit, with a key. */
interface Names {
  readonly subjects: readonly string[];
  readonly settings: readonly (readonly string[])[];
  readonly key: readonly string[];
}

const realNames = (grid: GridComparison): Names => ({
  subjects: grid.subjects,
  settings: grid.cells.map(({ values }) => values),
  key: [],
});

/** Letters for subjects and numbers for settings. */
const shortNames = (grid: GridComparison, columns: number): Names => {
  const letters = grid.subjects.map(
    (_, index) => String.fromCodePoint(65 + (index % 26)) + (index < 26 ? "" : String(Math.floor(index / 26))),
  );
  const longSettings = grid.cells.some(({ values }) => displayWidth(values.join(" ")) > 16);
  return {
    subjects: letters,
    settings: longSettings
      ? grid.cells.map((_, index) => [`#${index + 1}`, ...grid.varied.slice(1).map(() => "")])
      : grid.cells.map(({ values }) => values),
    key: [
      ...grid.subjects.flatMap((name, index) => wrapped(`${at(letters, index)} = ${name}`, columns, "    ")),
      ...(longSettings
        ? grid.cells.flatMap(({ name }, index) => wrapped(`#${index + 1} = ${name}`, columns, "    "))
        : []),
    ],
  };
};

/** The rows of a metric's table for some candidates (indexes of subjects). */
const tableRows = (
  grid: GridComparison,
  rows: readonly GridFigures[],
  names: Names,
  subjects: readonly number[],
  colours: Colours,
): Cell[][] => {
  const varied = names.key.some((line) => line.startsWith("#"))
    ? ["", ...grid.varied.slice(1).map(() => "")]
    : grid.varied;
  const title = (subject: number): readonly Cell[] => {
    const name: Cell = { ...right(at(names.subjects, subject)), paint: colours.bold };
    return subject === 0 ? [name, right("[cv]")] : [name, right("(change)"), right("[cv]"), { text: "" }];
  };
  return [
    [...varied.map((name) => right(name)), ...subjects.flatMap(title)],
    ...rows.map(({ figures }, row) => [
      ...at(names.settings, row).map((text) => right(text)),
      ...subjects.flatMap((subject) => figureCells(at(figures, subject), subject === 0, colours)),
    ]),
  ];
};

/** The last line of a table, one per candidate: the mean change over all settings with its interval and verdict. */
const overallLines = (metric: GridMetric, names: Names, colours: Colours): readonly string[] =>
  metric.overall.map(({ ratio, verdict }, index) => {
    const whose = metric.overall.length > 1 ? ` ${at(names.subjects, index + 1)}` : "";
    const interval = ratio === null ? "" : ` ${intervalText(ratio)}`;
    const shown = verdict.kind === "different" ? verdict.direction : "~";
    const text = `${OVERALL}${whose}: ${changeWords(ratio)}${interval}  ${shown}`;
    return paintOf(colours, verdict)(text);
  });

const metricBlocks = (grid: GridComparison, metric: GridMetric, names: Names, columns: number, colours: Colours) => {
  const rows = figuresOf(grid, metric).filter(({ values }) => values !== null);
  const all = tableRows(
    grid,
    rows,
    names,
    grid.subjects.map((_, index) => index),
    colours,
  );
  // Where all candidates do not fit beside each other, each gets a table of its own beside the base.
  const tables =
    tableWidth(all) <= columns
      ? [all]
      : grid.subjects.slice(1).map((_, index) => tableRows(grid, rows, names, [0, index + 1], colours));
  return {
    fits: tables.every((table) => tableWidth(table) <= columns),
    lines: [
      colours.bold(metricTitle(metric)),
      ...tables.flatMap((table) => alignedRows(table)),
      ...overallLines(metric, names, colours),
      "",
    ],
  };
};

/** The grid as text, ending in a newline: origin, answer, a table per metric, the legend, each doubt once. */
export const gridText = (grid: GridComparison, origin: GridOrigin, options: GridTextOptions): string => {
  const { columns } = options;
  const colours = pc.createColors(options.colour);
  const real = grid.metrics.map((metric) => metricBlocks(grid, metric, realNames(grid), columns, colours));
  const names = real.every(({ fits }) => fits) ? realNames(grid) : shortNames(grid, columns);
  const blocks =
    names.key.length === 0 ? real : grid.metrics.map((metric) => metricBlocks(grid, metric, names, columns, colours));
  const wrap = (text: string, indent = "") => wrapped(text, columns, indent);
  const lines = [
    ...wrap(`kernels: ${origin.kernels}`, "    "),
    ...wrap(`machine: ${origin.machine}`, "    "),
    ...wrap(`command: ${origin.command}`, "    "),
    "",
    ...[...gridHeadlines(grid), ...contrastLines(grid)].flatMap((line) => wrap(line)),
    "",
    ...names.key,
    ...(names.key.length === 0 ? [] : [""]),
    ...blocks.flatMap((block) => block.lines),
    ...gridLegend(grid).flatMap((line) => wrap(line).map(colours.dim)),
    ...grid.warnings.flatMap(({ message, cure }) => [
      ...wrap(`warning: ${message}`, "    ").map(colours.yellow),
      ...(cure === null ? [] : wrap(`    ${cure}`, "    ")),
    ]),
  ];
  return `${lines.join("\n")}\n`;
};
