/**
 * Where a CPU limit (CFS bandwidth) had stopped a thread. The kernel records no event of it; what shows it is what the
 * scheduler would never do to a thread that may run:
 *
 * - a CPU that is awake and idle leaves it on its run queue;
 * - it is switched out within microseconds of its switch-in (since Linux 6.18 a limit takes effect on the way back to user
 *   code), or waits, until a period ends, and no thread of its group runs on that CPU before.
 */
import type { EventsByThread, ThreadStretch } from "./thread-states.js";
import type { CpuLanes } from "./cpu-lanes.js";
import { firstIndex } from "./first-index.js";
import { isRunnable, type TraceEvent } from "./trace/trace-events.js";

/** Until when the limit had stopped a waiting thread; where it had not, when the wait began. */
export type ThrottledUntil = (tid: number, wait: ThreadStretch) => number;

/** What the evidence is taken from. */
interface Evidence {
  readonly events: readonly TraceEvent[];
  readonly lanes: CpuLanes;
  readonly byThread: EventsByThread;
  /** Whether a thread is under the same limit. */
  readonly isOfGroup: (tid: number) => boolean;
}

/** The way from the switch to user code. */
const ON_THE_WAY_OUT_NSEC = 100_000;
/** How soon after the end of a period a thread that the limit had stopped goes on, when its CPU is free. */
const SOON_NSEC = 1_000_000;
/** An idle CPU takes up to this long to begin with a thread. */
const SWITCH_NSEC = 50_000;

/** How many waits of the group end soon after a period of this timer. */
const fitOf = (ends: readonly number[], switchIns: readonly number[]): number =>
  switchIns.filter((nsec) => {
    const before = ends[firstIndex(ends, (end) => end > nsec) - 1];
    return before !== undefined && nsec - before < SOON_NSEC;
  }).length;

/** When the periods of the group's own limit ended, ascending: of all limits of the machine, the one whose ends fit best. */
const periodEnds = ({ events, isOfGroup }: Evidence): readonly number[] => {
  const byTimer = new Map<number, number[]>();
  const switchIns: number[] = [];
  for (const event of events) {
    if (event.kind === "switch" && isOfGroup(event.nextTid)) switchIns.push(event.timeNsec);
    if (event.kind !== "period") continue;
    const ends = byTimer.get(event.timer);
    if (ends === undefined) byTimer.set(event.timer, [event.timeNsec]);
    else ends.push(event.timeNsec);
  }
  const candidates = [...byTimer.values()];
  if (candidates.length < 2) return candidates.flat();
  const fits = candidates.map((ends) => ({ ends, share: fitOf(ends, switchIns) / ends.length }));
  return fits.toSorted((a, b) => b.share - a.share)[0]?.ends ?? [];
};

interface Run {
  readonly fromNsec: number;
  readonly toNsec: number;
}

const cameOffAtOnce = ({ fromNsec, toNsec }: Run, prevState: string): boolean =>
  isRunnable(prevState) && toNsec - fromNsec <= ON_THE_WAY_OUT_NSEC;

/** When threads of the group really ran on each CPU, ascending; not those that came off at once, which were stopped too. */
const groupRuns = ({ events, isOfGroup }: Evidence): ReadonlyMap<number, readonly Run[]> => {
  const runs = new Map<number, Run[]>();
  const sinceNsec = new Map<number, number>();
  const close = (cpu: number, toNsec: number, prevState: string): void => {
    const run = { fromNsec: sinceNsec.get(cpu) ?? toNsec, toNsec };
    if (sinceNsec.delete(cpu) && cameOffAtOnce(run, prevState)) return;
    const list = runs.get(cpu);
    if (list === undefined) runs.set(cpu, [run]);
    else list.push(run);
  };
  for (const event of events) {
    if (event.kind !== "switch") continue;
    if (isOfGroup(event.prevTid)) close(event.cpu, event.timeNsec, event.prevState);
    if (isOfGroup(event.nextTid)) sinceNsec.set(event.cpu, event.timeNsec);
  }
  for (const cpu of sinceNsec.keys()) close(cpu, Number.POSITIVE_INFINITY, "S");
  return runs;
};

/** A limit that stops nobody. */
export const neverThrottled: ThrottledUntil = (_, wait) => wait.fromNsec;

/** Looks for a limit that had stopped threads of a group. */
export const throttledUntil = (evidence: Evidence): ThrottledUntil => {
  const { lanes, byThread } = evidence;
  const ends = periodEnds(evidence);
  const runs = groupRuns(evidence);

  const groupRan = (cpu: number, fromNsec: number, toNsec: number): boolean => {
    const list = runs.get(cpu) ?? [];
    const next = list[firstIndex(list, (run) => run.toNsec > fromNsec)];
    return next !== undefined && next.fromNsec < toNsec;
  };

  /** Until when an awake CPU was idle with the thread on its queue; the first stretch may be its way out of idle. */
  const leftIdleUntil = ({ cpu, fromNsec, toNsec }: ThreadStretch): number => {
    const idle = lanes
      .stretches(cpu, fromNsec, toNsec)
      .findLast(
        ({ task, ...stretch }) =>
          task?.tid === 0 && stretch.fromNsec > fromNsec && stretch.toNsec - stretch.fromNsec >= SWITCH_NSEC,
      );
    return idle?.toNsec ?? fromNsec;
  };

  const beganAtOnce = (tid: number, { fromNsec }: ThreadStretch): boolean => {
    const events = byThread.get(tid) ?? [];
    const at = firstIndex(events, ({ timeNsec }) => timeNsec >= fromNsec);
    const out = events[at];
    const before = events.slice(Math.max(0, at - 4), at);
    const last = before.findLast((event) => event.kind === "switch");
    return (
      out?.kind === "switch" &&
      out.prevTid === tid &&
      last?.nextTid === tid &&
      cameOffAtOnce({ fromNsec: last.timeNsec, toNsec: fromNsec }, out.prevState)
    );
  };

  return (tid, wait) => {
    const { cpu, fromNsec, toNsec } = wait;
    const inside = ends.slice(
      firstIndex(ends, (end) => end > fromNsec),
      firstIndex(ends, (end) => end > toNsec),
    );
    const [first] = inside;
    const last = inside.at(-1);
    const idleUntil = leftIdleUntil(wait);
    const byIdle = groupRan(cpu, fromNsec, idleUntil) ? fromNsec : idleUntil;
    const isFree = first !== undefined && !groupRan(cpu, fromNsec, first);
    if (!isFree || last === undefined) return byIdle;
    if (toNsec - last <= SOON_NSEC && !groupRan(cpu, fromNsec, last)) return Math.max(byIdle, last);
    return beganAtOnce(tid, wait) || byIdle > fromNsec ? Math.max(byIdle, first) : fromNsec;
  };
};
