/** What all charts share: axes with units, a quiet grid, labels at the end of lines. */
import * as Plot from "@observablehq/plot";
import type { Markup } from "../html/markup.js";
import { figure } from "../html/quantity.js";
import { plotSvg } from "../html/plot-svg.js";
import type { ValueAxis } from "./value-axis.js";

/** Space around the drawing, in SVG units. */
interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** A chart with two value axes. */
export interface FrameOptions {
  readonly width: number;
  readonly height: number;
  readonly margins: Margins;
  readonly x: ValueAxis;
  readonly y: ValueAxis;
  /** With the unit in brackets. */
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xTick?: (value: number) => string;
  readonly yTick?: (value: number) => string;
  readonly marks: readonly Plot.Markish[];
  /** What a screen reader says in place of the chart. */
  readonly label: string;
}

/** Colour of axis texts and ticks. */
export const SOFT = "var(--soft)";
/** Colour of grid lines. */
export const GRID = "var(--grid)";
/** Ground colour, for the halo of labels. */
export const GROUND = "var(--ground)";

const tickText = (value: number): string => figure(value);

// `text`, not `tickFormat`: on a logarithmic axis the latter leaves out labels of its own choice.

/** Grid lines and tick labels of a value axis on the left. */
export const leftAxis = (y: ValueAxis, label: string, tick = tickText): readonly Plot.Markish[] => [
  Plot.ruleY([...y.ticks], { stroke: GRID, strokeWidth: 1 }),
  Plot.axisY([...y.ticks], { tickSize: 0, tickPadding: 8, text: tick, label, labelArrow: "up", color: SOFT }),
];

/** Ticks and tick labels of a value axis at the foot. */
export const footAxis = (x: ValueAxis, label: string, tick = tickText): readonly Plot.Markish[] => [
  Plot.axisX([...x.ticks], { tickSize: 4, text: tick, label, color: SOFT, labelArrow: "right", labelOffset: 38 }),
];

/** Draws a chart in its frame. */
export const framed = (options: FrameOptions): Markup => {
  const { width, height, margins, x, y } = options;
  return plotSvg(
    {
      width,
      height,
      marginTop: margins.top,
      marginRight: margins.right,
      marginBottom: margins.bottom,
      marginLeft: margins.left,
      x: { type: x.type, domain: [...x.domain] },
      y: { type: y.type, domain: [...y.domain] },
      marks: [
        ...leftAxis(y, options.yLabel, options.yTick),
        ...footAxis(x, options.xLabel, options.xTick),
        ...options.marks,
      ],
    },
    options.label,
  );
};

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Name that fits beside a line. */
export const shortName = (name: string, most = 14): string => {
  const characters = Array.from(segmenter.segment(name), ({ segment }) => segment);
  return characters.length <= most ? name : `${characters.slice(0, most - 1).join("")}…`;
};
