/** Requests per second over the time of each run. */
import * as Plot from "@observablehq/plot";
import type { SecondResult } from "../../model/result/run-result.js";
import { largest } from "../../stats/sample.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, seriesKey } from "../html/figure.js";
import type { Markup } from "../html/markup.js";
import { counted, figure } from "../html/quantity.js";
import { framed, SOFT } from "./frame.js";
import { isMany, SUMMED_UP, summedUp } from "./many-runs.js";
import { CHART_WIDTH, type ChartWidth } from "../html/plot-svg.js";
import type { RunSeries } from "./run-series.js";
import { secondsAxis } from "./seconds-axis.js";
import { valueAxis } from "./value-axis.js";

const HEIGHT = { wide: 220, half: 220, narrow: 220 } as const satisfies Record<ChartWidth, number>;
const MARGINS = { top: 30, right: 16, bottom: 40, left: 60 };

/** Points of all lines together; longer runs are drawn as means of several seconds, with the range behind them. */
const MOST_POINTS = 480;
const LEAST_POINTS_PER_RUN = 40;

/** One or several seconds of a run. */
export interface RatePoint {
  /** End of the last second. */
  readonly atSec: number;
  /** Mean. */
  readonly rps: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Seconds put together so that at most about `most` points are left. */
export const ratePoints = (seconds: readonly SecondResult[], most: number): readonly RatePoint[] => {
  const perPoint = Math.max(1, Math.ceil(seconds.length / most));
  const points: RatePoint[] = [];
  for (let i = 0; i < seconds.length; i += perPoint) {
    const rates = seconds.slice(i, i + perPoint).map(({ rps }) => rps);
    points.push({
      atSec: seconds[Math.min(i + perPoint, seconds.length) - 1]?.atSec ?? i + perPoint,
      rps: rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
      lowest: Math.min(...rates),
      highest: Math.max(...rates),
    });
  }
  return points;
};

/** The same over all of many runs: means become medians, and the range is that of eight in ten runs. */
const summedUpPoints = (runs: readonly (readonly SecondResult[])[], most: number): readonly RatePoint[] => {
  const longest = largest(runs.map(({ length }) => length));
  const perPoint = Math.max(1, Math.ceil(longest / most));
  return Array.from({ length: Math.ceil(longest / perPoint) }, (_, point): RatePoint => {
    const seconds = runs.flatMap((run) => run.slice(point * perPoint, (point + 1) * perPoint));
    const { middle, lowest, highest } = summedUp(seconds.map(({ rps }) => rps));
    return { atSec: largest(seconds.map(({ atSec }) => atSec)), rps: middle, lowest, highest };
  });
};

interface RateLine {
  readonly series: RunSeries;
  /** null: all runs, summed up. */
  readonly run: number | null;
  readonly points: readonly RatePoint[];
}

const linesOf = (subjects: readonly RunSeries[]): readonly RateLine[] => {
  if (isMany(subjects))
    return subjects.map((series) => ({
      series,
      run: null,
      points: summedUpPoints(
        series.runs.map(({ seconds }) => seconds),
        Math.max(LEAST_POINTS_PER_RUN, Math.floor(MOST_POINTS / subjects.length)),
      ),
    }));
  const runs = subjects.reduce((sum, series) => sum + series.runs.length, 0);
  const most = Math.max(LEAST_POINTS_PER_RUN, Math.floor(MOST_POINTS / Math.max(runs, 1)));
  return subjects.flatMap((series) =>
    series.runs.map(({ seconds }, run) => ({ series, run, points: ratePoints(seconds, most) })),
  );
};

const tooltip = ({ series, run }: RateLine, { atSec, rps, lowest, highest }: RatePoint): string =>
  `${series.name}, ${run === null ? counted(series.runs.length, "run") : `run ${run + 1}`}\n${figure(atSec)} s: ${figure(rps)} requests/s${
    lowest === highest ? "" : ` (${figure(lowest)} to ${figure(highest)})`
  }`;

const draw = (subjects: readonly RunSeries[], width: ChartWidth): Markup => {
  const lines = linesOf(subjects);
  const all = lines.flatMap(({ points }) => points);
  // Runs that are many enough to be summed up are of one plan.
  const goals = subjects.flatMap(({ runs }) =>
    (isMany(subjects) ? runs.slice(0, 1) : runs).flatMap(({ seconds }) =>
      seconds.flatMap(({ atSec, goalPerSec }) => (goalPerSec === null ? [] : [{ atSec, rps: goalPerSec }])),
    ),
  );
  const firstGoals = goals.filter((goal, i) => i === 0 || goal.atSec > (goals[i - 1]?.atSec ?? 0));
  const toSec = Math.max(1, largest(all.map((point) => point.atSec)));
  const x = secondsAxis(toSec, width !== "wide");
  const y = valueAxis([...all.flatMap((point) => [point.lowest, point.highest]), ...goals.map((goal) => goal.rps)], {
    leastSpan: 0.1,
    linearUpTo: Infinity,
  });
  const several = lines.length > subjects.length;
  return framed({
    width: CHART_WIDTH[width],
    height: HEIGHT[width],
    margins: MARGINS,
    x,
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
      ...lines.flatMap((line) => [
        ...(line.points.some(({ lowest, highest }) => lowest < highest)
          ? [
              Plot.areaY(line.points, {
                x: "atSec",
                y1: "lowest",
                y2: "highest",
                fill: line.series.style.colour,
                fillOpacity: 0.18,
              }),
            ]
          : []),
        Plot.line(line.points, {
          x: "atSec",
          y: "rps",
          stroke: line.series.style.colour,
          strokeWidth: several ? 1.25 : 1.75,
          strokeOpacity: several ? 0.75 : 1,
          ...(line.series.style.dash === "none" ? {} : { strokeDasharray: line.series.style.dash }),
        }),
        Plot.dot(line.points, {
          x: "atSec",
          y: "rps",
          r: 5,
          fill: line.series.style.colour,
          fillOpacity: 0,
          title: (point: RatePoint) => tooltip(line, point),
        }),
      ]),
    ],
    label: `Requests per second over time, between ${figure(Math.min(...all.map((point) => point.lowest)))} and ${figure(Math.max(...all.map((point) => point.highest)))}`,
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
    reading: `${isMany(kept) ? `Lines: ${SUMMED_UP}. The` : runs > 1 ? `A line for each of ${counted(runs, "run")}; the` : "The"} axis does not begin at zero. A flat line is a steady run.${hasGoal ? " Grey, dashed: the requested rate." : ""}`,
    key: kept.length > 1 ? seriesKey(kept) : null,
    draw: (width) => draw(kept, width),
    table: dataTable(
      [textColumn("subject"), numberColumn("run"), numberColumn("time (s)"), numberColumn("requests/s")],
      linesOf(kept).flatMap(({ series, run, points }) =>
        points.map(({ atSec, rps }) => [series.name, run === null ? "median" : run + 1, figure(atSec), figure(rps)]),
      ),
    ),
  };
};
