/** The heat map of latency over time: where in the run a hiccup was, which percentiles of the whole run cannot say. */
import * as Plot from "@observablehq/plot";
import { smallest } from "../../stats/sample.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import type { Figure } from "../html/figure.js";
import { type Content, type Markup, markup } from "../html/markup.js";
import { HEAT_STEPS, heatColour } from "../html/palette.js";
import { capitalised, figure, figureOr, usecText } from "../html/quantity.js";
import { framed, GROUND, SOFT } from "./frame.js";
import {
  cellEdges,
  columnsByRun,
  heatColumns,
  type HeatColumn,
  largestDrawn,
  type PerSecondName,
} from "./heat-columns.js";
import { CHART_WIDTH, type ChartWidth } from "../html/plot-svg.js";
import { isMany } from "./many-runs.js";
import type { RunSeries } from "./run-series.js";
import { secondsAxis } from "./seconds-axis.js";
import { valueAxis } from "./value-axis.js";

const LAYOUT = {
  wide: { columns: 120, rows: 26 },
  half: { columns: 60, rows: 26 },
  narrow: { columns: 40, rows: 18 },
} as const satisfies Record<ChartWidth, { readonly columns: number; readonly rows: number }>;

const HEIGHT = 230;
const MARGINS = { top: 30, right: 16, bottom: 40, left: 56 };
const LEAST_USEC = 0.5;

/** Rows to a decade, so that the values fill about so many rows. */
const rowsPerDecade = (leastUsec: number, largestUsec: number, rows: number): number =>
  Math.min(Math.max(Math.round(rows / Math.log10(largestUsec / leastUsec + 1e-9)), 4), 100);

interface DrawnCell {
  readonly column: HeatColumn;
  readonly lowUsec: number;
  readonly highUsec: number;
  readonly count: number;
  readonly step: number;
}

/** Step of the colour scale for a count: logarithmic, so that a single slow request stays visible beside thousands. */
export const heatStep = (count: number, largest: number): number =>
  largest <= 1 ? HEAT_STEPS : 1 + Math.round((Math.log(count) / Math.log(largest)) * (HEAT_STEPS - 1));

const runsText = ({ run, lastRun }: HeatColumn): string =>
  run === lastRun ? `run ${run + 1}` : `runs ${run + 1}–${lastRun + 1}`;

const whereText = (column: HeatColumn, runs: number, byRun: boolean): string => {
  if (byRun) return runsText(column);
  return `${runs > 1 ? `${runsText(column)}, ` : ""}${column.runFromSec}–${column.runToSec} s`;
};

const tooltip = (cell: DrawnCell, where: string, name: PerSecondName): string => {
  const range =
    cell.highUsec - cell.lowUsec === 1
      ? `${figure(cell.lowUsec)} µs`
      : `${figure(cell.lowUsec)} to ${figure(cell.highUsec - 1)} µs`;
  return `${where}\n${name} ${range}: ${figure(cell.count)}`;
};

interface Boundary {
  readonly atSec: number;
  readonly run: number;
}

const boundaries = (columns: readonly HeatColumn[]): readonly Boundary[] =>
  columns
    .filter((column, i) => i === 0 || columns[i - 1]?.run !== column.run)
    .map((column) => ({ atSec: column.fromSec, run: column.run }));

const p99Line = (columns: readonly HeatColumn[]): readonly Plot.Markish[] => {
  const points = columns.flatMap((column) =>
    column.p99Usec === null ? [] : [{ x1: column.fromSec, x2: column.toSec, y: Math.max(column.p99Usec, LEAST_USEC) }],
  );
  const bar = { x1: "x1", x2: "x2", y: "y" } as const;
  return [
    Plot.ruleY(points, { ...bar, stroke: GROUND, strokeWidth: 3 }),
    Plot.ruleY(points, { ...bar, stroke: "var(--series-2)", strokeWidth: 1.75 }),
  ];
};

/** What the drawings of all subjects have in common. */
interface CommonAxes {
  readonly name: PerSecondName;
  readonly largestUsec: number;
  readonly leastUsec: number;
  /** A column is a run or several, not a second or several. */
  readonly byRun: boolean;
}

