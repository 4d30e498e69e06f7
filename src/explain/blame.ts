/** Gives every nanosecond of one slow wakeup to a cause, and says who had the CPU then. */
import type { SlowWakeup } from "../model/result/run-result.js";
import type { Cause, MissingEvidence } from "./causes.js";
import type { CpuLanes, Stretch } from "./cpu-lanes.js";
import { firstIndex } from "./first-index.js";
import type { Interrupt, Task } from "./lane-state.js";
import { type ThreadStretch, threadStretches } from "./thread-states.js";
import type { WakeEvent } from "./trace/trace-events.js";
import type { Side, TraceIndex } from "./trace-index.js";

/** A piece of the latency with its cause. */
export interface Blame {
  readonly cause: Cause;
  readonly fromNsec: number;
  readonly toNsec: number;
  /** Where it was lost; -1 where that is not known. */
  readonly cpu: number;
  /** Who had that CPU, where it was somebody else's. */
  readonly task: Task | null;
  readonly interrupt: Interrupt | null;
  /** What was held up: the thread itself, or the message thread that was to wake it. */
  readonly heldUp: "thread" | "waker";
  readonly missing: MissingEvidence | null;
}

/** How far a stamp and an event of one moment may lie apart: text has microseconds. */
const ROUNDING_NSEC = 1000;

/**
 * From how long on a thread that has its CPU and shows no event counts as standing still: the ways between two events
 * (futex, wakeup, switch, a clock reading) take microseconds.
 */
const STALL_NSEC = 50_000;

type Verdict = Pick<Blame, "cause"> & Partial<Pick<Blame, "missing" | "task" | "interrupt">>;

const piece = (stretch: Stretch, heldUp: Blame["heldUp"], verdict: Verdict): Blame => ({
  fromNsec: stretch.fromNsec,
  toNsec: stretch.toNsec,
  cpu: stretch.cpu,
  task: null,
  interrupt: null,
  missing: null,
  heldUp,
  ...verdict,
});

const unknown = (
  { fromNsec, toNsec, cpu }: ThreadStretch,
  heldUp: Blame["heldUp"],
  missing: MissingEvidence,
): Blame => ({ cause: "unknown", fromNsec, toNsec, cpu, task: null, interrupt: null, heldUp, missing });

const CAUSE_BY_SIDE = {
  benchmark: "own-thread",
  harness: "harness",
  foreign: "foreign-task",
} as const satisfies Record<Side, Cause>;

const pathOrStall = ({ fromNsec, toNsec }: Stretch, ordinary: Cause): Cause =>
  toNsec - fromNsec >= STALL_NSEC ? "stalled-cpu" : ordinary;

const ofInterrupt = (interrupt: Interrupt): Verdict => ({
  cause: interrupt.kind === "irq" ? "interrupt" : "softirq",
  interrupt,
});

/** A CPU on which `tid` ought to be running: interrupts, standing still, or the ordinary way. */
const blameRunning = (
  lanes: CpuLanes,
  { cpu, fromNsec, toNsec }: ThreadStretch,
  tid: number,
  heldUp: Blame["heldUp"],
  ordinary: Cause,
): readonly Blame[] =>
  lanes.stretches(cpu, fromNsec, toNsec).map((stretch) => {
    if (stretch.task === null) return piece(stretch, heldUp, { cause: "unknown", missing: "cpu-unknown" });
    if (stretch.task.tid !== tid) return piece(stretch, heldUp, { cause: "unknown", missing: "contradiction" });
    if (stretch.interrupt !== null) return piece(stretch, heldUp, ofInterrupt(stretch.interrupt));
    return piece(stretch, heldUp, { cause: pathOrStall(stretch, ordinary) });
  });

/** A CPU on whose run queue `tid` is: was it stopped there, and who has that CPU meanwhile? */
const blameWaiting = (
  index: TraceIndex,
  wait: ThreadStretch,
  tid: number,
  heldUp: Blame["heldUp"],
): readonly Blame[] => {
  const fromNsec = Math.min(wait.toNsec, index.throttledUntil(tid, wait));
  const stopped = { ...wait, toNsec: fromNsec, task: null, interrupt: null, leavingIdleFor: null };
  return [
    ...(fromNsec > wait.fromNsec ? [piece(stopped, heldUp, { cause: "throttled" })] : []),
    ...blameQueued(index, { ...wait, fromNsec }, tid, heldUp),
  ];
};

