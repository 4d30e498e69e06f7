/**
 * What each CPU did, as stretches of time without an event: who had the CPU, and in which interrupt it was. A stretch in
 * which events are missing says so instead of guessing.
 */
import { firstIndex } from "./first-index.js";
import {
  type Interrupt,
  type KnownThreads,
  type LaneState,
  placementsIn,
  type Task,
  unknownFrom,
  unrecordedSwitch,
} from "./lane-state.js";
import type { LostStretch, SwitchEvent, Trace, TraceEvent } from "./trace/trace-events.js";

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

/** The states of all CPUs over the time of a trace. */
export interface CpuLanes {
  readonly cpus: readonly number[];
  /** The stretches of a CPU from `fromNsec` to `toNsec`, without gaps. */
  readonly stretches: (cpu: number, fromNsec: number, toNsec: number) => readonly Stretch[];
  /** Name and priority of a thread as last seen anywhere in the trace. */
  readonly taskOf: (tid: number) => Task;
}

const IDLE_TASK: Task = { tid: 0, comm: "idle", priority: 120 };

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

const buildLane = (
  events: readonly TraceEvent[],
  lost: readonly LostStretch[],
  known: KnownThreads,
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
    if (state === undefined) states.push((state = beforeEvent(event, known.taskOf)));
    if (state.task !== null && state.task.tid !== event.currentTid) {
      const between = unrecordedSwitch(state, event, known);
      states.splice(-1, 1, ...between);
      state = between.at(-1) ?? state;
    }
    state = afterEvent(event, state, known.taskOf);
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
  const known: KnownThreads = { taskOf, placements: placementsIn(events) };
  const lanes = new Map<number, readonly LaneState[]>();
  for (const [cpu, list] of eventsByCpu)
    lanes.set(
      cpu,
      buildLane(
        list,
        lost.filter((stretch) => stretch.cpu === cpu),
        known,
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