const drawOne = (series: RunSeries, { name, largestUsec, leastUsec, byRun }: CommonAxes, width: ChartWidth): Markup => {
  const { columns: most, rows } = LAYOUT[width];
  const edges = cellEdges(largestUsec, rowsPerDecade(leastUsec, largestUsec, rows));
  const columns = (byRun ? columnsByRun : heatColumns)(series.runs, name, edges, most);
  const largestCount = Math.max(1, ...columns.flatMap((column) => column.cells.map((cell) => cell.count)));
  const cells = columns.flatMap((column) =>
    column.cells.map((cell): DrawnCell => ({ column, ...cell, step: heatStep(cell.count, largestCount) })),
  );
  const starts = byRun ? [] : boundaries(columns);
  const x = secondsAxis(columns.at(-1)?.toSec ?? 1, width !== "wide");
  const y = valueAxis([leastUsec * 0.98, edges.at(-1) ?? largestUsec], { linearUpTo: 1, tight: true });
  return framed({
    width: CHART_WIDTH[width],
    height: HEIGHT,
    margins: MARGINS,
    x,
    y,
    xLabel: byRun || starts.length > 1 ? "time, runs in a row (s)" : "time (s)",
    yLabel: `${name} latency (µs, logarithmic)`,
    marks: [
      ...Array.from({ length: HEAT_STEPS }, (_, i) =>
        Plot.rect(
          cells.filter((cell) => cell.step === i + 1),
          {
            x1: (cell: DrawnCell) => cell.column.fromSec,
            x2: (cell: DrawnCell) => cell.column.toSec,
            y1: (cell: DrawnCell) => Math.max(cell.lowUsec, y.domain[0]),
            y2: (cell: DrawnCell) => Math.min(cell.highUsec, y.domain[1]),
            fill: heatColour(i + 1),
            inset: 0.25,
            title: (cell: DrawnCell) => tooltip(cell, whereText(cell.column, series.runs.length, byRun), name),
          },
        ),
      ),
      ...p99Line(columns),
      ...(starts.length > 1
        ? [
            Plot.ruleX(starts.slice(1), { x: "atSec", stroke: SOFT, strokeWidth: 1, strokeDasharray: "2 2" }),
            Plot.text(width === "wide" || starts.length <= 4 ? starts : [], {
              x: "atSec",
              text: (start: Boundary) => `run ${start.run + 1}`,
              frameAnchor: "top",
              textAnchor: "start",
              dx: 4,
              dy: -13,
              fill: SOFT,
              fontSize: 11,
            }),
          ]
        : []),
    ],
    label: `${series.name}: ${name} latency over ${figure(x.domain[1])} seconds, at most ${usecText(largestUsec)}`,
  });
};

const leastPerSecond = (subjects: readonly RunSeries[], name: PerSecondName): number => {
  const least = smallest(subjects.flatMap(({ runs }) => runs.flatMap((result) => result[name]?.min ?? [])));
  return Math.max(least === Infinity ? 1 : least, LEAST_USEC);
};

const table = (subjects: readonly RunSeries[], name: PerSecondName, byRun: boolean): Content =>
  dataTable(
    [
      textColumn("subject"),
      numberColumn("run"),
      ...(byRun ? [] : [numberColumn("from (s)"), numberColumn("to (s)")]),
      numberColumn("samples"),
      numberColumn("p50 (µs)"),
      numberColumn("p99 (µs)"),
    ],
    subjects.flatMap((series) =>
      (byRun ? columnsByRun : heatColumns)(series.runs, name, [0], LAYOUT.wide.columns).map((column) => [
        series.name,
        byRun ? runsText(column).replace(/^runs? /, "") : column.run + 1,
        ...(byRun ? [] : [figure(column.runFromSec), figure(column.runToSec)]),
        figure(column.cells.reduce((sum, cell) => sum + cell.count, 0)),
        figureOr(column.p50Usec),
        figureOr(column.p99Usec),
      ]),
    ),
  );

/** The heat maps of one latency, one drawing per subject on common axes; null when no run kept seconds. */
export const heatMapFigure = (subjects: readonly RunSeries[], name: PerSecondName): Figure | null => {
  const byRun = isMany(subjects);
  const measured = subjects.map((series) => ({ series, largestUsec: largestDrawn(series.runs, name, byRun) }));
  const kept = measured.flatMap(({ series, largestUsec }) => (largestUsec === null ? [] : series));
  if (kept.length === 0) return null;
  const largestUsec = Math.max(...measured.map((one) => one.largestUsec ?? 0));
  const leastUsec = leastPerSecond(kept, name);
  return {
    title: `${capitalised(name)} latency over time`,
    reading: markup`${byRun ? "Each column is a run, or several. " : null}Darker (lighter in dark mode): more samples, on a logarithmic scale. <span class="number-2">━</span> p99 of
      each column. A cell far above the rest is a hiccup.`,
    draw: (width) =>
      kept.map((series) => [
        kept.length > 1
          ? markup`<p class="key">
              <span class="number-${series.number}" aria-hidden="true">${series.style.mark}</span>
              <bdi>${series.name}</bdi>
            </p>`
          : null,
        drawOne(series, { name, largestUsec, leastUsec, byRun }, width),
      ]),
    table: table(kept, name, byRun),
  };
};
