/** The change of a metric against the varied option: a mark and an interval for each value, beside the curve of its medians. */
import * as Plot from "@observablehq/plot";
import type { Markup } from "../html/markup.js";
import type { SeriesStyle } from "../html/palette.js";
import { CHART_WIDTH, type ChartWidth, plotSvg } from "../html/plot-svg.js";
import { changeText, figure, signedPercent } from "../html/quantity.js";
import { footAxis, GRID, GROUND, SOFT } from "./frame.js";
import { optionAxis } from "./sweep-chart.js";

/** A candidate under one setting. */
export interface ChangePoint {
  readonly value: string;
  /** null: not known, or from 0. */
  readonly ratio: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** A difference is shown that matters. */
  readonly isShown: boolean;
}

/** What is drawn. */
export interface ChangeChart {
  readonly option: string;
  readonly values: readonly string[];
  /** Such as `request p99 against base`. */
  readonly label: string;
  readonly lines: readonly {
    readonly name: string;
    readonly style: SeriesStyle;
    readonly points: readonly ChangePoint[];
  }[];
}

const HEIGHT = 320;
/** Intervals beyond these say only that nothing is known; they are cut there. */
const MOST = 3;
const LEAST_REACH = 1.05;
/** Candidates stand beside each other, so far apart. */
const BESIDE = 7;

interface Drawn extends ChangePoint {
  readonly ratio: number;
}

const drawnPoints = (points: readonly ChangePoint[]): readonly Drawn[] =>
  points.flatMap((point) => (point.ratio === null || point.ratio <= 0 ? [] : [{ ...point, ratio: point.ratio }]));

/** The same for a gain and the loss that undoes it. */
const far = (ratio: number): number => Math.max(ratio, 1 / ratio);

/** Draws the chart. */
export const changeChart = ({ option, values, label, lines }: ChangeChart, width: ChartWidth): Markup => {
  const { axis: x, at: placeOf } = optionAxis(values);
  const isIndex = placeOf(values.at(-1) ?? "") !== Number(values.at(-1));
  const all = lines.flatMap(({ points }) => drawnPoints(points));
  const reach = Math.min(
    MOST,
    Math.max(
      LEAST_REACH,
      ...all.flatMap(({ ratio, interval }) => [
        far(ratio),
        ...(interval === null ? [] : [Math.min(far(interval.low), 2), Math.min(far(interval.high), 2)]),
      ]),
    ),
  );
  const inside = (ratio: number): number => Math.min(Math.max(ratio, 1 / reach), reach);
  return plotSvg(
    {
      width: CHART_WIDTH[width],
      height: HEIGHT,
      marginTop: 30,
      marginRight: 30,
      marginBottom: 40,
      marginLeft: 60,
      x: { type: x.type, domain: [...x.domain] },
      y: { type: "log", domain: [1 / reach, reach] },
      marks: [
        Plot.axisY({
          ticks: 5,
          tickSize: 0,
          color: SOFT,
          label: "change (%)",
          labelArrow: "up",
          tickFormat: (ratio: number) => signedPercent((ratio - 1) * 100),
        }),
        Plot.gridY({ ticks: 5, stroke: GRID }),
        Plot.ruleY([1], { stroke: SOFT }),
        ...footAxis(x, `${option} (value of the option${x.type === "log" ? ", logarithmic" : ""})`, (value) =>
          isIndex ? (values.at(value) ?? "") : figure(value),
        ),
        ...lines.flatMap(({ name, style, points }, candidate) => {
          const dx = (candidate - (lines.length - 1) / 2) * BESIDE;
          const own = drawnPoints(points);
          const known = own.flatMap(({ value, interval }) => (interval === null ? [] : [{ value, ...interval }]));
          return [
            Plot.ruleX(known, {
              dx,
              x: ({ value }) => placeOf(value),
              y1: ({ low }) => inside(low),
              y2: ({ high }) => inside(high),
              stroke: style.colour,
              strokeWidth: 2,
            }),
            Plot.dot(own, {
              dx,
              x: ({ value }) => placeOf(value),
              y: ({ ratio }) => inside(ratio),
              r: 4.5,
              symbol: style.symbol,
              stroke: style.colour,
              strokeWidth: 1.5,
              fill: ({ isShown }) => (isShown ? style.colour : GROUND),
              title: ({ value, ratio, interval, isShown }) =>
                `${option} ${value}, ${name}\n${changeText(ratio)}${
                  interval === null ? "" : ` [${changeText(interval.low)}, ${changeText(interval.high)}]`
                }\n${isShown ? "shown" : "no difference shown that matters"}`,
            }),
          ];
        }),
      ],
    },
    `Change of ${label}. ${lines
      .map(
        ({ name, points }) =>
          `${name}: ${points.map(({ value, ratio }) => `${value} ${ratio === null ? "unknown" : changeText(ratio)}`).join(", ")}`,
      )
      .join("; ")}`,
  );
};
