/**
 * The machine during a run: readings are taken when the measured time starts and when it ends, and what lies between
 * them is what others did to the run.
 */
import { gain } from "../../known.js";
import type { Environment } from "../../model/result/run-result.js";
import { cpuIdsOf } from "../cpus/cpu-ids.js";
import { type CpuLimit, readThrottledUsec } from "../limits/cpu-limit.js";
import { type Files, readValue } from "../files.js";
import { type CpuTimes, cpuSharesBetween, readCpuPressureUsec, readCpuTimes } from "./proc-stat.js";
import { type SchedExt, readSchedExt } from "../scheduler/sched-ext.js";

/** Counters of the machine at one moment. */
export interface EnvironmentReading {
  /** Monotonic clock, seconds. */
  readonly atSec: number;
  readonly cpuTimes: CpuTimes | null;
  readonly cpuPressureUsec: number | null;
  readonly schedExt: SchedExt;
  /** CPU time that this process has used in all its threads, seconds. */
  readonly ownCpuSec: number;
  /** Time for which the CPU limit has stopped threads of its group, usec; null without a limit. */
  readonly throttledUsec: number | null;
  /** For how long the machine has been suspended since it booted, seconds. */
  readonly suspendedSec: number;
  /** Ids of the CPUs that are online; null where the kernel does not tell. */
  readonly onlineCpus: readonly number[] | null;
}

/** What the clocks say at a moment. */
export interface ClockReading {
  /** Monotonic clock, seconds. */
  readonly nowSec: number;
  /** CPU time of this process so far, seconds, from `process.cpuUsage()`. */
  readonly ownCpuSec: number;
  /** Of `suspendedNsec`, seconds. */
  readonly suspendedSec: number;
}

/** What lies between two readings: the part that goes into the result, and what the warnings need beside it. */
export interface EnvironmentDuring {
  readonly environment: Environment;
  /** CPU time that other processes used, in CPUs (1.5 = one and a half CPUs all the time); null where unknown. */
  readonly othersCpus: number | null;
  readonly throttledUsec: number | null;
  /** A scheduler was loaded, unloaded or reloaded meanwhile. */
  readonly schedExtChanged: boolean;
  /** How long the machine was suspended. */
  readonly suspendedSec: number;
  /** CPUs that were online before and are not after, and the other way round. */
  readonly cpusGone: readonly number[];
  readonly cpusCome: readonly number[];
}

const ONLINE_CPUS = "/sys/devices/system/cpu/online";

const readOnlineCpus = (files: Files): readonly number[] | null => {
  const text = readValue(files, ONLINE_CPUS);
  return text === null ? null : cpuIdsOf(text);
};

/**
 * Reads the counters; microseconds of work, cheap enough to be done right before and right after the measured time.
 *
 * @param limit of `tightestCpuLimit`; null: none
 */
export const readEnvironment = (
  files: Files,
  { nowSec, ownCpuSec, suspendedSec }: ClockReading,
  limit: CpuLimit | null,
): EnvironmentReading => ({
  atSec: nowSec,
  cpuTimes: readCpuTimes(files),
  cpuPressureUsec: readCpuPressureUsec(files),
  schedExt: readSchedExt(files),
  ownCpuSec,
  throttledUsec: readThrottledUsec(files, limit),
  suspendedSec,
  onlineCpus: readOnlineCpus(files),
});

/** What is in the first list and not in the second; none where one of them is not known. */
const without = (cpus: readonly number[] | null, others: readonly number[] | null): readonly number[] =>
  others === null ? [] : (cpus?.filter((cpu) => !others.includes(cpu)) ?? []);

/**
 * Pure: what happened between two readings.
 *
 * @param cpusOnline number of CPUs that /proc/stat sums up
 */
export const environmentBetween = (
  before: EnvironmentReading,
  after: EnvironmentReading,
  cpusOnline: number,
): EnvironmentDuring => {
  const elapsedSec = after.atSec - before.atSec;
  const shares = cpuSharesBetween(before.cpuTimes, after.cpuTimes);
  const pressureUsec = gain(before.cpuPressureUsec, after.cpuPressureUsec);
  const known = elapsedSec > 0;
  return {
    environment: {
      stealPercent: shares?.stealPercent ?? null,
      busyPercent: shares?.busyPercent ?? null,
      cpuPressureSomePercent:
        pressureUsec === null || !known ? null : Math.min(100, pressureUsec / elapsedSec / 10_000),
      schedExtBefore: before.schedExt.name,
      schedExtAfter: after.schedExt.name,
    },
    othersCpus:
      shares === null || !known
        ? null
        : Math.max(
            0,
            ((shares.busyPercent - shares.stealPercent) / 100) * cpusOnline -
              (after.ownCpuSec - before.ownCpuSec) / elapsedSec,
          ),
    throttledUsec: gain(before.throttledUsec, after.throttledUsec),
    schedExtChanged:
      before.schedExt.name !== after.schedExt.name || before.schedExt.enableSeq !== after.schedExt.enableSeq,
    suspendedSec: Math.max(0, after.suspendedSec - before.suspendedSec),
    cpusGone: without(before.onlineCpus, after.onlineCpus),
    cpusCome: without(after.onlineCpus, before.onlineCpus),
  };
};
