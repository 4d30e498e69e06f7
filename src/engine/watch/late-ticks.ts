/**
 * Ticks that came late. Between ticks the main thread sleeps: one that comes a second late says that the process was stopped
 * (Ctrl-Z, kill -STOP, a debugger, a frozen control group), or that the thread waited so long for a CPU. A machine that is
 * suspended is another matter: the run's clock stands still meanwhile (platform/machine/environment.ts).
 */
import type { Warning } from "../../model/result/run-result.js";
import type { Files } from "../../platform/files.js";
import { readSchedStat } from "../../platform/threads/proc-thread.js";
import { NSEC_PER_SEC } from "../../units.js";
import { tickNsec } from "./run-clock.js";

/** From here on a tick is late; whole seconds are then missing. */
const LATE_NSEC = NSEC_PER_SEC;

/** A tick that came late. */
export interface LateTick {
  /** How long after its moment it came. */
  readonly lateSec: number;
  /** Since the main thread had last been up: a pause was not longer than this. */
  readonly awaySec: number;
  /** How much of it the main thread was runnable and had no CPU; null where the kernel does not tell. */
  readonly waitedSec: number | null;
}

/** Watches when ticks come. */
export interface TickWatch {
  /**
   * A tick has come.
   *
   * @returns the last tick whose moment is past, rounded: the tick itself unless it is late
   */
  readonly came: (tick: number, nowNsec: number) => number;
  readonly lateTicks: () => readonly LateTick[];
}

const runDelayNsec = (files: Files): number | null => readSchedStat(files, process.pid)?.runDelayNsec ?? null;

/**
 * Watches the ticks of a run.
 *
 * @param warmupSec ticks that were due by then are late for nobody: what they missed is dropped
 */
export const createTickWatch = (files: Files, startNsec: number, warmupSec: number): TickWatch => {
  const lateTicks: LateTick[] = [];
  let lastNsec = startNsec;
  let lastDelayNsec = runDelayNsec(files);
  return {
    came: (tick, nowNsec) => {
      const lateNsec = nowNsec - tickNsec(startNsec, tick);
      const isLate = lateNsec >= LATE_NSEC;
      const delayNsec = runDelayNsec(files);
      if (isLate && tick > warmupSec)
        lateTicks.push({
          lateSec: lateNsec / NSEC_PER_SEC,
          awaySec: (nowNsec - lastNsec) / NSEC_PER_SEC,
          waitedSec: delayNsec === null || lastDelayNsec === null ? null : (delayNsec - lastDelayNsec) / NSEC_PER_SEC,
        });
      lastNsec = nowNsec;
      lastDelayNsec = delayNsec;
      return isLate ? Math.round((nowNsec - startNsec) / NSEC_PER_SEC) : tick;
    },
    lateTicks: () => lateTicks,
  };
};

const total = (late: readonly LateTick[], length: (tick: LateTick) => number): number =>
  late.reduce((sum, tick) => sum + length(tick), 0);

/** Between the least and the most that it can have been, tenths of a second. */
const lengthOf = (late: readonly LateTick[]): string => {
  const least = Math.floor(total(late, ({ lateSec }) => lateSec) * 10) / 10;
  const most = Math.ceil(total(late, ({ awaySec }) => awaySec) * 10) / 10;
  return `${late.length === 1 ? "" : `${late.length} times, `}for ${least.toFixed(1)} to ${most.toFixed(1)} s${
    late.length === 1 ? "" : " in all"
  }`;
};

/** Most of the time it could have run, had it been given a CPU. */
const isWait = ({ lateSec, waitedSec }: LateTick): boolean => waitedSec !== null && waitedSec >= lateSec / 2;

/** Pure: what late ticks say about a run. */
export const lateTickWarnings = (late: readonly LateTick[]): readonly Warning[] => {
  const pauses = late.filter((tick) => !isWait(tick));
  const waits = late.filter(isWait);
  return [
    pauses.length === 0
      ? []
      : {
          code: "paused",
          message: `the run was paused ${lengthOf(pauses)}: its process was stopped, and the percentiles and averages contain the pause`,
          cure: "Repeat the run without stopping it (Ctrl-Z, kill -STOP, a debugger, a frozen control group).",
        },
    waits.length === 0
      ? []
      : {
          code: "seconds-joined",
          message: `the main thread had to wait for a CPU ${lengthOf(waits)}: some RPS samples cover that time instead of a second`,
          cure: "Leave the main thread a CPU: pin the others with -M and -W.",
        },
  ].flat();
};
