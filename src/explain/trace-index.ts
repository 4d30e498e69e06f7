/** A run's trace, indexed for the analysis of its wakeups: made once, read for each. */
import { type CpuLanes, cpuLanes } from "./cpu-lanes.js";
import { firstIndex } from "./first-index.js";
import { type EventsByThread, eventsByThread } from "./thread-states.js";
import { neverThrottled, type ThrottledUntil, throttledUntil } from "./throttling.js";
import type { LostStretch, Trace, WakeEvent } from "./trace/trace-events.js";

/** Everything about a run and its trace that the analysis of one wakeup needs; made once. */
export interface TraceIndex {
  readonly lanes: CpuLanes;
  readonly byThread: EventsByThread;
  /** The wakings that a thread did, ascending. */
  readonly wakingsBy: ReadonlyMap<number, readonly WakeEvent[]>;
  readonly sideOf: (tid: number) => Side;
  readonly throttledUntil: ThrottledUntil;
  /** Since when no event is missing on any CPU, up to a moment. */
  readonly wholeSinceNsec: (nsec: number) => number;
}

/** To whom a thread belongs; the harness is what else runs in the process of the benchmark. */
export type Side = "benchmark" | "harness" | "foreign";

const wholeSince = (lost: readonly LostStretch[]): ((nsec: number) => number) => {
  const ascending = lost.toSorted((a, b) => a.fromNsec - b.fromNsec);
  let latest = Number.NEGATIVE_INFINITY;
  const lastMissingNsec = ascending.map(({ toNsec }) => (latest = Math.max(latest, toNsec)));
  return (nsec) => {
    const before = firstIndex(ascending, ({ fromNsec }) => fromNsec >= nsec) - 1;
    return Math.min(nsec, lastMissingNsec[before] ?? Number.NEGATIVE_INFINITY);
  };
};

/**
 * Indexes a trace.
 *
 * @param wasThrottled whether the CPU limit of the benchmark's group stopped any of its threads during the run
 */
export const traceIndex = (trace: Trace, sideOf: (tid: number) => Side, wasThrottled: boolean): TraceIndex => {
  const wakingsBy = new Map<number, WakeEvent[]>();
  for (const event of trace.events) {
    if (event.kind !== "waking") continue;
    const list = wakingsBy.get(event.currentTid);
    if (list === undefined) wakingsBy.set(event.currentTid, [event]);
    else list.push(event);
  }
  const lanes = cpuLanes(trace);
  const byThread = eventsByThread(trace.events);
  const isOfGroup = (tid: number): boolean => sideOf(tid) !== "foreign";
  return {
    lanes,
    byThread,
    wakingsBy,
    sideOf,
    throttledUntil: wasThrottled
      ? throttledUntil({ events: trace.events, lanes, byThread, isOfGroup })
      : neverThrottled,
    wholeSinceNsec: wholeSince(trace.lost),
  };
};
