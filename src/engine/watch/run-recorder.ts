/**
 * The books of one run: closes statistics windows, keeps RPS samples, seconds and intervals. It is told when something is
 * due (measure.ts) and reads the threads through the collector.
 *
 * Upstream counterpart: the locals of sleep_for_runtime, rps_stats and reset_thread_stats.
 */
import type { IntervalResult, SchedDelay, SecondResult } from "../../model/result/run-result.js";
import { NSEC_PER_SEC } from "../../units.js";
import { type ClosedWindow, intervalResultOf, joinWindows, secondOf, sumWindows } from "./run-log.js";
import type { Collector, WindowStats } from "../memory/snapshot.js";

/** What was recorded. */
export interface RunBooks {
  readonly windows: readonly ClosedWindow[];
  readonly rpsSamples: readonly number[];
  readonly seconds: readonly SecondResult[];
  readonly intervals: readonly IntervalResult[];
  readonly runtimeSec: number;
  /** Without warm-up; 0 when the run ended before that was over. */
  readonly measuredSec: number;
}

/** Reads of the kernel's counters that go into the books. */
export interface DelayReaders {
  readonly schedDelay: () => SchedDelay | null;
  readonly workerRunDelayUsec: () => number | null;
  /** What the second one said before the clock started. */
  readonly atStartUsec: number | null;
}

/** What a second adds besides statistics. */
export type SecondReading = Pick<SecondResult, "rps" | "goalPerSec" | "busyPercent">;

/** Keeps the books; every `nowNsec` is on the run's clock. */
export interface RunRecorder {
  /** The warm-up is over: what was recorded so far is dropped. */
  readonly endWarmup: (nowNsec: number) => void;
  /** @param counts the RPS of this second is a sample */
  readonly second: (nowNsec: number, reading: SecondReading, counts: boolean) => SecondResult;
  /** RPS samples so far do not count: the steering has just hit its target. */
  readonly restartRps: () => void;
  readonly interval: (nowNsec: number, currentRps: number) => IntervalResult;
  /** The window ends, and nothing else. */
  readonly closeWindow: (nowNsec: number) => void;
  /** Interval reports begin anew. */
  readonly restart: (nowNsec: number) => void;
  readonly phase: (nowNsec: number, name: string) => void;
  /**
   * The last entry, after the threads have been told to stop.
   *
   * @param runDelayUsec of all workers, read while they were there
   */
  readonly finish: (nowNsec: number, runDelayUsec: number | null) => RunBooks;
}

const secondsBetween = (startNsec: number, endNsec: number): number => (endNsec - startNsec) / NSEC_PER_SEC;

/**
 * Opens the books of a run.
 *
 * @param startNsec when the clock started
 * @param warmupSec 0: measured from the start
 * @param histogramSeconds of so many seconds, the first ones, histograms are kept
 */
export const createRecorder = (
  collector: Collector,
  delays: DelayReaders,
  startNsec: number,
  warmupSec: number,
  histogramSeconds: number,
): RunRecorder => {
  const windows: ClosedWindow[] = [];
  const seconds: SecondResult[] = [];
  const intervals: IntervalResult[] = [];
  let rpsSamples: number[] = [];
  let sinceRestart: { windows: WindowStats[]; rpsSamples: number[] } = { windows: [], rpsSamples: [] };
  let phaseName = "start";
  let lastSecond: WindowStats | null = null;
  /** Windows closed since the last second: what they hold belongs to the next one. */
  let closedSinceSecond: WindowStats[] = [];
  let lastRunDelayUsec = delays.atStartUsec;
  let windowStartNsec = startNsec;
  let measureStartNsec = warmupSec === 0 ? startNsec : null;

  const keepWindow = (stats: WindowStats, nowNsec: number, runDelayUsec: number | null): void => {
    const window: ClosedWindow = {
      stats,
      startSec: secondsBetween(startNsec, windowStartNsec),
      endSec: secondsBetween(startNsec, nowNsec),
      phase: phaseName,
      runDelayUsec: runDelayUsec === null || lastRunDelayUsec === null ? null : runDelayUsec - lastRunDelayUsec,
    };
    const last = windows.at(-1);
    if (last?.phase === phaseName) windows[windows.length - 1] = joinWindows(last, window);
    else windows.push(window);
    sinceRestart.windows.push(stats);
    closedSinceSecond.push(stats);
    windowStartNsec = nowNsec;
    lastRunDelayUsec = runDelayUsec;
  };
  const closeWindow = (nowNsec: number): void =>
    keepWindow(collector.closeWindow(), nowNsec, delays.workerRunDelayUsec());
  return {
    endWarmup: (nowNsec) => {
      collector.closeWindow();
      measureStartNsec = nowNsec;
      windowStartNsec = nowNsec;
      lastRunDelayUsec = delays.workerRunDelayUsec();
    },
    second: (nowNsec, reading, counts) => {
      if (counts) {
        rpsSamples.push(reading.rps);
        sinceRestart.rpsSamples.push(reading.rps);
      }
      const stats = seconds.length < histogramSeconds ? collector.current() : null;
      const sinceLast = stats === null ? null : sumWindows([...closedSinceSecond, stats]);
      const second = secondOf({ atSec: secondsBetween(startNsec, nowNsec), ...reading }, lastSecond, sinceLast);
      lastSecond = stats;
      closedSinceSecond = [];
      seconds.push(second);
      return second;
    },
    restartRps: () => {
      rpsSamples = [];
      sinceRestart.rpsSamples = [];
    },
    interval: (nowNsec, currentRps) => {
      const stats = sumWindows([...sinceRestart.windows, collector.current()]);
      const atSec = secondsBetween(startNsec, nowNsec);
      const interval = intervalResultOf(atSec, stats, sinceRestart.rpsSamples, currentRps, delays.schedDelay());
      intervals.push(interval);
      return interval;
    },
    closeWindow,
    restart: (nowNsec) => {
      closeWindow(nowNsec);
      sinceRestart = { windows: [], rpsSamples: [] };
    },
    phase: (nowNsec, name) => {
      // A phase that begins during the warm-up begins with the measured time.
      if (measureStartNsec !== null) closeWindow(nowNsec);
      phaseName = name;
    },
    finish: (nowNsec, runDelayUsec) => {
      const isWarm = measureStartNsec !== null;
      if (isWarm) keepWindow(collector.current(), nowNsec, runDelayUsec);
      return {
        windows,
        rpsSamples,
        seconds,
        intervals,
        runtimeSec: secondsBetween(startNsec, nowNsec),
        measuredSec: measureStartNsec === null ? 0 : secondsBetween(measureStartNsec, nowNsec),
      };
    },
  };
};
