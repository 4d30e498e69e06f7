/**
 * The forest plot: for each metric a ratio with its interval, and a band around 1: within it a difference would not
 * matter (comparison), or the references themselves lie there (validation).
 */
import * as Plot from "@observablehq/plot";
import { at } from "../../at.js";
import type { Markup } from "../html/markup.js";
import type { SeriesStyle } from "../html/palette.js";
import { signedPercent } from "../html/quantity.js";
import { GROUND, GRID, shortName, SOFT } from "./frame.js";
import { CHART_WIDTH, type ChartWidth, plotSvg } from "../html/plot-svg.js";
import { median } from "../../stats/sample.js";
import { roundStep } from "./value-axis.js";

/** One line of the plot: one metric of one candidate. */
export interface ForestRow {
  /** Metric, and candidate where there are several. */
  readonly label: string;
  readonly primary: boolean;
  /** What stands beside the line: the change, and its interval. */
  readonly changeText: string;
  readonly intervalText: string;
  /** Exact figures, line by line. */
  readonly tooltip: string;
  /** null: no data. */
  readonly ratio: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Half width of the band, as a share; null: none. */
  readonly threshold: number | null;
  /** What was found out, in a word; with its sign. */
  readonly verdict: { readonly symbol: string; readonly word: string; readonly isShown: boolean };
  readonly style: SeriesStyle;
}

const ROW = { wide: 30, half: 46, narrow: 46 } as const satisfies Record<ChartWidth, number>;
const MARGINS = {
  wide: { top: 40, right: 292, bottom: 44, left: 156 },
  half: { top: 40, right: 12, bottom: 46, left: 12 },
  narrow: { top: 40, right: 12, bottom: 46, left: 12 },
} as const;
const LEAST_SPAN = 0.05;
const FAR_RATIO = 1.6;

const FAR_TICKS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 20] as const;
/** An interval this many times as wide as the middle one does not decide how wide the axis is. */
const OUTLYING = 2.5;

interface RatioAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** How far a ratio lies from 1; 0 for one that has no place on a logarithmic axis. */
const distance = (ratio: number): number => (ratio > 0 && Number.isFinite(ratio) ? Math.abs(Math.log(ratio)) : 0);

/** The axis: symmetric about 1 on a logarithmic scale, as wide as the widest interval but not without bound. */
export const ratioAxis = (rows: readonly ForestRow[]): RatioAxis => {
  const known = rows.flatMap((row) => (row.ratio === null ? [] : [{ ...row, ratio: row.ratio }]));
  const reach = known.map(({ ratio, interval }) =>
    Math.max(distance(ratio), distance(interval?.low ?? ratio), distance(interval?.high ?? ratio)),
  );
  const must = known.map(({ ratio, primary, threshold }, i) =>
    Math.max(primary ? at(reach, i) : distance(ratio), distance(1 + (threshold ?? 0) * 1.3)),
  );
  const wanted = Math.max(Math.min(Math.max(0, ...reach), OUTLYING * median([0, ...reach])), 0, ...must);
  const high = Math.min(Math.max(Math.exp(wanted * 1.06), 1 + LEAST_SPAN), 24);
  const low = 1 / high;
  if (high > FAR_RATIO) return { low, high, ticks: FAR_TICKS.filter((tick) => tick >= low && tick <= high) };
  const step = roundStep((high - low) / 7);
  const ticks: number[] = [];
  for (let i = Math.ceil((low - 1) / step); 1 + i * step <= high; i++) ticks.push(Number((1 + i * step).toFixed(6)));
  return { low, high, ticks };
};

/** Words around the plot. */
export interface ForestWords {
  /** Under the axis, with its unit. */
  readonly axis: string;
  /** What a screen reader says first. */
  readonly label: string;
}

/** An interval of ratios as changes in percent: `[+4.9, +7.2]`. */
export const rangeText = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  `[${signedPercent((low - 1) * 100)}, ${Number.isFinite(high) ? `${signedPercent((high - 1) * 100)}]` : "∞)"}`;

/** A column of texts beside (wide) or above (narrow) the lines. */
interface TextColumn {
  readonly side: "left" | "right";
  readonly anchor: "start" | "end";
  readonly dx: number;
  readonly bold: (row: ForestRow) => boolean;
  readonly text: (row: ForestRow) => string;
}

const COLUMNS: Readonly<Record<"wide" | "narrow", readonly TextColumn[]>> = {
  wide: [
    { side: "left", anchor: "end", dx: -16, bold: (row) => row.primary, text: (row) => shortName(row.label, 22) },
    {
      side: "right",
      anchor: "end",
      dx: 74,
      bold: (row) => row.verdict.isShown,
      text: (row) => row.changeText,
    },
    {
      side: "right",
      anchor: "start",
      dx: 86,
      bold: () => false,
      text: (row) => row.intervalText,
    },
    {
      side: "right",
      anchor: "start",
      dx: 202,
      bold: (row) => row.verdict.isShown,
      text: (row) => `${row.verdict.symbol} ${row.verdict.word}`,
    },
  ],
  narrow: [
    { side: "left", anchor: "start", dx: 0, bold: (row) => row.primary, text: (row) => shortName(row.label, 24) },
    {
      side: "right",
      anchor: "end",
      dx: 0,
      bold: (row) => row.verdict.isShown,
      text: (row) => `${row.changeText}  ${row.verdict.symbol} ${row.verdict.word}`,
    },
  ],
};

