/** A grid as CSV: one row per metric, setting and subject, in full precision. */
import { at } from "../../at.js";
import type { GridComparison, GridMetric, OverallPair } from "../../compare/grid-comparison.js";
import type { PairMetric, Verdict } from "../../compare/comparison.js";
import { figuresOf, OVERALL } from "./grid-figures.js";

/** Columns after those of the varied options. */
const COLUMNS = [
  "metric",
  "unit",
  "better",
  "subject",
  "runs",
  "median",
  "cv",
  "ratio",
  "low",
  "high",
  "p",
  "adjusted_p",
  "verdict",
] as const;

type Field = string | number | null | undefined;

const written = (value: Field): string => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const verdictWord = (verdict: Verdict): string => (verdict.kind === "different" ? verdict.direction : verdict.kind);

const pairFields = (pair: PairMetric | OverallPair | null): readonly Field[] =>
  pair === null
    ? ["", "", "", "", "", ""]
    : [
        pair.ratio?.value,
        pair.ratio?.interval?.low,
        pair.ratio?.interval?.high,
        pair.p,
        pair.adjustedP,
        verdictWord(pair.verdict),
      ];

const metricLines = (grid: GridComparison, metric: GridMetric): readonly (readonly Field[])[] => {
  const named = (subject: number): readonly Field[] => [
    metric.id,
    metric.unit,
    metric.better,
    at(grid.subjects, subject),
  ];
  return figuresOf(grid, metric).flatMap(({ values, figures }, cell) =>
    values === null
      ? metric.overall.map((pair, index) => [
          OVERALL,
          ...grid.varied.slice(1).map(() => ""),
          ...named(index + 1),
          "",
          "",
          "",
          ...pairFields(pair),
        ])
      : figures.map((figure, subject) => [
          ...values,
          ...named(subject),
          at(at(grid.cells, cell).subjects, subject).runs,
          figure.value,
          figure.cv,
          ...pairFields(subject === 0 ? null : at(at(metric.rows, cell).pairs, subject - 1)),
        ]),
  );
};

/** The grid as CSV (RFC 4180, lines end in LF); rows over all settings have `geomean` in the first column. */
export const gridCsv = (grid: GridComparison): string =>
  [[...grid.varied, ...COLUMNS], ...grid.metrics.flatMap((metric) => metricLines(grid, metric))]
    .map((fields) => `${fields.map(written).join(",")}\n`)
    .join("");
