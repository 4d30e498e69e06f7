/** The words and figures of a grid, the same in every format: values, scatter, changes, the setting of a row. */
import { at } from "../../at.js";
import type { RatioEstimate, SubjectMetric, Verdict } from "../../compare/comparison.js";
import type { GridComparison, GridMetric } from "../../compare/grid-comparison.js";
import { mean, standardDeviation } from "../../stats/sample.js";
import { betterWords, changeText, plainNumber } from "./comparison-text.js";

/** What a table shows of a subject under one setting. */
export interface GridFigure {
  /** Median over runs in the metric's unit; null where no run has it. */
  readonly value: number | null;
  /** Coefficient of variation over runs, a share; null for fewer than two runs or a mean of 0. */
  readonly cv: number | null;
  /** Against the base; null for the base itself. */
  readonly change: { readonly ratio: RatioEstimate | null; readonly verdict: Verdict } | null;
}

/** A row of a metric's table. */
export interface GridFigures {
  /** One per varied option; null: the row over all settings. */
  readonly values: readonly string[] | null;
  /** In the order of the subjects. */
  readonly figures: readonly GridFigure[];
}

/** Coefficient of variation over the runs of a subject. */
export const variation = ({ values }: SubjectMetric): number | null => {
  const known = values.filter((value) => value !== null);
  const center = mean(known);
  return known.length < 2 || center === 0 ? null : standardDeviation(known) / Math.abs(center);
};

const overallFigures = (grid: GridComparison, metric: GridMetric): GridFigures => ({
  values: null,
  figures: grid.subjects.map((_, index): GridFigure => ({
    value: null,
    cv: null,
    change: index === 0 ? null : at(metric.overall, index - 1),
  })),
});

/** The rows of a metric: one per setting, and the last over all of them. */
export const figuresOf = (grid: GridComparison, metric: GridMetric): readonly GridFigures[] => [
  ...metric.rows.map(({ cell, subjects, pairs }) => ({
    values: at(grid.cells, cell).values,
    figures: subjects.map((subject, index): GridFigure => ({
      value: subject.median?.value ?? null,
      cv: variation(subject),
      change: index === 0 ? null : at(pairs, index - 1),
    })),
  })),
  ...(metric.overall.length === 0 ? [] : [overallFigures(grid, metric)]),
];

/** Name of the last row. */
export const OVERALL = "geomean";

/** `wakeup p99 (usec, lower is better)`. */
export const metricTitle = (metric: Pick<GridMetric, "label" | "unit" | "better" | "primary">): string =>
  `${metric.label}${metric.primary ? " *" : ""} (${metric.unit}, ${betterWords(metric.better)})`;

/** A value without its unit; `-` where there is none. */
export const valueFigure = ({ value }: GridFigure): string => (value === null ? "-" : plainNumber(value));

/** `[3.1%]`; empty where there is no scatter to tell. */
export const scatterFigure = ({ cv }: GridFigure): string => {
  if (cv === null) return "";
  const percent = cv * 100;
  return `[${percent >= 99.5 ? percent.toFixed(0) : percent.toFixed(1)}%]`;
};

/** `+18.2%` where a difference is shown, else `~`; `?` where it could not be told; empty for the base. */
export const changeFigure = ({ change }: GridFigure): string => {
  if (change === null) return "";
  if (change.verdict.kind === "undecided") return "?";
  return change.verdict.kind === "different" ? changeWords(change.ratio) : "~";
};

/** A ratio as a change; from nothing to something has no percentage. */
export const changeWords = (ratio: RatioEstimate | null): string =>
  ratio === null || !Number.isFinite(ratio.value) ? "from 0" : changeText(ratio.value);

/** `better`, `worse` or `changed`; empty where neither is shown. */
export const verdictFigure = ({ change }: GridFigure): string =>
  change?.verdict.kind === "different" ? change.verdict.direction : "";
