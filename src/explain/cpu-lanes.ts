/**
 * What each CPU did, as stretches of time without an event: who had the CPU, and in which interrupt it was. A stretch in
 * which events are missing says so instead of guessing.
 */
import { at } from "../at.js";
import type { LostStretch, SwitchEvent, Trace, TraceEvent } from "./trace/trace-events.js";

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

/** A stretch of a CPU's time in which nothing was recorded to change. */
export interface Stretch {
  readonly fromNsec: number;
  readonly toNsec: number;
  readonly cpu: number;
  /** Who had the CPU; null where events are missing. */
  readonly task: Task | null;
  readonly interrupt: Interrupt | null;
  /** The CPU was idle and left that state for this thread, at a moment that was not recorded. */
  readonly leavingIdleFor: number | null;
}

interface LaneState {
  readonly fromNsec: number;
  readonly task: Task | null;
  readonly interrupts: readonly Interrupt[];
  readonly leavingIdleFor?: number;
  /** Its last event was that it left its idle state. */
  readonly leavesIdle?: boolean;
}

/** The states of all CPUs over the time of a trace. */
export interface CpuLanes {
  readonly cpus: readonly number[];
  /** The stretches of a CPU from `fromNsec` to `toNsec`, without gaps. */
  readonly stretches: (cpu: number, fromNsec: number, toNsec: number) => readonly Stretch[];
  /** Name and priority of a thread as last seen anywhere in the trace. */
  readonly taskOf: (tid: number) => Task;
}

const IDLE_TASK: Task = { tid: 0, comm: "idle", priority: 120 };

