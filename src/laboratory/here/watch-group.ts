/**
 * Watches the benchmark threads of a process group from outside, so that any schbench has a fingerprint: its counters are read
 * when all threads are up and shortly before its time is over. Two readings of a few files a thread disturb nothing in between.
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Families, ROLE_BY_NAME } from "../../fingerprint/families.js";
import type { Tape } from "../../fingerprint/tape.js";
import { tracedFingerprint } from "../../fingerprint/traced-roles.js";
import {
  createdByMessage,
  watchedFingerprint,
  type WatchedThread,
  type WatchReading,
} from "../../fingerprint/watched.js";
import type { Fingerprint, RequestRate } from "../../model/result/fingerprint.js";
import type { Files } from "../../platform/files.js";
import { readThreadCounters } from "../../platform/threads/proc-thread.js";

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

const withParents = (threads: readonly WatchedThread[], families: Families | null): readonly WatchedThread[] => {
  const messages = new Set(threads.flatMap(({ tid, role }) => (role === "message" ? [tid] : [])));
  return threads.map((thread) => {
    const parent = families?.parentOf(thread.tid) ?? null;
    const isOwn = thread.role === "worker" && parent !== null && messages.has(parent);
    return isOwn ? { ...thread, messageTid: parent } : thread;
  });
};

/** The benchmark threads of an older schbench, which does not name them: the trace of their births tells them. */
const unnamedThreads = (tids: readonly number[], families: Families | null): readonly WatchedThread[] =>
  families?.members().filter(({ tid }) => tids.includes(tid)) ?? [];

/** The benchmark threads in a process group, and the process. */
const threadsOf = (
  files: Files,
  group: number,
  families: Families | null,
): { readonly pid: string; readonly threads: readonly WatchedThread[] } | null => {
  for (const pid of files.list("/proc").filter((name) => /^\d+$/.test(name))) {
    if (groupOf(files.readText(`/proc/${pid}/stat`, 1024)) !== group) continue;
    const tids = files.list(`/proc/${pid}/task`).map(Number);
    const named = tids.flatMap((tid): WatchedThread[] => {
      const role = ROLE_BY_NAME.get((files.readText(`/proc/${pid}/task/${tid}/comm`, 64) ?? "").trim());
      return role === undefined ? [] : [{ tid, role, messageTid: null }];
    });
    const threads = named.length > 0 ? withParents(named, families) : unnamedThreads(tids, families);
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

/** A benchmark that is watched. */
export interface WatchedGroup {
  readonly group: number;
  /** How long it runs. */
  readonly runtimeSec: number;
  /** The kernel's trace of it, which has been started; null: counters alone. */
  readonly tape: Tape | null;
}

/**
 * Watches a group until its benchmark is about to end.
 *
 * @param ended aborted when the program has ended
 */
export const watchGroup = async (
  files: Files,
  { group, runtimeSec, tape }: WatchedGroup,
  ended: AbortSignal,
): Promise<Watched> => {
  const look = () => threadsOf(files, group, tape?.families() ?? null);
  let found = null;
  while (found === null) {
    if (!(await slept(LOOK_MSEC, ended))) return () => null;
    found = look();
  }
  const seenSec = performance.now() / 1000;
  if (!(await slept(SETTLE_SEC * 1000, ended))) return () => null;
  // More may have come up since the first was seen.
  const { pid, threads } = look() ?? found;
  const readings = [readAll(files, pid, threads)];
  tape?.begin();
  tape?.watch();
  const lastSec = seenSec + runtimeSec - BEFORE_END_SEC;
  const firstSec = readings[0]?.atSec ?? seenSec;
  for (let reading = 1; reading < READINGS; reading++) {
    const dueSec = firstSec + ((lastSec - firstSec) * reading) / (READINGS - 1);
    if (!(await slept(Math.max(0, dueSec * 1000 - performance.now()), ended))) return () => null;
    readings.push(readAll(files, pid, threads));
  }
  if (tape === null) return (rate) => watchedFingerprint(threads, readings, rate);
  tape.stop();
  // What was recorded is counted when the benchmark is over: that takes CPU time.
  if (!ended.aborted) await once(ended, "abort");
  const counts = tape.counts();
  return (rate) => {
    const seen = watchedFingerprint(threads, readings, rate);
    if (seen === null) return null;
    const traced = tracedFingerprint(seen, counts, threads, seen, process.arch);
    return { ...traced, createdByMessage: createdByMessage(threads) };
  };
};
