/**
 * Watches the benchmark threads of a process group from outside, so that any schbench has a fingerprint: its counters are read
 * when all threads are up and shortly before its time is over. Two readings of a few files a thread disturb nothing in between.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ROLE_BY_NAME } from "../fingerprint/families.js";
import { watchedFingerprint, type WatchedThread, type WatchReading } from "../fingerprint/watched.js";
import type { Fingerprint, RequestRate } from "../model/fingerprint.js";
import type { Files } from "../platform/files.js";
import { readThreadCounters } from "../platform/proc-thread.js";

/** How often is looked whether the threads are up. */
const LOOK_MSEC = 40;
/** Threads that have just begun are let settle. */
const SETTLE_SEC = 0.15;
/** The last reading is so long before the end: a program may count its time from later than we do, never from earlier. */
const BEFORE_END_SEC = 0.2;
/** Where threads stand is read so often in between. */
const READINGS = 4;

/** The fingerprint once the run's average rate is known; null: the threads were not there long enough. */
export type Watched = (rate: RequestRate) => Fingerprint | null;

const groupOf = (stat: string | null): number | null => {
  const [, group] = /^.*\) \S \d+ (\d+) /s.exec(stat ?? "") ?? [];
  return group === undefined ? null : Number(group);
};

/** Threads with the names of benchmark threads in a process group, and whose they are. */
const threadsOf = (
  files: Files,
  group: number,
): { readonly pid: string; readonly threads: readonly WatchedThread[] } | null => {
  for (const pid of files.list("/proc").filter((name) => /^\d+$/.test(name))) {
    if (groupOf(files.readText(`/proc/${pid}/stat`, 1024)) !== group) continue;
    const threads = files.list(`/proc/${pid}/task`).flatMap((tid): WatchedThread[] => {
      const role = ROLE_BY_NAME.get((files.readText(`/proc/${pid}/task/${tid}/comm`, 64) ?? "").trim());
      return role === undefined ? [] : [{ tid: Number(tid), role }];
    });
    if (threads.some(({ role }) => role === "worker")) return { pid, threads };
  }
  return null;
};

/** Sleeps; false when the program ended meanwhile. */
const slept = async (msec: number, ended: AbortSignal): Promise<boolean> => {
  try {
    await sleep(msec, undefined, { signal: ended });
    return true;
  } catch {
    return false;
  }
};

const readAll = (files: Files, pid: string, threads: readonly WatchedThread[]): WatchReading => ({
  atSec: performance.now() / 1000,
  counters: new Map(threads.map(({ tid }) => [tid, readThreadCounters(files, tid, `/proc/${pid}/task`)])),
});

/**
 * Watches a group until its benchmark is about to end.
 *
 * @param runtimeSec how long the benchmark runs
 * @param ended aborted when the program has ended
 */
export const watchGroup = async (
  files: Files,
  group: number,
  runtimeSec: number,
  ended: AbortSignal,
): Promise<Watched> => {
  let found = null;
  while (found === null) {
    if (!(await slept(LOOK_MSEC, ended))) return () => null;
    found = threadsOf(files, group);
  }
  const seenSec = performance.now() / 1000;
  if (!(await slept(SETTLE_SEC * 1000, ended))) return () => null;
  // More may have come up since the first was seen.
  const { pid, threads } = threadsOf(files, group) ?? found;
  const readings = [readAll(files, pid, threads)];
  const lastSec = seenSec + runtimeSec - BEFORE_END_SEC;
  const firstSec = readings[0]?.atSec ?? seenSec;
  for (let reading = 1; reading < READINGS; reading++) {
    const dueSec = firstSec + ((lastSec - firstSec) * reading) / (READINGS - 1);
    if (!(await slept(Math.max(0, dueSec * 1000 - performance.now()), ended))) return () => null;
    readings.push(readAll(files, pid, threads));
  }
  return (rate) => watchedFingerprint(threads, readings, rate);
};