/** Index of the first item for which `isAfter` holds, in a list where it holds from some place on. */
export const firstIndex = <T>(items: readonly T[], isAfter: (item: T) => boolean): number => {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isAfter(at(items, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
};

const tasksSeen = (events: readonly TraceEvent[]): ReadonlyMap<number, Task> => {
  const tasks = new Map<number, Task>();
  for (const event of events) {
    if (event.kind === "switch") {
      tasks.set(event.prevTid, { tid: event.prevTid, comm: event.prevComm, priority: event.prevPriority });
      tasks.set(event.nextTid, { tid: event.nextTid, comm: event.nextComm, priority: event.nextPriority });
    } else if (event.kind === "waking" || event.kind === "wakeup" || event.kind === "migrate")
      tasks.set(event.tid, { tid: event.tid, comm: event.comm, priority: event.priority });
  }
  tasks.set(0, IDLE_TASK);
  return tasks;
};

/** As it is at this moment: names and priorities change. */
const switchedIn = ({ nextTid, nextComm, nextPriority }: SwitchEvent): Task =>
  nextTid === 0 ? IDLE_TASK : { tid: nextTid, comm: nextComm, priority: nextPriority };

const afterEvent = (event: TraceEvent, before: LaneState, taskOf: (tid: number) => Task): LaneState => {
  const fromNsec = event.timeNsec;
  if (event.kind === "switch") return { fromNsec, task: switchedIn(event), interrupts: [] };
  if (event.kind === "idle") return { fromNsec, task: IDLE_TASK, interrupts: [], leavesIdle: event.state === null };
  const isSame = before.task?.tid === event.currentTid;
  const task = isSame ? before.task : taskOf(event.currentTid);
  const interrupts = isSame ? before.interrupts : [];
  if (event.kind === "irq-entry")
    return { fromNsec, task, interrupts: [...interrupts, { kind: "irq", name: event.name }] };
  if (event.kind === "softirq-entry")
    return { fromNsec, task, interrupts: [...interrupts, { kind: "softirq", name: event.name }] };
  if (event.kind !== "irq-exit" && event.kind !== "softirq-exit") return { fromNsec, task, interrupts };
  const kind = event.kind === "irq-exit" ? "irq" : "softirq";
  const open = interrupts.findLastIndex((interrupt) => interrupt.kind === kind);
  return { fromNsec, task, interrupts: open === -1 ? interrupts : interrupts.slice(0, open) };
};

/** Before its first event a CPU had the thread that this event names. */
const beforeEvent = (event: TraceEvent, taskOf: (tid: number) => Task): LaneState => ({
  fromNsec: Number.NEGATIVE_INFINITY,
  task: taskOf(event.kind === "switch" ? event.prevTid : event.currentTid),
  interrupts:
    event.kind === "irq-exit"
      ? [{ kind: "irq", name: event.name }]
      : event.kind === "softirq-exit"
        ? [{ kind: "softirq", name: event.name }]
        : [],
});

/** When each thread was put on a run queue, and of which CPU; ascending. */
type Placements = ReadonlyMap<number, readonly { readonly timeNsec: number; readonly cpu: number }[]>;

const placementsIn = (events: readonly TraceEvent[]): Placements => {
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
const unrecordedSwitch = (
  last: LaneState,
  event: TraceEvent,
  taskOf: (tid: number) => Task,
  placements: Placements,
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

const unknownFrom = (fromNsec: number): LaneState => ({ fromNsec, task: null, interrupts: [] });

const buildLane = (
  events: readonly TraceEvent[],
  lost: readonly LostStretch[],
  taskOf: (tid: number) => Task,
  placements: Placements,
): readonly LaneState[] => {
  const states: LaneState[] = [];
  const losses = lost.toSorted((a, b) => a.fromNsec - b.fromNsec);
  let nextLoss = 0;
  let state: LaneState | undefined;
  const loseUntil = (untilNsec: number): void => {
    for (let loss = losses[nextLoss]; loss !== undefined && loss.fromNsec < untilNsec; loss = losses[++nextLoss]) {
      state = unknownFrom(loss.fromNsec);
      states.push(state);
    }
  };
  for (const event of events) {
    loseUntil(event.timeNsec);
    if (state === undefined) states.push((state = beforeEvent(event, taskOf)));
    if (state.task !== null && state.task.tid !== event.currentTid) {
      const between = unrecordedSwitch(state, event, taskOf, placements);
      states.splice(-1, 1, ...between);
      state = between.at(-1) ?? state;
    }
    state = afterEvent(event, state, taskOf);
    states.push(state);
  }
  loseUntil(Number.POSITIVE_INFINITY);
  return states;
};

/** Builds the lanes of a trace. */
export const cpuLanes = ({ events, lost }: Trace): CpuLanes => {
  const seen = tasksSeen(events);
  const taskOf = (tid: number): Task => seen.get(tid) ?? { tid, comm: `tid ${tid}`, priority: 120 };
  const eventsByCpu = new Map<number, TraceEvent[]>();
  for (const event of events) {
    const list = eventsByCpu.get(event.cpu);
    if (list === undefined) eventsByCpu.set(event.cpu, [event]);
    else list.push(event);
  }
  const placements = placementsIn(events);
  const lanes = new Map<number, readonly LaneState[]>();
  for (const [cpu, list] of eventsByCpu)
    lanes.set(
      cpu,
      buildLane(
        list,
        lost.filter((stretch) => stretch.cpu === cpu),
        taskOf,
        placements,
      ),
    );
  return {
    cpus: [...lanes.keys()].toSorted((a, b) => a - b),
    taskOf,
    stretches: (cpu, fromNsec, toNsec) => {
      if (toNsec <= fromNsec) return [];
      const lane = lanes.get(cpu) ?? [];
      const pieces: Stretch[] = [];
      let index = firstIndex(lane, (state) => state.fromNsec > fromNsec) - 1;
      let atNsec = fromNsec;
      while (atNsec < toNsec) {
        const state = lane[index];
        const endNsec = Math.min(toNsec, lane[index + 1]?.fromNsec ?? Number.POSITIVE_INFINITY);
        index++;
        if (endNsec <= atNsec) continue;
        const interrupt = state?.interrupts.at(-1) ?? null;
        pieces.push({
          fromNsec: atNsec,
          toNsec: endNsec,
          cpu,
          task: state?.task ?? null,
          interrupt,
          leavingIdleFor: state?.leavingIdleFor ?? null,
        });
        atNsec = endNsec;
      }
      return pieces;
    },
  };
};
