/** The map of a grid: a row per metric, a column per setting, the change in each cell; where something changed, at a glance. */
import * as Plot from "@observablehq/plot";
import { at } from "../../at.js";
import type { Direction } from "../../compare/direction.js";
import type { Markup } from "../html/markup.js";
import { CHART_WIDTH, type ChartWidth, plotSvg } from "../html/plot-svg.js";
import { GRID, shortName, SOFT } from "./frame.js";

/** One metric under one setting. */
export interface MapCell {
  /** Symbol and change, such as `✗ +18.2 %`; `~` and `?` where no change is shown. */
  readonly text: string;
  /** All that is known, in words. */
  readonly tooltip: string;
  /** null: no difference is shown that matters. */
  readonly direction: Direction | null;
  /** null: not known, or from 0. */
  readonly ratio: number | null;
}

/** One metric. */
export interface MapRow {
  readonly label: string;
  /** One per column. */
  readonly cells: readonly MapCell[];
}

/** What is drawn. */
export interface ChangeMap {
  /** Such as `t (value of the option)`. */
  readonly axis: string;
  readonly columns: readonly string[];
  readonly rows: readonly MapRow[];
  /** What a screen reader says before the figures. */
  readonly label: string;
}

/** From these changes on, in either direction, a colour is one step deeper; they are the same in every report. */
export const MAP_STEPS = [0.05, 0.15, 0.4] as const;

/** The step of a change, from 1. */
export const mapStep = (ratio: number | null): number => {
  if (ratio === null || ratio <= 0) return MAP_STEPS.length + 1;
  // 1.25 and 0.8 are the same change in two directions; the hair keeps a step's edge in its step.
  const size = Math.exp(Math.abs(Math.log(ratio))) - 1;
  return 1 + MAP_STEPS.filter((edge) => size >= edge - 1e-9).length;
};

/** So many columns fit beside each other with their text; what is more goes below. */
const MOST_COLUMNS = { wide: 10, half: 4, narrow: 3 } as const satisfies Record<ChartWidth, number>;
const LABEL_WIDTH = { wide: 190, half: 150, narrow: 140 } as const satisfies Record<ChartWidth, number>;
const LABEL_CHARACTERS = { wide: 28, half: 21, narrow: 20 } as const satisfies Record<ChartWidth, number>;
const CELL = { width: 66, height: 30, name: 8 } as const;
const MARGINS = { top: 8, right: 4, bottom: 44 } as const;

interface Placed extends MapCell {
  readonly x: number;
  readonly y: number;
}

const fillOf = ({ direction, ratio }: MapCell): string =>
  direction === null ? "none" : `var(--${direction}-${mapStep(ratio)})`;

/** Some neighbouring columns. */
const drawPart = (map: ChangeMap, columns: readonly number[], width: ChartWidth): Markup => {
  const cells = map.rows.flatMap((row, y) => columns.map((x): Placed => ({ x, y, ...at(row.cells, x) })));
  const left = LABEL_WIDTH[width];
  // A row of few columns is not stretched, and the drawings below each other have cells of one size.
  const inner = columns.length * CELL.width;
  const place = { x: "x", y: "y" } as const;
  return plotSvg(
    {
      width: CHART_WIDTH[width],
      height: MARGINS.top + map.rows.length * CELL.height + MARGINS.bottom,
      marginTop: MARGINS.top,
      marginBottom: MARGINS.bottom,
      marginLeft: left,
      marginRight: Math.max(MARGINS.right, CHART_WIDTH[width] - left - inner),
      x: { type: "band", domain: [...columns], padding: 0 },
      y: { type: "band", domain: map.rows.map((_, index) => index), padding: 0 },
      marks: [
        Plot.axisY({
          tickSize: 0,
          tickFormat: (row: number) => shortName(at(map.rows, row).label, LABEL_CHARACTERS[width]),
          label: null,
          color: "currentColor",
        }),
        Plot.axisX({
          anchor: "bottom",
          tickSize: 0,
          tickFormat: (column: number) => shortName(at(map.columns, column), CELL.name),
          label: map.axis,
          labelAnchor: "left",
          labelArrow: "none",
          labelOffset: 36,
          color: SOFT,
        }),
        Plot.cell(cells, { ...place, fill: fillOf, stroke: GRID, inset: 1, title: ({ tooltip }) => tooltip }),
        Plot.text(
          cells.filter(({ direction }) => direction !== null),
          { ...place, text: "text", fontSize: 11, ariaLabel: "change in its cell", pointerEvents: "none" },
        ),
        Plot.text(
          cells.filter(({ direction }) => direction === null),
          { ...place, text: "text", fontSize: 11, fill: SOFT, pointerEvents: "none" },
        ),
      ],
    },
    `${map.label} ${map.rows
      .map(
        ({ label, cells: all }) =>
          `${label}: ${columns.map((x) => `${at(map.columns, x)} ${at(all, x).text}`).join(", ")}`,
      )
      .join("; ")}.`,
  );
};

/** Draws the map, in as many parts as its columns need. */
export const changeMap = (map: ChangeMap, width: ChartWidth): readonly Markup[] => {
  const most = MOST_COLUMNS[width];
  const parts = Math.ceil(map.columns.length / most);
  return Array.from({ length: parts }, (_, part) =>
    drawPart(map, [...map.columns.keys()].slice(part * most, (part + 1) * most), width),
  );
};
