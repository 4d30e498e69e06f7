/**
 * What a run has written down so far: closed statistics windows, RPS samples, seconds, intervals. Data in, histograms out;
 * no clock and no thread in here.
 *
 * Upstream counterpart: the locals of sleep_for_runtime and rps_stats.
 */
import { at, numberAt } from "../../at.js";
import { sumOfKnown } from "../../known.js";
import { distributionOf } from "../../model/metrics/distribution.js";
import type { IntervalResult, PhaseResult, SecondResult } from "../../model/result/run-result.js";
import { type Histogram, histogramOf, mergeHistograms, usedBuckets } from "../../stats/histogram/plat.js";
import { USEC_PER_SEC } from "../../units.js";
import { byKind } from "../memory/kinds.js";
import type { WindowStats } from "../memory/snapshot.js";

/** Closed windows of one phase in a row, in seconds since the clock started. */
export interface ClosedWindow {
  readonly stats: WindowStats;
  readonly startSec: number;
  readonly endSec: number;
  readonly phase: string;
  /** Run delay of all workers within the window; null where the kernel does not tell. */
  readonly runDelayUsec: number | null;
}

/** Sum of windows. */
export const sumWindows = (windows: readonly WindowStats[]): WindowStats => {
  const merged = (pick: (stats: WindowStats) => Histogram): Histogram => mergeHistograms(windows.map(pick));
  const total = (pick: (stats: WindowStats) => number): number => windows.reduce((sum, stats) => sum + pick(stats), 0);
  const [only] = windows;
  if (windows.length === 1 && only !== undefined) return only;
  return {
    ...byKind((kind) => merged((stats) => stats[kind])),
    lateness: merged(({ lateness }) => lateness),
    loops: total(({ loops }) => loops),
    loopsByWorker: (windows[0]?.loopsByWorker ?? []).map((_, worker) =>
      total(({ loopsByWorker }) => at(loopsByWorker, worker)),
    ),
    groups: (windows[0]?.groups ?? []).map((_, group) =>
      byKind((kind) => merged(({ groups }) => at(groups, group)[kind])),
    ),
    sent: total(({ sent }) => sent),
    dropped: total(({ dropped }) => dropped),
    unsent: total(({ unsent }) => unsent),
  };
};

/** RPS samples as schbench keeps them: whole requests per second. */
export const rpsHistogram = (samples: readonly number[]): Histogram => histogramOf(samples.map(Math.trunc));

/** Once a second, while the benchmark runs: only the used buckets are looked at, and nothing large is made. */
const bucketsBetween = (before: Histogram | null, now: Histogram): [number, number][] => {
  const buckets: [number, number][] = [];
  const { first, last } = usedBuckets(now);
  for (let i = first; i <= last; i++) {
    const count = numberAt(now.counts, i) - (before === null ? 0 : numberAt(before.counts, i));
    if (count > 0) buckets.push([i, count]);
  }
  return buckets;
};

/** One second of the run; its histograms are what has come since the last second of the same window. */
export const secondOf = (
  reading: Pick<SecondResult, "atSec" | "rps" | "goalPerSec" | "busyPercent">,
  before: WindowStats | null,
  now: WindowStats | null,
): SecondResult => ({
  ...reading,
  wakeup: now === null ? null : bucketsBetween(before?.wakeup ?? null, now.wakeup),
  request: now === null ? null : bucketsBetween(before?.request ?? null, now.request),
});

/** An interval report: everything since the start or the last restart. */
export const intervalResultOf = (
  atSec: number,
  stats: WindowStats,
  rpsSamples: readonly number[],
  currentRps: number,
  schedDelay: IntervalResult["schedDelay"],
): IntervalResult => ({
  atSec,
  wakeup: distributionOf(stats.wakeup, "usec"),
  request: distributionOf(stats.request, "usec"),
  rps: distributionOf(rpsHistogram(rpsSamples), "requests/s"),
  currentRps,
  schedDelay,
});

/** Two windows of one phase in a row as one, so that restarts do not pile up. */
export const joinWindows = (first: ClosedWindow, second: ClosedWindow): ClosedWindow => ({
  ...first,
  stats: sumWindows([first.stats, second.stats]),
  endSec: second.endSec,
  runDelayUsec:
    first.runDelayUsec === null || second.runDelayUsec === null ? null : first.runDelayUsec + second.runDelayUsec,
});

/** Time that all workers waited for a CPU in these windows; null where that is not known of one. */
export const workerWaitSec = (windows: readonly ClosedWindow[]): number | null => {
  if (windows.length === 0) return null;
  const usec = sumOfKnown(windows.map(({ runDelayUsec }) => runDelayUsec));
  return usec === null ? null : usec / USEC_PER_SEC;
};

/** The phases of a run: one per window when there are several; they add up to the whole. */
export const phasesOf = (windows: readonly ClosedWindow[]): PhaseResult[] => {
  if (windows.length < 2) return [];
  return windows.map(({ stats, startSec, endSec, phase, runDelayUsec }) => ({
    name: phase,
    startSec,
    endSec,
    loops: stats.loops,
    wakeup: distributionOf(stats.wakeup, "usec"),
    request: distributionOf(stats.request, "usec"),
    response: distributionOf(stats.response, "usec"),
    runDelayUsec,
  }));
};
