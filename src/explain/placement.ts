/**
 * Placement misses: a thread waits behind somebody while another CPU that it may use stands idle. An idle CPU that a
 * thread has already been woken for, and which is only leaving its idle state, does not count as free.
 */
import type { Blame } from "./blame.js";
import type { TraceIndex } from "./trace-index.js";
import type { Cause } from "./causes.js";
import { firstIndex } from "./first-index.js";
import type { SwitchEvent, Trace } from "./trace/trace-events.js";

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

/** The waking or the move that brought a thread to the CPU that it is switched in on. */
const broughtNsec = (index: TraceIndex, { nextTid, timeNsec }: SwitchEvent): number => {
  const about = index.byThread.get(nextTid) ?? [];
  const before = firstIndex(about, (event) => event.timeNsec > timeNsec);
  const brought = about
    .slice(Math.max(0, before - 4), before)
    .findLast(({ kind }) => kind === "waking" || kind === "migrate");
  return brought?.timeNsec ?? timeNsec;
};

/**
 * When the idle CPU was given its next thread: with the waking or the move of the thread it switches to, or with any
 * thread's arrival on its run queue, as far as its switches are not all recorded.
 */
const takenNsec = (index: TraceIndex, { switches, arrivals }: CpuRecord, fromNsec: number): number => {
  const next = switches.slice(firstIndex(switches, ({ timeNsec }) => timeNsec > fromNsec));
  const switched = next.find(({ prevTid }) => prevTid === 0);
  const wentIdle = switches[firstIndex(switches, ({ timeNsec }) => timeNsec > fromNsec) - 1];
  const idleSinceNsec = wentIdle?.nextTid === 0 ? wentIdle.timeNsec : fromNsec;
  const arrivedNsec = arrivals[firstIndex(arrivals, (nsec) => nsec >= idleSinceNsec)] ?? Number.POSITIVE_INFINITY;
  return Math.min(arrivedNsec, switched === undefined ? Number.POSITIVE_INFINITY : broughtNsec(index, switched));
};

/** What is known of one CPU: its switches, and when threads were put on its run queue; ascending. */
export interface CpuRecord {
  readonly switches: readonly SwitchEvent[];
  readonly arrivals: readonly number[];
}

const NOTHING: CpuRecord = { switches: [], arrivals: [] };

/** What is known of each CPU. */
export const cpuRecords = ({ events }: Pick<Trace, "events">): ReadonlyMap<number, CpuRecord> => {
  const records = new Map<number, { switches: SwitchEvent[]; arrivals: number[] }>();
  const recordOf = (cpu: number): { switches: SwitchEvent[]; arrivals: number[] } => {
    const record = records.get(cpu) ?? { switches: [], arrivals: [] };
    records.set(cpu, record);
    return record;
  };
  for (const event of events) {
    if (event.kind === "switch") recordOf(event.cpu).switches.push(event);
    if (event.kind === "wakeup") recordOf(event.targetCpu).arrivals.push(event.timeNsec);
    if (event.kind === "migrate") recordOf(event.toCpu).arrivals.push(event.timeNsec);
  }
  return records;
};

/**
 * The other CPUs that stood idle while the thread waited behind somebody.
 */
export const idleElsewhere = (
  index: TraceIndex,
  records: ReadonlyMap<number, CpuRecord>,
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
          const untilNsec = Math.min(toNsec, takenNsec(index, records.get(cpu) ?? NOTHING, fromNsec));
          idleNsec += Math.max(0, untilNsec - fromNsec);
        }
      }
      return { cpu, idleUsec: idleNsec / 1000 };
    })
    .filter(({ idleUsec }) => idleUsec >= PLACEMENT_MISS_USEC)
    .toSorted((a, b) => b.idleUsec - a.idleUsec);
};
