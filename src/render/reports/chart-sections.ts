/** The sections of charts that run and comparison reports have in common; a chart without data is left out. */
import { fairnessFigure } from "../charts/fairness-chart.js";
import { heatMapFigure } from "../charts/heat-map.js";
import { percentileFigure } from "../charts/percentile-chart.js";
import { rpsFigure } from "../charts/rps-chart.js";
import type { RunSeries } from "../charts/run-series.js";
import { type Figure, fullFigure, pairedFigures } from "../html/figure.js";
import { type Content, markup } from "../html/markup.js";
import type { Section } from "../html/page.js";

const present = (figures: readonly (Figure | null)[]): readonly Figure[] => figures.filter((figure) => figure !== null);

/** A section, unless there is nothing to show in it. */
export const sectionOf = (
  id: string,
  title: string,
  figures: readonly (Figure | null)[],
  lay: (some: readonly Figure[]) => Content,
): Section | null => {
  const some = present(figures);
  return some.length === 0 ? null : { id, title, body: lay(some) };
};

/** Figures in pairs; of an odd number the first takes the whole width. */
export const inPairs = (figures: readonly Figure[]): Content => {
  const [first, ...rest] = figures;
  if (figures.length % 2 === 0 || first === undefined) return pairedFigures(figures);
  return [fullFigure(first), rest.length > 0 ? pairedFigures(rest) : null];
};

/** A line before the figures that holds for all of them. */
export const withReading =
  (reading: string, lay: (some: readonly Figure[]) => Content) =>
  (figures: readonly Figure[]): Content => [markup`<p class="reading">${reading}</p>`, lay(figures)];

/** How to read charts run by run. */
export const RUN_ORDER_READING =
  "Runs in the order they were made. A slope means that the machine drifted; alternating marks mean interleaved runs, which drift affects alike. Horizontal lines: medians.";

/** Each figure takes the whole width. */
const inRows = (figures: readonly Figure[]): Content => figures.map(fullFigure);

/** Latency by percentile and over time, requests over time, fairness. */
export const chartSections = (subjects: readonly RunSeries[]): readonly Section[] =>
  [
    sectionOf(
      "percentiles",
      "Latency",
      (["wakeup", "request", "response"] as const).map((name) => percentileFigure(subjects, name)),
      withReading(
        "Percentiles of all runs merged. Each step to the right adds a nine: a tenth as many samples lie beyond it.",
        inPairs,
      ),
    ),
    sectionOf(
      "time",
      "Over time",
      [heatMapFigure(subjects, "wakeup"), heatMapFigure(subjects, "request"), rpsFigure(subjects)],
      inRows,
    ),
    sectionOf("fairness", "Fairness", [fairnessFigure(subjects)], inRows),
  ].filter((section) => section !== null);
