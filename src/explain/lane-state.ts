/** What a CPU does from one event on, and what came between two events that do not fit together. */
import { firstIndex } from "./first-index.js";
import type { TraceEvent } from "./trace/trace-events.js";

/** A thread as the scheduler sees it. */
export interface Task {
  readonly tid: number;
  readonly comm: string;
  readonly priority: number;
}

/** An interrupt that a CPU is in. */
export interface Interrupt {
  readonly kind: "irq" | "softirq";
  readonly name: string;
}

/** What a CPU does from one moment on. */
export interface LaneState {
  readonly fromNsec: number;
  readonly task: Task | null;
  readonly interrupts: readonly Interrupt[];
  readonly leavingIdleFor?: number;
  /** Its last event was that it left its idle state. */
  readonly leavesIdle?: boolean;
}

/** Events are missing from here on. */
export const unknownFrom = (fromNsec: number): LaneState => ({ fromNsec, task: null, interrupts: [] });

/** When each thread was put on a run queue, and of which CPU; ascending. */
type Placements = ReadonlyMap<number, readonly { readonly timeNsec: number; readonly cpu: number }[]>;

/** What the whole trace tells of threads. */
export interface KnownThreads {
  readonly taskOf: (tid: number) => Task;
  readonly placements: Placements;
}

/** Collects them from the events of a trace. */
export const placementsIn = (events: readonly TraceEvent[]): Placements => {
  const placements = new Map<number, { timeNsec: number; cpu: number }[]>();
  for (const event of events) {
    if (event.kind !== "wakeup" && event.kind !== "migrate") continue;
    const list = placements.get(event.tid) ?? [];
    list.push({ timeNsec: event.timeNsec, cpu: event.kind === "migrate" ? event.toCpu : event.targetCpu });
    placements.set(event.tid, list);
  }
  return placements;
};

/**
 * What came between when an event shows another thread on the CPU than the one before it: a switch was not recorded.
 * (Some kernels record nothing of the idle task and of a few system threads.) In general, the time between is unknown.
 * But an idle CPU that was awake for an event when the thread had already been put on its run queue, goes on to
 * that thread at once; and one that was not, left its idle state some time after. Likewise a CPU enters its idle state
 * within microseconds of the switch away from the last thread, and goes on to the next one as soon after it leaves it.
 */
export const unrecordedSwitch = (
  last: LaneState,
  event: TraceEvent,
  { taskOf, placements }: KnownThreads,
): readonly LaneState[] => {
  const { timeNsec, cpu, currentTid } = event;
  if (event.kind === "idle" && event.state !== null) return [last];
  if (last.leavesIdle === true) return [{ fromNsec: last.fromNsec, task: taskOf(currentTid), interrupts: [] }];
  const all = placements.get(currentTid) ?? [];
  const placed = all[firstIndex(all, (placement) => placement.timeNsec > timeNsec) - 1];
  if (last.task?.tid !== 0 || placed?.cpu !== cpu) return [unknownFrom(last.fromNsec)];
  if (placed.timeNsec <= last.fromNsec) return [{ fromNsec: last.fromNsec, task: taskOf(currentTid), interrupts: [] }];
  return [last, { ...unknownFrom(placed.timeNsec), leavingIdleFor: currentTid }];
};
