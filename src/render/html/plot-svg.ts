/**
 * Observable Plot drawn without a browser: options in, one `<svg>` out. Plot's own style element and inline styles go
 * (the page's content security policy refuses them, its style sheet replaces them), coordinates are rounded to a tenth
 * of a pixel, and the drawing becomes one focusable image with a name.
 */
import { plot, type PlotOptions } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { type Markup, markup, trustedMarkup } from "./markup.js";

/** The width a chart is drawn for: a whole column, half of it, or a telephone. */
export type ChartWidth = "wide" | "half" | "narrow";

/** Width of each kind in SVG units, which are CSS pixels unless the chart has to shrink. */
export const CHART_WIDTH = { wide: 880, half: 426, narrow: 368 } as const satisfies Record<ChartWidth, number>;

/** Size of text in charts, in SVG units. */
const CHART_FONT_SIZE = 12;

const LONG_FRACTION = /-?\d+\.\d{2,}(?:e-?\d+)?/g;
const COORDINATES = / (transform|d|points|x1|x2|x|y1|y2|y|cx|cy|r|width|height)="([^"]*)"/g;

const shorten = (numbers: string): string =>
  numbers.replace(LONG_FRACTION, (number) => String(Math.round(Number(number) * 10) / 10));

/** Coordinates to a tenth; only inside tags, so that a number in a tooltip keeps its digits. */
const rounded = (svg: string): string =>
  svg.replace(/<[a-z][^<>]*>/g, (tag) =>
    tag.replace(COORDINATES, (_whole, name: string, value: string) => ` ${name}="${shorten(value)}"`),
  );

const inside = (svg: string): string => {
  const start = svg.indexOf(">") + 1;
  const end = svg.lastIndexOf("</svg>");
  return svg.slice(start, end).replace(/<style>[\s\S]*?<\/style>/, "");
};

/** Draws a plot; `label` is what a screen reader says in its place. */
export const plotSvg = (
  options: PlotOptions & { readonly width: number; readonly height: number },
  label: string,
): Markup => {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const drawing: unknown = plot({ ...options, document });
  const text = rounded(inside(String(drawing)));
  return markup`<svg
    viewBox="0 0 ${options.width} ${options.height}"
    width="${options.width}"
    height="${options.height}"
    role="img"
    tabindex="0"
    aria-label="${label}"
    font-size="${CHART_FONT_SIZE}"
    text-anchor="middle"
    fill="currentColor"
  >
    ${trustedMarkup(text)}
  </svg>`;
};
