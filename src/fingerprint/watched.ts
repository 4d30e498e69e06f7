/**
 * The fingerprint of any schbench, taken from outside: two readings of every thread's counters while it runs. Counts are
 * divided by the requests that the average rate gives for the time between the readings. Pure.
 */
import type { Fingerprint, RequestRate, Role } from "../model/result/fingerprint.js";
import type { ThreadCounters } from "../platform/threads/proc-thread.js";
import { besideShare, placementOf } from "./placement.js";
import { deedBetween, roleFigures } from "./role-figures.js";

/** A thread by its id, with the role that its name or its parent tells. */
export interface WatchedThread {
  readonly tid: number;
  readonly role: Role;
  /** The message thread that created a worker; null: not known, and for message threads. */
  readonly messageTid: number | null;
}

/** The counters of all threads at one moment, by thread id. */
export interface WatchReading {
  readonly atSec: number;
  readonly counters: ReadonlyMap<number, ThreadCounters>;
}

const NO_PROCESSOR = { instructions: null, cycles: null };

/** Whose a worker is. Without a trace only a lone message thread tells. */
const messageOf = ({ messageTid }: WatchedThread, messages: readonly WatchedThread[]): number | null =>
  messageTid ?? (messages.length === 1 ? (messages[0]?.tid ?? null) : null);

/** The share of workers that a message thread created; null: there are no workers. To be asked where births were seen. */
export const createdByMessage = (threads: readonly WatchedThread[]): number | null => {
  const workers = threads.filter(({ role }) => role === "worker");
  return workers.length === 0 ? null : workers.filter(({ messageTid }) => messageTid !== null).length / workers.length;
};

const besideOf = (
  threads: readonly WatchedThread[],
  readings: readonly WatchReading[],
): Fingerprint["besideMessage"] => {
  const messages = threads.filter(({ role }) => role === "message");
  const pairs = threads
    .filter(({ role }) => role === "worker")
    .map((worker) => ({ worker: worker.tid, message: messageOf(worker, messages) }));
  const cpuOf = ({ counters }: WatchReading, tid: number | null): number | null =>
    tid === null ? null : (counters.get(tid)?.stat?.cpu ?? null);
  return placementOf(
    readings.map((reading) =>
      besideShare(pairs.map(({ worker, message }) => [cpuOf(reading, worker), cpuOf(reading, message)])),
    ),
  );
};

/**
 * What two readings or more say.
 *
 * @returns null when a thread was gone at the last reading, or there were none
 */
export const watchedFingerprint = (
  threads: readonly WatchedThread[],
  readings: readonly WatchReading[],
  rate: RequestRate,
): Fingerprint | null => {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined || first === last || threads.length === 0) return null;
  if (threads.some(({ tid }) => last.counters.get(tid)?.stat == null)) return null;
  const seconds = last.atSec - first.atSec;
  const workers = threads.filter(({ role }) => role === "worker").length;
  const requests = rate.perSec === null ? null : rate.perSec * seconds * (rate.of === "a-worker" ? workers : 1);
  const figuresOf = (wanted: Role) => {
    const deeds = threads.flatMap(({ tid, role }) => {
      const after = last.counters.get(tid);
      return role !== wanted || after === undefined
        ? []
        : [deedBetween(first.counters.get(tid) ?? null, after, NO_PROCESSOR)];
    });
    return deeds.length === 0 ? null : roleFigures(deeds, { requests, seconds });
  };
  return {
    observer: "outside",
    seconds,
    requests,
    traced: false,
    lostEvents: null,
    message: figuresOf("message"),
    worker: figuresOf("worker"),
    besideMessage: besideOf(threads, readings),
  };
};
