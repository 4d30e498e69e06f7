/**
 * Counts the kernel's events by thread, in memory that does not grow with their number. The CPU of a waker and that to which
 * a thread was woken are in two records, which may be in the rings of two CPUs: they are kept until both are known. Pure.
 */
import { at } from "../at.js";

/** What was counted of one thread. */
export interface ThreadTally {
  /** Times it was woken. */
  wakeups: number;
  voluntarySwitches: number;
  involuntarySwitches: number;
  migrations: number;
  /** By the number of the call. */
  readonly calls: Map<number, number>;
  /** Wakeups by each other thread, and those of them that put this one on another CPU than the waker's. */
  readonly wokenBy: Map<number, { handedOver: number; crossed: number }>;
}

/** One half of a wakeup: seen from the waker, or the run queue it led to. */
interface Half {
  readonly timeNsec: number;
  readonly cpu: number;
  /** Of a waker's half: null for an interrupt. */
  readonly wakerTid: number | null;
}

interface Halves {
  readonly wakings: Half[];
  readonly wakeups: Half[];
}

/** Counts by thread. */
export interface Tally {
  readonly of: (tid: number) => ThreadTally;
  readonly all: () => ReadonlyMap<number, ThreadTally>;
  readonly waking: (tid: number, half: Half) => void;
  readonly woken: (tid: number, half: Half) => void;
  /** Joins the halves of wakeups, all of which have been read; what is left over belongs to nothing that follows. */
  readonly settle: () => void;
  readonly reset: () => void;
}

const emptyTally = (): ThreadTally => ({
  wakeups: 0,
  voluntarySwitches: 0,
  involuntarySwitches: 0,
  migrations: 0,
  calls: new Map(),
  wokenBy: new Map(),
});

const byTime = (a: Half, b: Half): number => a.timeNsec - b.timeNsec;

/** Adds a wakeup of which both halves are known. */
const addHandOver = (tally: ThreadTally, tid: number, { wakerTid, cpu }: Half, targetCpu: number): void => {
  if (wakerTid === null || wakerTid === tid) return;
  const before = tally.wokenBy.get(wakerTid) ?? { handedOver: 0, crossed: 0 };
  before.handedOver++;
  if (targetCpu !== cpu) before.crossed++;
  tally.wokenBy.set(wakerTid, before);
};

/** A tally of nothing yet. */
export const createTally = (): Tally => {
  const threads = new Map<number, ThreadTally>();
  const halves = new Map<number, Halves>();
  const of = (tid: number): ThreadTally => {
    let tally = threads.get(tid);
    if (tally === undefined) threads.set(tid, (tally = emptyTally()));
    return tally;
  };
  const halvesOf = (tid: number): Halves => {
    let both = halves.get(tid);
    if (both === undefined) halves.set(tid, (both = { wakings: [], wakeups: [] }));
    return both;
  };
  return {
    of,
    all: () => threads,
    waking: (tid, half) => {
      of(tid).wakeups++;
      halvesOf(tid).wakings.push(half);
    },
    woken: (tid, half) => {
      halvesOf(tid).wakeups.push(half);
    },
    settle: () => {
      for (const [tid, { wakings, wakeups }] of halves) {
        const woken = wakeups.toSorted(byTime);
        let next = 0;
        for (const waking of wakings.toSorted(byTime)) {
          // A thread's wakeups do not overlap: the first that follows is this one's.
          while (next < woken.length && at(woken, next).timeNsec < waking.timeNsec) next++;
          if (next === woken.length) break;
          addHandOver(of(tid), tid, waking, at(woken, next).cpu);
          next++;
        }
      }
      halves.clear();
    },
    reset: () => {
      threads.clear();
      halves.clear();
    },
  };
};
