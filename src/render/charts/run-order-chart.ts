/** The runs in the order in which they were made: drift of the machine, and whether the subjects took turns. */
import * as Plot from "@observablehq/plot";
import { median } from "../../stats/sample.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, seriesKey } from "../html/figure.js";
import type { Markup } from "../html/markup.js";
import { figure, valueText } from "../html/quantity.js";
import { framed, SOFT } from "./frame.js";
import { CHART_WIDTH, type ChartWidth } from "../html/plot-svg.js";
import type { RunSeries } from "./run-series.js";
import { valueAxis } from "./value-axis.js";

const HEIGHT = 220;
const MARGINS = { top: 30, right: 16, bottom: 40, left: 60 };

/** One run's value of a metric, and when in the experiment it was made. */
interface OrderedValue {
  /** Place in the experiment, from 1. */
  readonly position: number;
  readonly value: number;
  readonly startedAt: string | null;
}

/** One subject's values in order. */
export interface OrderedSeries {
  readonly series: RunSeries;
  readonly values: readonly OrderedValue[];
}

/** A metric to draw, with its unit as it stands on the axis. */
export interface OrderedMetric {
  readonly label: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
}

const unitName = (unit: string): string => (unit === "usec" ? "µs" : unit);

const draw = (subjects: readonly OrderedSeries[], metric: OrderedMetric, width: ChartWidth): Markup => {
  const all = subjects.flatMap(({ values }) => values);
  const last = Math.max(...all.map((value) => value.position));
  const x = valueAxis([1, last], { linearUpTo: Infinity, tickCount: Math.min(last, width === "wide" ? 24 : 10) });
  const y = valueAxis(
    all.map(({ value }) => value),
    { leastSpan: 0.04, linearUpTo: 20 },
  );
  return framed({
    width: CHART_WIDTH[width],
    height: HEIGHT,
    margins: MARGINS,
    x: {
      ...x,
      domain: [0.5, last + 0.5],
      ticks: x.ticks.filter((tick) => Number.isInteger(tick) && tick >= 1 && tick <= last),
    },
    y,
    xLabel: "place in the experiment (run)",
    yLabel: `${metric.label} (${unitName(metric.unit)}${y.type === "log" ? ", logarithmic" : ""})`,
    marks: [
      Plot.line(
        all.toSorted((a, b) => a.position - b.position),
        {
          x: "position",
          y: "value",
          stroke: SOFT,
          strokeOpacity: 0.35,
          strokeWidth: 1,
        },
      ),
      ...subjects.flatMap(({ series, values }) => [
        Plot.ruleY([median(values.map(({ value }) => value))], {
          stroke: series.style.colour,
          strokeWidth: 1.25,
          ...(series.style.dash === "none" ? {} : { strokeDasharray: series.style.dash }),
        }),
        Plot.dot(values, {
          x: "position",
          y: "value",
          r: 4.5,
          symbol: series.style.symbol,
          fill: series.style.colour,
          title: (run: OrderedValue) =>
            `${series.name}, run ${run.position} of the experiment${run.startedAt === null ? "" : `, ${run.startedAt}`}\n${metric.label} ${valueText(run.value, metric.unit)}`,
        }),
      ]),
    ],
    label: `${metric.label} of each run in the order of the experiment. ${subjects
      .map(
        ({ series, values }) =>
          `${series.name}: median ${valueText(median(values.map(({ value }) => value)), metric.unit)}`,
      )
      .join("; ")}`,
  });
};

/** The figure of one metric over the order of runs; null with fewer than two runs. */
export const runOrderFigure = (subjects: readonly OrderedSeries[], metric: OrderedMetric): Figure | null => {
  const kept = subjects.filter(({ values }) => values.length > 0);
  if (kept.reduce((sum, { values }) => sum + values.length, 0) < 2) return null;
  return {
    title: `${metric.label}, run by run`,
    reading: `${metric.better === "lower" ? "Lower" : "Higher"} is better.`,
    key: kept.length > 1 ? seriesKey(kept.map(({ series }) => series)) : null,
    draw: (width) => draw(kept, metric, width),
    table: dataTable(
      [
        numberColumn("run"),
        textColumn("subject"),
        numberColumn(`${metric.label} (${unitName(metric.unit)})`),
        textColumn("started"),
      ],
      kept
        .flatMap(({ series, values }) => values.map((value) => ({ name: series.name, ...value })))
        .toSorted((a, b) => a.position - b.position)
        .map((run) => [run.position, run.name, figure(run.value), run.startedAt ?? "–"]),
    ),
  };
};
