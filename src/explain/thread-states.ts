/** What one thread was doing over a stretch of time: asleep, being woken, waiting for a CPU, or running on one. */
import { firstIndex } from "./first-index.js";
import { isRunnable, type ThreadEvent, type TraceEvent } from "./trace/trace-events.js";

/** A stretch in the life of a thread; `cpu` is where it waits or runs. */
export interface ThreadStretch {
  readonly state: "asleep" | "waking" | "waiting" | "running" | "unknown";
  readonly fromNsec: number;
  readonly toNsec: number;
  /** -1 where it has none, or it is not known. */
  readonly cpu: number;
}

interface ThreadState {
  readonly state: ThreadStretch["state"];
  readonly cpu: number;
  /** Its waking has begun while it was still on its way to sleep, and it is not on a run queue again yet. */
  readonly isBeingWoken?: boolean;
}

/** The events of a trace by the thread they are about (a switch is about two). */
export type EventsByThread = ReadonlyMap<number, readonly ThreadEvent[]>;

/** Sorts the events of a trace by thread. */
export const eventsByThread = (events: readonly TraceEvent[]): EventsByThread => {
  const byThread = new Map<number, ThreadEvent[]>();
  const add = (tid: number, event: ThreadEvent): void => {
    const list = byThread.get(tid);
    if (list === undefined) byThread.set(tid, [event]);
    else list.push(event);
  };
  for (const event of events) {
    if (event.kind === "switch") {
      add(event.prevTid, event);
      add(event.nextTid, event);
    } else if (event.kind === "waking" || event.kind === "wakeup" || event.kind === "migrate") add(event.tid, event);
  }
  return byThread;
};

const isAwake = ({ state }: ThreadState): boolean => state === "running" || state === "waiting";

const afterEvent = (event: ThreadEvent, tid: number, before: ThreadState): ThreadState => {
  switch (event.kind) {
    // A thread woken before it had left its CPU, or while preempted on its way to sleep, stays what it was.
    case "waking":
      return isAwake(before) ? { ...before, isBeingWoken: true } : { state: "waking", cpu: event.targetCpu };
    case "wakeup":
      return isAwake(before) ? { state: before.state, cpu: before.cpu } : { state: "waiting", cpu: event.targetCpu };
    case "migrate":
      return { ...before, cpu: event.toCpu };
    case "switch":
      if (event.nextTid === tid) return { state: "running", cpu: event.cpu };
      if (isRunnable(event.prevState)) return { state: "waiting", cpu: event.cpu };
      return { state: before.isBeingWoken === true ? "waking" : "asleep", cpu: event.cpu };
  }
  return before;
};

/** How many events back a thread's last switch is looked for. */
const LOOK_BACK = 32;

const beforeEvent = (event: ThreadEvent | undefined, tid: number): ThreadState => {
  switch (event?.kind) {
    case "waking":
      return { state: "asleep", cpu: event.targetCpu };
    case "wakeup":
      return { state: "waking", cpu: event.targetCpu };
    case "switch":
      return event.prevTid === tid ? { state: "running", cpu: event.cpu } : { state: "waiting", cpu: event.cpu };
    case "migrate":
    case undefined:
      break;
  }
  return { state: "unknown", cpu: -1 };
};

const stretchOf = ({ state, cpu }: ThreadState, fromNsec: number, toNsec: number): ThreadStretch => ({
  state,
  cpu,
  fromNsec,
  toNsec,
});

/**
 * The life of a thread from `fromNsec` to `toNsec`, without gaps.
 *
 * @param events those about this thread, ascending
 * @param trustedFromNsec what came before this says nothing of the state at `fromNsec`, since events are missing between
 */
export const threadStretches = (
  events: readonly ThreadEvent[],
  tid: number,
  fromNsec: number,
  toNsec: number,
  trustedFromNsec: number,
): readonly ThreadStretch[] => {
  const start = firstIndex(events, (event) => event.timeNsec > fromNsec);
  const trusted = Math.max(
    start - LOOK_BACK,
    firstIndex(events, ({ timeNsec }) => timeNsec >= trustedFromNsec),
    0,
  );
  const lastSwitch = events.slice(trusted, start).findLastIndex(({ kind }) => kind === "switch");
  const first = lastSwitch === -1 ? Math.max(trusted, start - 1) : trusted + lastSwitch;
  let state = beforeEvent(events[first], tid);
  for (const event of events.slice(first, start)) state = afterEvent(event, tid, state);
  const stretches: ThreadStretch[] = [];
  let atNsec = fromNsec;
  for (let index = start; index < events.length; index++) {
    const event = events[index];
    if (event === undefined || event.timeNsec >= toNsec) break;
    if (event.timeNsec > atNsec) stretches.push(stretchOf(state, atNsec, event.timeNsec));
    atNsec = event.timeNsec;
    state = afterEvent(event, tid, state);
  }
  if (toNsec > atNsec) stretches.push(stretchOf(state, atNsec, toNsec));
  return stretches;
};
