/** A metric against the varied option: a mark for each run, a line through the medians. */
import { at } from "../../at.js";
import * as Plot from "@observablehq/plot";
import { median } from "../../stats/sample.js";
import type { Markup } from "../html/markup.js";
import type { SeriesStyle } from "../html/palette.js";
import { figure, valueText } from "../html/quantity.js";
import { footAxis, GROUND, leftAxis, shortName } from "./frame.js";
import { CHART_WIDTH, type ChartWidth, plotSvg } from "../html/plot-svg.js";
import { spreadLabels, type ValueAxis, valueAxis } from "./value-axis.js";

/** One line: a percentile, or a value of another varied option. */
export interface SweepLine {
  readonly label: string;
  readonly style: SeriesStyle;
  /** One entry for each value along the axis; values of its runs. */
  readonly points: readonly { readonly value: string; readonly runs: readonly number[] }[];
}

/** What is drawn. */
export interface SweepChart {
  /** The option along the axis, and its values in order. */
  readonly option: string;
  readonly values: readonly string[];
  readonly metric: string;
  readonly unit: string;
  readonly lines: readonly SweepLine[];
}

const HEIGHT = 320;
const MARGINS = { top: 30, right: 100, bottom: 40, left: 60 };
const LABEL_GAP = 15;

/** Places of values along the axis: to scale where all are numbers above 0 (logarithmic where they span much), else evenly. */
export const optionAxis = (
  values: readonly string[],
): { readonly axis: ValueAxis; readonly at: (value: string) => number } => {
  const numbers = values.map(Number);
  if (
    values.every((value) => value.trim() !== "") &&
    numbers.every((number) => Number.isFinite(number) && number >= 0)
  ) {
    const positive = numbers.every((number) => number > 0);
    const axis = valueAxis(numbers, { tight: true, linearUpTo: positive ? 6 : Infinity });
    const distinct = [...new Set(numbers)].toSorted((a, b) => a - b);
    const far = distinct.filter(
      (number, i) => i === 0 || axis.position(number) - axis.position(at(distinct, i - 1)) > 0.045,
    );
    const [first = 0, last = 1] = [distinct[0], distinct.at(-1)];
    return { axis: { ...axis, domain: [first, Math.max(last, first + 1e-9)], ticks: far }, at: Number };
  }
  const ticks = values.map((_, i) => i);
  const last = Math.max(values.length - 1, 1);
  return {
    axis: {
      type: "linear",
      domain: [0, last],
      ticks,
      position: (index) => index / last,
      valueAt: (position) => position * last,
    },
    at: (value) => values.indexOf(value),
  };
};

const unitName = (unit: string): string => (unit === "usec" ? "µs" : unit);

const endLabels = (lines: readonly SweepLine[], x: ValueAxis, y: ValueAxis): readonly Plot.Markish[] => {
  const height = HEIGHT - MARGINS.top - MARGINS.bottom;
  const wanted = lines.map((line) => (1 - y.position(median(line.points.at(-1)?.runs ?? [y.domain[0]]))) * height);
  const placed = spreadLabels(wanted, LABEL_GAP, 0, height);
  return lines.map((line, i) =>
    Plot.text([shortName(line.label)], {
      x: x.domain[1],
      y: y.valueAt(1 - at(placed, i) / height),
      text: (label: string) => label,
      dx: 12,
      textAnchor: "start",
      fill: line.style.textColour,
      stroke: GROUND,
      strokeWidth: 3,
    }),
  );
};

/** Draws the chart. */
export const sweepChart = (chart: SweepChart, width: ChartWidth): Markup => {
  const { axis: x, at: placeOf } = optionAxis(chart.values);
  const all = chart.lines.flatMap(({ points }) => points.flatMap(({ runs }) => runs));
  const y = valueAxis(all, { leastSpan: 0.04 });
  const isIndex = placeOf(chart.values.at(-1) ?? "") !== Number(chart.values.at(-1));
  const tick = (value: number): string => (isIndex ? (chart.values.at(value) ?? "") : figure(value));
  return plotSvg(
    {
      width: CHART_WIDTH[width],
      height: HEIGHT,
      marginTop: MARGINS.top,
      marginRight: MARGINS.right,
      marginBottom: MARGINS.bottom,
      marginLeft: MARGINS.left,
      x: { type: x.type, domain: [...x.domain] },
      y: { type: y.type, domain: [...y.domain] },
      marks: [
        ...leftAxis(y, `${chart.metric} (${unitName(chart.unit)}${y.type === "log" ? ", logarithmic" : ""})`),
        ...footAxis(x, `${chart.option} (value of the option${x.type === "log" ? ", logarithmic" : ""})`, tick),
        ...chart.lines.flatMap(({ label, style, points }) => {
          const runs = points.flatMap(({ value, runs: values }) => values.map((metric) => ({ value, metric })));
          const medians = points.filter((point) => point.runs.length > 0);
          return [
            Plot.line(medians, {
              x: (point) => placeOf(point.value),
              y: (point) => median(point.runs),
              stroke: style.colour,
              strokeWidth: 2,
              ...(style.dash === "none" ? {} : { strokeDasharray: style.dash }),
            }),
            Plot.dot(runs, {
              x: (point) => placeOf(point.value),
              y: "metric",
              r: 3,
              symbol: style.symbol,
              stroke: style.colour,
              fill: style.colour,
              fillOpacity: 0.25,
              title: (point) => `${chart.option} ${point.value}, ${label}\n${valueText(point.metric, chart.unit)}`,
            }),
          ];
        }),
        ...endLabels(chart.lines, x, y),
      ],
    },
    `${chart.metric} against ${chart.option}. ${chart.lines
      .map(
        ({ label, points }) =>
          `${label}: ${points.map((point) => `${point.value} ${point.runs.length === 0 ? "unknown" : valueText(median(point.runs), chart.unit)}`).join(", ")}`,
      )
      .join("; ")}`,
  );
};