const rowTexts = (rows: readonly ForestRow[], width: ChartWidth): readonly Plot.Markish[] =>
  COLUMNS[width === "wide" ? "wide" : "narrow"].flatMap((column) =>
    [true, false].map((bold) => {
      const some = rows.map((row, y) => ({ row, y })).filter(({ row }) => column.bold(row) === bold);
      return Plot.text(some, {
        y: "y",
        frameAnchor: column.side,
        textAnchor: column.anchor,
        dx: column.dx,
        dy: width === "wide" ? 0 : -14,
        fontWeight: bold ? "600" : "400",
        fill: "currentColor",
        stroke: GROUND,
        strokeWidth: 3,
        text: ({ row }) => column.text(row),
      });
    }),
  );

/** Draws the plot. */
export const forestChart = (rows: readonly ForestRow[], words: ForestWords, width: ChartWidth): Markup => {
  const axis = ratioAxis(rows);
  const margins = MARGINS[width];
  const inRange = (value: number): number => Math.min(Math.max(value, axis.low), axis.high);
  const dy = width === "wide" ? 0 : 6;
  const known = rows.flatMap((row, y) =>
    row.ratio === null
      ? []
      : [{ row, y, ratio: row.ratio, low: row.interval?.low ?? row.ratio, high: row.interval?.high ?? row.ratio }],
  );
  const half = width === "wide" ? 0.32 : 0.16;
  return plotSvg(
    {
      width: CHART_WIDTH[width],
      height: margins.top + margins.bottom + rows.length * ROW[width],
      marginTop: margins.top,
      marginRight: margins.right,
      marginBottom: margins.bottom,
      marginLeft: margins.left,
      x: { type: "log", domain: [axis.low, axis.high] },
      y: { type: "linear", domain: [rows.length - 0.5, -0.5], axis: null },
      marks: [
        Plot.rect(known, {
          x1: ({ row }) => inRange(1 - (row.threshold ?? 0)),
          x2: ({ row }) => inRange(1 + (row.threshold ?? 0)),
          y1: ({ y }) => y - half,
          y2: ({ y }) => y + half,
          fill: "var(--band)",
          dy,
        }),
        Plot.ruleX([...axis.ticks], { stroke: GRID }),
        Plot.ruleX([1], { stroke: SOFT, strokeWidth: 1.25 }),
        Plot.axisX([...axis.ticks], {
          tickSize: 4,
          color: SOFT,
          text: (tick: number) => (tick === 1 ? "0" : signedPercent((tick - 1) * 100).replace(/\.0$/, "")),
          label: words.axis,
          labelAnchor: "center",
          labelArrow: "none",
        }),
        Plot.ruleY(known, {
          x1: ({ low }) => inRange(low),
          x2: ({ high }) => inRange(high),
          y: "y",
          stroke: ({ row }) => row.style.colour,
          strokeWidth: 2,
          dy,
        }),
        ...known.map((point) =>
          Plot.dot([point], {
            x: ({ ratio }) => inRange(ratio),
            y: "y",
            r: point.row.primary ? 6 : 4.5,
            symbol: point.row.style.symbol,
            fill: point.row.verdict.isShown ? point.row.style.colour : GROUND,
            stroke: point.row.style.colour,
            strokeWidth: 1.75,
            dy,
            title: ({ row }) => row.tooltip,
          }),
        ),
        Plot.text(
          known.filter(({ low }) => low < axis.low),
          { x: axis.low, y: "y", text: () => "◂", dx: -2, dy, fill: ({ row }) => row.style.textColour },
        ),
        Plot.text(
          known.filter(({ high }) => high > axis.high),
          { x: axis.high, y: "y", text: () => "▸", dx: 2, dy, fill: ({ row }) => row.style.textColour },
        ),
        ...rowTexts(rows, width),
        Plot.text(["← lower"], {
          frameAnchor: "top-left",
          dy: -16,
          textAnchor: "start",
          fill: SOFT,
          text: (t: string) => t,
        }),
        Plot.text(["higher →"], {
          frameAnchor: "top-right",
          dy: -16,
          textAnchor: "end",
          fill: SOFT,
          text: (t: string) => t,
        }),
      ],
    },
    `${words.label} ${rows.map((row) => `${row.label}: ${row.changeText} ${row.intervalText}, ${row.verdict.word}`).join("; ")}`,
  );
};
