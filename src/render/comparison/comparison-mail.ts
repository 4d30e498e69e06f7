/** A comparison under one setting for a mail of 80 columns, a row per metric, and as CSV. */
import { at } from "../../at.js";
import pc from "picocolors";
import type { BlockSubject, Comparison, SubjectMetric } from "../../compare/comparison.js";
import type { GridComparison } from "../../compare/grid-comparison.js";
import { alignedRows, type Cell, tableWidth } from "../table.js";
import { blockSentences } from "./block-words.js";
import { contrastLines, headlines } from "./comparison-headline.js";
import { blockRows } from "./comparison-table.js";
import { changeText, intervalWords, percentText, valueText } from "./comparison-text.js";
import { gridCsv } from "./grid-csv.js";
import { changeFigure, type GridFigure, scatterFigure, variation, verdictFigure } from "./grid-figures.js";
import type { GridOrigin } from "./grid-origin.js";
import { MAIL_COLUMNS } from "./grid-text.js";
import { wrapped } from "./wrap.js";

const right = (text: string): Cell => ({ text, align: "right" });

const figureOf = (metric: Comparison["metrics"][number], subject: number): GridFigure => ({
  value: at(metric.subjects, subject).median?.value ?? null,
  cv: variation(at(metric.subjects, subject)),
  change: subject === 0 ? null : at(metric.pairs, subject - 1),
});

const tableOf = (comparison: Comparison, names: readonly string[], candidate: number): Cell[][] => [
  ["", at(names, 0), "[cv]", at(names, candidate), "(change)", "[cv]", ""].map(right),
  ...comparison.metrics.map((metric) => {
    const [base, other] = [figureOf(metric, 0), figureOf(metric, candidate)];
    const value = (figure: GridFigure) => right(figure.value === null ? "-" : valueText(figure.value, metric.unit));
    return [
      { text: metric.primary ? `${metric.label} *` : metric.label },
      value(base),
      right(scatterFigure(base)),
      value(other),
      right(`(${changeFigure(other)})`),
      right(scatterFigure(other)),
      { text: verdictFigure(other) },
    ];
  }),
];

/** The primary metric's change with its interval. */
const primaryLines = ({ metrics, confidence }: Comparison): readonly string[] =>
  metrics
    .filter(({ primary }) => primary)
    .flatMap(({ label, pairs }) =>
      pairs.flatMap(({ candidate, ratio }) =>
        ratio === null || ratio.interval === null
          ? []
          : [
              `${label} of ${candidate}: ${changeText(ratio.value)}, ${percentText(confidence)} interval ${intervalWords(ratio.interval)}.`,
            ],
      ),
    );

const wrap = (text: string, indent = ""): readonly string[] => wrapped(text, MAIL_COLUMNS, indent);

/** A candidate's blocks, a row each, and a blank line; empty where there are none. */
const blocksOf = (comparison: Comparison, names: readonly string[], candidate: number): readonly string[] => {
  const named = {
    ...comparison,
    subjects: comparison.subjects.map((one, index) => ({ ...one, name: at(names, index) })),
  };
  const rows = blockRows(named, candidate, pc.createColors(false), MAIL_COLUMNS);
  return rows.length === 0 ? [] : [...alignedRows(rows), ""];
};

/** The comparison for a mail, ending in a newline; long names are replaced by letters with a key. */
export const comparisonMail = (comparison: Comparison, origin: GridOrigin): string => {
  const real = comparison.subjects.map(({ name }) => name);
  const candidates = comparison.subjects.slice(1).map((_, index) => index + 1);
  const fits = candidates.every((candidate) => tableWidth(tableOf(comparison, real, candidate)) <= MAIL_COLUMNS);
  const letters = comparison.subjects.map((_, index) => String.fromCodePoint(65 + index));
  const names = fits ? real : letters;
  const lines = [
    ...wrap(`kernels: ${origin.kernels}`, "    "),
    ...wrap(`machine: ${origin.machine}`, "    "),
    ...wrap(`command: ${origin.command}`, "    "),
    "",
    ...[...headlines(comparison), ...blockSentences(comparison), ...contrastLines(comparison)].flatMap((line) =>
      wrap(line),
    ),
    "",
    ...(fits ? [] : [...real.flatMap((name, index) => wrap(`${at(letters, index)} = ${name}`, "    ")), ""]),
    ...candidates.flatMap((candidate) => [
      ...alignedRows(tableOf(comparison, names, candidate)),
      "",
      ...blocksOf(comparison, names, candidate),
    ]),
    ...primaryLines(comparison).flatMap((line) => wrap(line)),
    ...wrap(
      `${comparison.blocks?.by ? `Changes are computed within each ${comparison.blocks.by}, then combined. ` : ""}Medians over ${[...new Set(comparison.subjects.map(({ runs }) => runs))].join(" and ")} runs; [cv]: standard deviation over mean of the runs; (~): no difference shown that matters; (?): too few runs to show one; * the primary metric. A false alarm anywhere in the table in at most ${percentText(1 - comparison.confidence)} of experiments (seed ${comparison.seed}).`,
    ),
    ...comparison.warnings.flatMap(({ message, cure }) => [
      ...wrap(`warning: ${message}`, "    "),
      ...(cure === null ? [] : wrap(`    ${cure}`, "    ")),
    ]),
  ];
  return `${lines.join("\n")}\n`;
};

/** What is not said of a subject in a block. */
const inBlock = ({ subject, median }: BlockSubject): SubjectMetric => ({
  subject,
  values: [],
  median,
  merged: null,
  shown: null,
});

/** A comparison as a grid of one setting; of runs in blocks, of all of them together and of each block. */
const asGrid = (comparison: Comparison): GridComparison => {
  const by = comparison.blocks?.by ?? null;
  const whole = {
    name: ALL_BLOCKS,
    values: by === null ? [] : [ALL_BLOCKS],
    subjects: comparison.subjects.map(({ runs, leftOut }) => ({ runs, leftOut })),
  };
  const blocks = (comparison.blocks?.rows ?? []).map(({ name, runs }) => ({
    name,
    values: [name],
    subjects: runs.map((count) => ({ runs: count, leftOut: 0 })),
  }));
  return {
    ...comparison,
    format: "schbench-ts/grid",
    version: 1,
    varied: by === null ? [] : [by],
    subjects: comparison.subjects.map(({ name }) => name),
    cells: [whole, ...blocks],
    metrics: comparison.metrics.map((metric) => ({
      ...metric,
      rows: [
        { cell: 0, subjects: metric.subjects, pairs: metric.pairs },
        ...(metric.blocks ?? []).map(({ subjects, pairs }, block) => ({
          cell: block + 1,
          subjects: subjects.map(inBlock),
          pairs,
        })),
      ],
      overall: [],
    })),
  };
};

/** In CSV: all blocks together. */
const ALL_BLOCKS = "all";

/** The comparison as CSV, see `gridCsv`; without blocks there is no column before the metric's. */
export const comparisonCsv = (comparison: Comparison): string => gridCsv(asGrid(comparison));
