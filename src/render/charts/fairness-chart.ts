/** How evenly the workers were served: requests of each worker against the mean of its run. */
import * as Plot from "@observablehq/plot";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, seriesKey } from "../html/figure.js";
import { type Markup, markup } from "../html/markup.js";
import { changeText, counted, figure, figureOr } from "../html/quantity.js";
import { framed, SOFT } from "./frame.js";
import { CHART_WIDTH, type ChartWidth } from "../html/plot-svg.js";
import { isMany } from "./many-runs.js";
import type { RunSeries } from "./run-series.js";
import { valueAxis } from "./value-axis.js";

const HEIGHT = 220;
const MARGINS = { top: 30, right: 16, bottom: 40, left: 60 };

/** More marks than this are drawn as means over the runs. */
const MOST_MARKS = 1500;

/** One worker of one run (null: mean over the runs); `sharePercent` is 100 where it did as many requests as the mean worker. */
export interface WorkerShare {
  readonly run: number | null;
  readonly worker: number;
  readonly loops: number;
  readonly sharePercent: number;
  readonly runDelayUsec: number | null;
  readonly migrations: number | null;
}

/** The shares of all workers, of the runs that have more than one. */
export const workerShares = (series: RunSeries): readonly WorkerShare[] =>
  series.runs.flatMap((result, run) => {
    const workers = result.threads.flatMap((thread) =>
      thread.role === "worker" && thread.loops !== null ? [{ ...thread, loops: thread.loops }] : [],
    );
    const mean = workers.reduce((sum, worker) => sum + worker.loops, 0) / workers.length;
    if (workers.length < 2 || mean === 0) return [];
    return workers.map((worker) => ({
      run,
      worker: worker.index,
      loops: worker.loops,
      sharePercent: (100 * worker.loops) / mean,
      runDelayUsec: worker.runDelayUsec,
      migrations: worker.migrations,
    }));
  });

const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};

/** Each worker once: its mean over the runs. */
export const averagedShares = (shares: readonly WorkerShare[]): readonly WorkerShare[] => {
  const byWorker = new Map<number, WorkerShare[]>();
  for (const share of shares) {
    const known = byWorker.get(share.worker);
    if (known === undefined) byWorker.set(share.worker, [share]);
    else known.push(share);
  }
  return [...byWorker].map(([worker, some]) => ({
    run: null,
    worker,
    loops: Math.round(meanOf(some.map(({ loops }) => loops)) ?? 0),
    sharePercent: meanOf(some.map(({ sharePercent }) => sharePercent)) ?? 100,
    runDelayUsec: meanOf(some.map(({ runDelayUsec }) => runDelayUsec)),
    migrations: meanOf(some.map(({ migrations }) => migrations)),
  }));
};

const runName = ({ run }: WorkerShare): string => (run === null ? "mean of the runs" : `run ${run + 1}`);

const draw = (
  subjects: readonly { readonly series: RunSeries; readonly shares: readonly WorkerShare[] }[],
  width: ChartWidth,
): Markup => {
  const all = subjects.flatMap(({ shares }) => shares);
  const largestIndex = Math.max(...all.map((share) => share.worker));
  const span = valueAxis(
    all.flatMap(({ sharePercent }) => [sharePercent, Math.max(200 - sharePercent, 0)]),
    { leastSpan: 0.1, linearUpTo: Infinity },
  );
  const x = valueAxis([0, largestIndex], { linearUpTo: Infinity, tickCount: width === "wide" ? 12 : 6 });
  const many = largestIndex > 60;
  return framed({
    width: CHART_WIDTH[width],
    height: HEIGHT,
    margins: MARGINS,
    x: {
      ...x,
      domain: [-0.5, largestIndex + 0.5],
      ticks: x.ticks.filter((tick) => Number.isInteger(tick) && tick <= largestIndex),
    },
    y: span,
    xLabel: "worker thread (index)",
    yLabel: "share of requests (% of the mean worker)",
    marks: [
      Plot.ruleY([100], { stroke: SOFT, strokeWidth: 1 }),
      ...subjects.flatMap(({ series, shares }, i) => [
        Plot.dot(shares, {
          x: (share: WorkerShare) => share.worker + (i - (subjects.length - 1) / 2) * 0.16,
          y: "sharePercent",
          r: many ? 1.75 : 3.5,
          symbol: series.style.symbol,
          stroke: series.style.colour,
          strokeWidth: 1.25,
          fill: series.style.colour,
          fillOpacity: 0.35,
          title: (share: WorkerShare) =>
            `${series.name}, ${runName(share)}, worker ${share.worker}\n${figure(share.loops)} requests, ${share.sharePercent.toFixed(1)} % of the mean`,
        }),
      ]),
    ],
    label: `Share of requests by worker: from ${Math.min(...all.map((s) => s.sharePercent)).toFixed(1)} to ${Math.max(...all.map((s) => s.sharePercent)).toFixed(1)} percent of the mean worker`,
  });
};

/** The figure of fairness; null when no run lists several workers. */
export const fairnessFigure = (subjects: readonly RunSeries[]): Figure | null => {
  const found = subjects
    .map((series) => ({ series, shares: workerShares(series) }))
    .filter(({ shares }) => shares.length > 0);
  if (found.length === 0) return null;
  const runs = found.reduce((sum, { shares }) => sum + new Set(shares.map((share) => share.run)).size, 0);
  const averaged = isMany(subjects) || found.reduce((sum, { shares }) => sum + shares.length, 0) > MOST_MARKS;
  const kept = averaged ? found.map(({ series, shares }) => ({ series, shares: averagedShares(shares) })) : found;
  return {
    title: "Fairness between workers",
    reading: markup`A mark for each worker${averaged ? ", the mean over its runs" : runs > 1 ? markup` of each of ${counted(runs, "run")}` : null}; a worker
    on the line did as many requests as the mean. Workers far from the line were favoured or starved.`,
    key: kept.length > 1 ? seriesKey(kept.map(({ series }) => series)) : null,
    draw: (width) => draw(kept, width),
    table: dataTable(
      [
        textColumn("subject"),
        numberColumn("run"),
        numberColumn("worker"),
        numberColumn("requests"),
        numberColumn("against the mean"),
        numberColumn("run delay (µs)"),
        numberColumn("migrations"),
      ],
      kept.flatMap(({ series, shares }) =>
        shares.map((share) => [
          series.name,
          share.run === null ? "mean" : share.run + 1,
          share.worker,
          figure(share.loops),
          changeText(share.sharePercent / 100),
          figureOr(share.runDelayUsec === null ? null : Math.round(share.runDelayUsec)),
          figureOr(share.migrations),
        ]),
      ),
    ),
  };
};
