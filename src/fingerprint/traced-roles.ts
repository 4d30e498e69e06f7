/** From what the trace counted of single threads to what it says of a role. Pure. */
import type { Fingerprint, Role } from "../model/result/fingerprint.js";
import { type RoleTrace, type Span, withTrace } from "./role-figures.js";
import { systemCallName } from "./system-calls.js";
import type { ThreadTally } from "./tally.js";
import type { TapeCounts } from "./tape.js";

/** Which thread has which role. */
export interface RoledThread {
  readonly tid: number;
  readonly role: Role;
}

const add = <Key>(sums: Map<Key, number>, key: Key, amount: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + amount);
};

/** The sums of what was counted of a role's threads; a thread of which there is nothing did nothing. */
const roleTrace = (
  counted: ReadonlyMap<number, ThreadTally>,
  threads: readonly RoledThread[],
  role: Role,
  machine: string,
): RoleTrace => {
  const tids = new Set(threads.map(({ tid }) => tid));
  const sums = { wakeups: 0, handedOver: 0, crossed: 0, voluntarySwitches: 0, involuntarySwitches: 0, migrations: 0 };
  const systemCalls = new Map<string, number>();
  for (const thread of threads) {
    const tally = thread.role === role ? counted.get(thread.tid) : undefined;
    if (tally === undefined) continue;
    sums.wakeups += tally.wakeups;
    sums.voluntarySwitches += tally.voluntarySwitches;
    sums.involuntarySwitches += tally.involuntarySwitches;
    sums.migrations += tally.migrations;
    for (const [number, count] of tally.calls) add(systemCalls, systemCallName(number, machine), count);
    for (const [waker, { handedOver, crossed }] of tally.wokenBy) {
      if (!tids.has(waker)) continue;
      sums.handedOver += handedOver;
      sums.crossed += crossed;
    }
  }
  return { ...sums, systemCalls };
};

/**
 * The requests in what was recorded. Where the recording paused, the workers' sleeps tell: how many there are in a request
 * is known of the whole run, and how many there were is in the trace.
 */
const recordedSpan = (span: Span, fingerprint: Fingerprint, workers: RoleTrace, isSample: boolean): Span => {
  if (!isSample) return span;
  const perRequest = fingerprint.worker?.voluntarySwitchesPerRequest ?? null;
  const requests = perRequest === null || perRequest === 0 ? null : workers.voluntarySwitches / perRequest;
  return { requests, seconds: null };
};

/** A fingerprint with what the trace says of its roles; where events were lost, only that is added. */
export const tracedFingerprint = (
  fingerprint: Fingerprint,
  counts: Pick<TapeCounts, "threads" | "lostEvents" | "isSample">,
  threads: readonly RoledThread[],
  span: Span,
  machine: string,
): Fingerprint => {
  const seen = { ...fingerprint, traced: true, lostEvents: counts.lostEvents };
  if (counts.lostEvents > 0) return seen;
  const traces = {
    message: roleTrace(counts.threads, threads, "message", machine),
    worker: roleTrace(counts.threads, threads, "worker", machine),
  };
  const recorded = recordedSpan(span, fingerprint, traces.worker, counts.isSample);
  const of = (role: Role) => {
    const figures = fingerprint[role];
    return figures === null ? null : withTrace(figures, traces[role], recorded);
  };
  return { ...seen, message: of("message"), worker: of("worker") };
};