const blameQueued = (
  { lanes, sideOf }: TraceIndex,
  { cpu, fromNsec, toNsec }: ThreadStretch,
  tid: number,
  heldUp: Blame["heldUp"],
): readonly Blame[] =>
  lanes.stretches(cpu, fromNsec, toNsec).map((stretch) => {
    const { task, interrupt, leavingIdleFor } = stretch;
    if (leavingIdleFor === tid) return piece(stretch, heldUp, { cause: "idle-exit" });
    if (task === null) return piece(stretch, heldUp, { cause: "unknown", missing: "cpu-unknown" });
    // Its switch-in was not recorded, but the events say that it runs.
    if (task.tid === tid) return piece(stretch, heldUp, { cause: pathOrStall(stretch, "kernel-path") });
    if (interrupt !== null) return piece(stretch, heldUp, ofInterrupt(interrupt));
    if (task.tid === 0) return piece(stretch, heldUp, { cause: "idle-exit" });
    if (task.comm.startsWith("migration/")) return piece(stretch, heldUp, { cause: "migration", task });
    if (task.comm.startsWith("ksoftirqd/")) return piece(stretch, heldUp, { cause: "softirq", task });
    return piece(stretch, heldUp, { cause: CAUSE_BY_SIDE[sideOf(task.tid)], task });
  });

/** A waker of which no switch is known: if it is seen on a CPU, it had that CPU all along, or the lanes will say. */
const wakerByLanes = ({ lanes }: TraceIndex, wakerTid: number, stretch: ThreadStretch): readonly ThreadStretch[] => {
  const cpu = lanes.cpus.find((candidate) =>
    lanes.stretches(candidate, stretch.toNsec - 1, stretch.toNsec).some(({ task }) => task?.tid === wakerTid),
  );
  return [cpu === undefined ? { ...stretch, state: "unknown" } : { ...stretch, state: "running", cpu }];
};

/** The thread is asleep and somebody has promised to wake it: what does the waker do? */
const blameWaker = (index: TraceIndex, wakeup: SlowWakeup, asleep: ThreadStretch): readonly Blame[] => {
  const { wakerTid } = wakeup;
  const events = index.byThread.get(wakerTid) ?? [];
  const trustedNsec = index.wholeSinceNsec(asleep.fromNsec);
  const stretches = threadStretches(events, wakerTid, asleep.fromNsec, asleep.toNsec, trustedNsec).flatMap((stretch) =>
    stretch.state === "unknown" ? wakerByLanes(index, wakerTid, stretch) : [stretch],
  );
  const ordinary = wokeOthersIn(index, wakeup, asleep) ? "busy-waker" : "kernel-path";
  return stretches.flatMap((stretch) => {
    switch (stretch.state) {
      case "running":
        return blameRunning(index.lanes, stretch, wakerTid, "waker", ordinary);
      case "waiting":
        return blameWaiting(index, stretch, wakerTid, "waker").map((blame) =>
          blame.task === null ? blame : { ...blame, cause: "preempted-waker" as const },
        );
      case "asleep":
      case "waking":
        return [{ ...unknown(stretch, "waker", "no-waking"), cause: "blocked-waker" as const, missing: null }];
      case "unknown":
        return [unknown(stretch, "waker", "cpu-unknown")];
    }
    return [];
  });
};

/** Whether the waker woke any other thread in a stretch of time. */
const wokeOthersIn = (
  index: TraceIndex,
  { wakerTid, tid }: SlowWakeup,
  { fromNsec, toNsec }: ThreadStretch,
): boolean => {
  const wakings = index.wakingsBy.get(wakerTid) ?? [];
  const start = firstIndex(wakings, (waking) => waking.timeNsec >= fromNsec);
  const end = firstIndex(wakings, (waking) => waking.timeNsec >= toNsec);
  return wakings.slice(start, end).some((waking) => waking.tid !== tid);
};

