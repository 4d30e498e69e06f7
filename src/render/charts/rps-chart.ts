/** Requests per second over the time of each run. */
import * as Plot from "@observablehq/plot";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, seriesKey } from "../html/figure.js";
import type { Markup } from "../html/markup.js";
import { counted, figure } from "../html/quantity.js";
import { framed, SOFT } from "./frame.js";
import { CHART_WIDTH, type ChartWidth } from "./plot-svg.js";
import type { RunSeries } from "./run-series.js";
import { valueAxis } from "./value-axis.js";

const HEIGHT = { wide: 220, half: 220, narrow: 220 } as const satisfies Record<ChartWidth, number>;
const MARGINS = { top: 30, right: 16, bottom: 40, left: 60 };

interface RatePoint {
  readonly atSec: number;
  readonly rps: number;
  readonly tip: string;
}

const pointsOf = (series: RunSeries): readonly (readonly RatePoint[])[] =>
  series.runs.map((result, i) =>
    result.seconds.map(({ atSec, rps }) => ({
      atSec,
      rps,
      tip: `${series.name}, run ${i + 1}\n${figure(atSec)} s: ${figure(rps)} requests/s`,
    })),
  );

const draw = (subjects: readonly RunSeries[], width: ChartWidth): Markup => {
  const all = subjects.flatMap((series) => pointsOf(series).flat());
  const goals = subjects.flatMap(({ runs }) =>
    runs.flatMap(({ seconds }) =>
      seconds.flatMap(({ atSec, goalPerSec }) => (goalPerSec === null ? [] : [{ atSec, rps: goalPerSec }])),
    ),
  );
  const firstGoals = goals.filter((goal, i) => i === 0 || goal.atSec > (goals[i - 1]?.atSec ?? 0));
  const x = valueAxis([0, ...all.map((point) => point.atSec)], {
    fromZero: true,
    tickCount: width === "wide" ? 10 : 5,
  });
  const toSec = Math.max(1, ...all.map((point) => point.atSec));
  const y = valueAxis([...all.map((point) => point.rps), ...goals.map((goal) => goal.rps)], {
    leastSpan: 0.1,
    linearUpTo: Infinity,
  });
  const several = subjects.some(({ runs }) => runs.length > 1);
  return framed({
    width: CHART_WIDTH[width],
    height: HEIGHT[width],
    margins: MARGINS,
    x: { ...x, domain: [0, toSec], ticks: x.ticks.filter((tick) => tick <= toSec) },
    y,
    xLabel: "time in the run (s)",
    yLabel: "requests per second (1/s)",
    marks: [
      ...(firstGoals.length > 0
        ? [
            Plot.line(firstGoals, {
              x: "atSec",
              y: "rps",
              stroke: SOFT,
              strokeDasharray: "4 3",
              strokeWidth: 1.25,
              curve: "step-before",
            }),
          ]
        : []),
      ...subjects.flatMap((series) =>
        pointsOf(series).flatMap((points) => [
          Plot.line(points, {
            x: "atSec",
            y: "rps",
            stroke: series.style.colour,
            strokeWidth: several ? 1.25 : 1.75,
            strokeOpacity: several ? 0.75 : 1,
            ...(series.style.dash === "none" ? {} : { strokeDasharray: series.style.dash }),
          }),
          Plot.dot(points, { x: "atSec", y: "rps", r: 5, fill: series.style.colour, fillOpacity: 0, title: "tip" }),
        ]),
      ),
    ],
    label: `Requests per second over time, between ${figure(Math.min(...all.map((point) => point.rps)))} and ${figure(Math.max(...all.map((point) => point.rps)))}`,
  });
};

/** The figure of requests per second over time; null when no run has more than one second. */
export const rpsFigure = (subjects: readonly RunSeries[]): Figure | null => {
  const kept = subjects.filter(({ runs }) => runs.some(({ seconds }) => seconds.length > 1));
  if (kept.length === 0) return null;
  const runs = kept.reduce((sum, series) => sum + series.runs.length, 0);
  const hasGoal = kept.some((series) => series.runs.some((run) => run.seconds.some((s) => s.goalPerSec !== null)));
  return {
    title: "Requests per second over time",
    reading: `${runs > 1 ? `A line for each of ${counted(runs, "run")}; the` : "The"} axis does not begin at zero. A flat line is a steady run.${hasGoal ? " Grey, dashed: the rate asked for." : ""}`,
    key: kept.length > 1 ? seriesKey(kept) : null,
    draw: (width) => draw(kept, width),
    table: dataTable(
      [textColumn("subject"), numberColumn("run"), numberColumn("time (s)"), numberColumn("requests/s")],
      kept.flatMap((series) =>
        series.runs.flatMap((result, i) =>
          result.seconds.map(({ atSec, rps }) => [series.name, i + 1, figure(atSec), figure(rps)]),
        ),
      ),
    ),
  };
};
