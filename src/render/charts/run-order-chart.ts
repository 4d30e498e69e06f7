/** The runs in the order in which they were made: drift of the machine, and whether the subjects took turns. */
import * as Plot from "@observablehq/plot";
import { at } from "../../at.js";
import { largest, median } from "../../stats/sample.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, seriesKey } from "../html/figure.js";
import type { Markup } from "../html/markup.js";
import { capitalised, figure, valueText } from "../html/quantity.js";
import { framed, SOFT } from "./frame.js";
import { CHART_WIDTH, type ChartWidth } from "../html/plot-svg.js";
import type { RunSeries } from "./run-series.js";
import { summedUp } from "./many-runs.js";
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

/** Several runs in a row of one subject, where there are too many for a mark each: the middle one's place and start. */
interface DrawnValue extends OrderedValue {
  readonly runs: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Marks of all subjects together. */
const MOST_MARKS = 120;

const alone = (run: OrderedValue): DrawnValue => ({ ...run, runs: 1, lowest: run.value, highest: run.value });

/** Runs in a row put together, so that about so many marks are left. */
const inARow = (values: readonly OrderedValue[], most: number): readonly DrawnValue[] => {
  const together = Math.ceil(values.length / most);
  if (together <= 1) return values.map(alone);
  const sorted = values.toSorted((a, b) => a.position - b.position);
  return Array.from({ length: Math.ceil(sorted.length / together) }, (_, index): DrawnValue => {
    const group = sorted.slice(index * together, (index + 1) * together);
    const { middle, lowest, highest } = summedUp(group.map(({ value }) => value));
    return { ...at(group, group.length >> 1), value: middle, runs: group.length, lowest, highest };
  });
};

/** One subject's values in order. */
export interface OrderedSeries {
  readonly series: RunSeries;
  readonly values: readonly OrderedValue[];
}

/** A metric to draw, with its unit as it stands on the axis. */
export interface OrderedMetric {
  readonly label: string;
  readonly unit: string;
  readonly better: "lower" | "higher" | "neither";
}

const unitName = (unit: string): string => (unit === "usec" ? "µs" : unit);

/** A subject's values as they are drawn. */
interface DrawnSeries {
  readonly series: RunSeries;
  readonly values: readonly DrawnValue[];
  readonly median: number;
}

const runsText = (run: DrawnValue): string =>
  run.runs === 1 ? `run ${run.position} of the experiment` : `${run.runs} runs around run ${run.position}`;

const tooltip = (name: string, run: DrawnValue, metric: OrderedMetric): string =>
  `${name}, ${runsText(run)}${run.startedAt === null ? "" : `, ${run.startedAt}`}\n${metric.label} ${valueText(run.value, metric.unit)}`;

const draw = (subjects: readonly DrawnSeries[], metric: OrderedMetric, width: ChartWidth): Markup => {
  const all = subjects.flatMap(({ values }) => values);
  const last = largest(all.map((value) => value.position));
  const x = valueAxis([1, last], { linearUpTo: Infinity, tickCount: Math.min(last, width === "wide" ? 24 : 10) });
  const y = valueAxis(
    all.flatMap(({ value, lowest, highest }) => [value, lowest, highest]),
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
      ...subjects.flatMap(({ series, values, median: middle }) => [
        Plot.ruleX(
          values.filter(({ runs }) => runs > 1),
          {
            x: "position",
            y1: "lowest",
            y2: "highest",
            stroke: series.style.colour,
            strokeOpacity: 0.4,
            strokeWidth: 1.25,
          },
        ),
        Plot.ruleY([middle], {
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
          title: (run: DrawnValue) => tooltip(series.name, run, metric),
        }),
      ]),
    ],
    label: `${metric.label} of each run in the order of the experiment. ${subjects
      .map(({ series, median: middle }) => `${series.name}: median ${valueText(middle, metric.unit)}`)
      .join("; ")}`,
  });
};

/** The figure of one metric over the order of runs; null with fewer than two runs. */
export const runOrderFigure = (subjects: readonly OrderedSeries[], metric: OrderedMetric): Figure | null => {
  const known = subjects.filter(({ values }) => values.length > 0);
  const runs = known.reduce((sum, { values }) => sum + values.length, 0);
  if (runs < 2) return null;
  const most = runs > MOST_MARKS ? Math.ceil(MOST_MARKS / known.length) : runs;
  const kept = known.map(({ series, values }): DrawnSeries => ({
    series,
    values: inARow(values, most),
    median: median(values.map(({ value }) => value)),
  }));
  const isSummedUp = runs > MOST_MARKS;
  return {
    title: `${metric.label}, run by run`,
    reading: `${capitalised(metric.better)} is better.${isSummedUp ? " A mark for several runs in a row: their median, and where eight in ten of them lie." : ""}`,
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
        .map((run) => [
          isSummedUp ? `${run.position} (of ${run.runs})` : run.position,
          run.name,
          figure(run.value),
          run.startedAt ?? "–",
        ]),
    ),
  };
};