/** From waking to wakeup the waker's CPU does the work, or, when it hands it over, the CPU that is to run the thread. */
const blameWaking = (
  index: TraceIndex,
  stretch: ThreadStretch,
  waking: WakeEvent,
  wakeupCpu: number,
): readonly Blame[] => {
  if (wakeupCpu === waking.cpu)
    return blameRunning(index.lanes, { ...stretch, cpu: waking.cpu }, waking.currentTid, "thread", "kernel-path");
  return index.lanes.stretches(wakeupCpu, stretch.fromNsec, stretch.toNsec).map((lane) => {
    if (lane.task === null) return piece(lane, "thread", { cause: "unknown", missing: "cpu-unknown" });
    if (lane.interrupt !== null) return piece(lane, "thread", ofInterrupt(lane.interrupt));
    if (lane.task.tid === 0) return piece(lane, "thread", { cause: "idle-exit" });
    return piece(lane, "thread", { cause: pathOrStall(lane, "kernel-path") });
  });
};

/**
 * The thread waits for the CPU on which it took its stamp, and its switch-in was not recorded: what had that CPU is known up to
 * the last event there; at some time after it the thread came in.
 */
const blameUpToUnseenSwitch = (index: TraceIndex, wait: ThreadStretch, tid: number): readonly Blame[] => {
  const lane = index.lanes.stretches(wait.cpu, wait.fromNsec, wait.toNsec);
  const switchNsec = lane.at(-1)?.fromNsec ?? wait.fromNsec;
  return [
    ...blameWaiting(index, { ...wait, toNsec: switchNsec }, tid, "thread"),
    unknown({ ...wait, fromNsec: switchNsec }, "thread", "no-switch-in"),
  ];
};

/** The whole latency of a wakeup in pieces, without gaps, ascending. */
export const blamePieces = (index: TraceIndex, wakeup: SlowWakeup): readonly Blame[] => {
  const { tid, wakeNsec, runNsec } = wakeup;
  const events = index.byThread.get(tid) ?? [];
  const stretches = threadStretches(events, tid, wakeNsec, runNsec, index.wholeSinceNsec(wakeNsec));
  const from = firstIndex(events, ({ timeNsec }) => timeNsec >= wakeNsec - ROUNDING_NSEC);
  const to = firstIndex(events, ({ timeNsec }) => timeNsec > runNsec + ROUNDING_NSEC);
  const around = events.slice(from, to);
  const wakes = around.filter((event): event is WakeEvent => event.kind === "waking" || event.kind === "wakeup");
  const isInAtEnd =
    around.some((event) => event.kind === "switch" && event.nextTid === tid && event.timeNsec >= runNsec) ||
    index.lanes
      .stretches(stretches.at(-1)?.cpu ?? -1, runNsec - 1, runNsec)
      .some(({ task, leavingIdleFor }) => task?.tid === tid || leavingIdleFor === tid);
  const lastRunning = isInAtEnd ? stretches.length : stretches.findLastIndex(({ state }) => state === "running");
  return stretches.flatMap((stretch, at): readonly Blame[] => {
    if (at === stretches.length - 1 && at > lastRunning) {
      if (stretch.state === "waiting" && stretch.cpu === wakeup.cpuAfter)
        return blameUpToUnseenSwitch(index, stretch, tid);
      return [unknown(stretch, "thread", events.length === 0 ? "no-events-of-thread" : "no-switch-in")];
    }
    switch (stretch.state) {
      case "asleep": {
        const isWoken = wakes.some(({ kind, timeNsec }) => kind === "waking" && timeNsec === stretch.toNsec);
        if (wakes.some(({ kind, timeNsec }) => kind === "waking" && timeNsec < stretch.fromNsec))
          return [{ ...unknown(stretch, "thread", "no-waking"), cause: "slept-again", missing: null }];
        return isWoken ? blameWaker(index, wakeup, stretch) : [unknown(stretch, "thread", "no-waking")];
      }
      case "waking": {
        const waking = wakes.findLast(({ kind, timeNsec }) => kind === "waking" && timeNsec <= stretch.fromNsec);
        const woken = wakes.find(({ kind, timeNsec }) => kind === "wakeup" && timeNsec >= stretch.fromNsec);
        if (waking === undefined) return [unknown(stretch, "thread", "no-waking")];
        return blameWaking(index, stretch, waking, woken?.cpu ?? waking.cpu);
      }
      case "waiting":
        return blameWaiting(index, stretch, tid, "thread");
      case "running":
        return blameRunning(index.lanes, stretch, tid, "thread", "kernel-path");
      case "unknown":
        return [unknown(stretch, "thread", "no-events-of-thread")];
    }
    return [];
  });
};
