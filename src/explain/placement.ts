/**
 * Placement misses: a thread waits behind somebody while another CPU that it may use stands idle. An idle CPU that a
 * thread has already been woken for, and which is only leaving its idle state, does not count as free.
 */
import type { Blame, TraceIndex } from "./blame.js";
import type { Cause } from "./causes.js";
import { firstIndex } from "./cpu-lanes.js";
import type { TraceEvent } from "./trace/trace-events.js";

/** How long another CPU must have stood idle; in less the scheduler could hardly have moved the thread. */
const PLACEMENT_MISS_USEC = 20;

/** A CPU that stood idle meanwhile. */
export interface IdleElsewhere {
  readonly cpu: number;
  readonly idleUsec: number;
}

const BEHIND = ["foreign-task", "own-thread", "harness", "softirq"] as const satisfies readonly Cause[];

const isWaitingBehindSomebody = ({ heldUp, task, cause }: Blame): boolean =>
  heldUp === "thread" && task !== null && BEHIND.some((one) => one === cause);

/** When the idle CPU was given its next thread: that thread's waking, or its switch where the waking is not known. */
const takenNsec = (index: TraceIndex, cpuEvents: readonly TraceEvent[], fromNsec: number): number => {
  for (let at = firstIndex(cpuEvents, ({ timeNsec }) => timeNsec > fromNsec); at < cpuEvents.length; at++) {
    const event = cpuEvents[at];
    if (event?.kind !== "switch" || event.prevTid !== 0) continue;
    const about = index.byThread.get(event.nextTid) ?? [];
    const before = firstIndex(about, ({ timeNsec }) => timeNsec > event.timeNsec);
    const waking = about
      .slice(Math.max(0, before - 4), before)
      .find(({ kind }) => kind === "waking" || kind === "migrate");
    return waking?.timeNsec ?? event.timeNsec;
  }
  return Number.POSITIVE_INFINITY;
};

/**
 * The other CPUs that stood idle while the thread waited behind somebody.
 *
 * @param cpuEvents switches of each CPU, ascending
 */
export const idleElsewhere = (
  index: TraceIndex,
  cpuEvents: ReadonlyMap<number, readonly TraceEvent[]>,
  pieces: readonly Blame[],
  allowedCpus: readonly number[],
): readonly IdleElsewhere[] => {
  const waits = pieces.filter(isWaitingBehindSomebody);
  return allowedCpus
    .map((cpu) => {
      let idleNsec = 0;
      for (const wait of waits) {
        if (wait.cpu === cpu) continue;
        for (const { task, fromNsec, toNsec } of index.lanes.stretches(cpu, wait.fromNsec, wait.toNsec)) {
          if (task?.tid !== 0) continue;
          const untilNsec = Math.min(toNsec, takenNsec(index, cpuEvents.get(cpu) ?? [], fromNsec));
          idleNsec += Math.max(0, untilNsec - fromNsec);
        }
      }
      return { cpu, idleUsec: idleNsec / 1000 };
    })
    .filter(({ idleUsec }) => idleUsec >= PLACEMENT_MISS_USEC)
    .toSorted((a, b) => b.idleUsec - a.idleUsec);
};
