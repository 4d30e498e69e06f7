/**
 * Reading the statistics of running threads: see assembly/memory/record.ts for the protocol. A thread's numbers are copied while
 * its sequence is even and unchanged; a window is closed for everybody by counting Control.window up, after which each
 * thread's numbers up to its own last sample before that are either still in place or in its closed copy. The last window
 * needs no closing: threads that see the stop record nothing more.
 *
 * Upstream counterpart: combine_message_thread_stats, combine_message_thread_rps, reset_thread_stats.
 */
import { numberAt, wordAt } from "../../at.js";
import { EngineError } from "../../errors.js";
import { type Histogram, PLAT_NR, platIndex } from "../../stats/histogram/plat.js";
import { type ByKind, byKind, type Kind, KINDS } from "./kinds.js";
import type { Places, SharedMemory, ThreadPlace } from "./shared-memory.js";

/** A thread that is preempted while it records comes back, if thousands are ahead of it; one that never does is broken. */
const PATIENCE_MSEC = 60_000;

/** What the workers of one group did in one window. */
export type GroupStats = ByKind<Histogram>;

/** What the threads did in one window, summed up. */
export interface WindowStats extends ByKind<Histogram> {
  /** Rate mode: how late requests were sent. */
  readonly lateness: Histogram;
  readonly loops: number;
  readonly loopsByWorker: readonly number[];
  /** By the groups of the plan, then the workers that are in none; empty where there are no groups. */
  readonly groups: readonly GroupStats[];
  readonly sent: number;
  readonly dropped: number;
  /** Rate mode: due, and not sent in time. */
  readonly unsent: number;
}

/** Reads the statistics of one run's threads. */
export interface Collector {
  /** Requests done since the threads started, over all workers; cheap enough for every second. */
  readonly loops: () => number;
  /** The current window so far. */
  readonly current: () => WindowStats;
  /** Ends the current window and begins the next. */
  readonly closeWindow: () => WindowStats;
}

interface Sum {
  readonly counts: Float64Array;
  min: number;
  max: number;
}

/** Shared by all empty histograms; nobody writes to it. */
const NO_COUNTS = new Float64Array(PLAT_NR);

const newSum = (): Sum => ({ counts: new Float64Array(PLAT_NR), min: Infinity, max: -Infinity });
const summedHistogram = (sum: Sum | undefined): Histogram => sum ?? { counts: NO_COUNTS, min: null, max: null };

/** Sums by kind, made when they are first asked for. */
const newSums = <K extends string>() => {
  const sums = new Map<K, Sum>();
  return {
    of: (kind: K): Sum => {
      const known = sums.get(kind) ?? newSum();
      sums.set(kind, known);
      return known;
    },
    histogram: (kind: K): Histogram => summedHistogram(sums.get(kind)),
  };
};

const histogramsIn = ({ histogram }: { readonly histogram: (kind: Kind) => Histogram }): GroupStats =>
  byKind(histogram);

/** The groups of the workers by number, the workers in none last; none where all are in none. */
const groupsIn = (workers: readonly ThreadPlace[]): readonly (number | null)[] => {
  const groups = [...new Set(workers.map(({ group }) => group))];
  return groups.every((group) => group === null) ? [] : groups.toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity));
};

/** What a thread's counters stood at when the last window was closed. */
interface Base {
  readonly counts: Map<Kind, Uint32Array>;
  loops: number;
  sent: number;
  dropped: number;
  unsent: number;
}

interface Counters {
  readonly loops: number;
  readonly sent: number;
  readonly dropped: number;
  readonly unsent: number;
}

/** Reads everything in a thread's window into the sums of the run. */
interface Reading {
  readonly counters: Counters;
  readonly ranges: readonly {
    readonly kind: Kind;
    readonly min: number;
    readonly max: number;
    readonly counts: Uint32Array;
  }[];
}

const addRange = (sum: Sum, range: Reading["ranges"][number], base: Uint32Array | undefined): void => {
  const first = platIndex(range.min);
  for (let i = 0; i < range.counts.length; i++) {
    const before = base === undefined ? 0 : wordAt(base, first + i);
    // A bucket's 32 bits may have wrapped, but not twice in one window: measure.ts sees to that.
    sum.counts[first + i] = numberAt(sum.counts, first + i) + ((wordAt(range.counts, i) - before) >>> 0);
  }
  sum.min = Math.min(sum.min, range.min);
  sum.max = Math.max(sum.max, range.max);
};

const moveBase = (base: Base, reading: Reading): void => {
  for (const { kind, min, counts } of reading.ranges) {
    const known = base.counts.get(kind) ?? new Uint32Array(PLAT_NR);
    known.set(counts, platIndex(min));
    base.counts.set(kind, known);
  }
  base.loops = reading.counters.loops;
  base.sent = reading.counters.sent;
  base.dropped = reading.counters.dropped;
  base.unsent = reading.counters.unsent;
};

const nap = new Int32Array(new SharedArrayBuffer(4));
const fence = new Int32Array(new SharedArrayBuffer(4));

/**
 * What `read` finds while the thread changes nothing of its own.
 *
 * @throws EngineError when the thread never finishes a change
 */
export const readConsistently = <T>(memory: SharedMemory, thread: ThreadPlace, read: () => T): T => {
  const sequence = memory.word(thread.threadData, "ThreadData.sequence");
  for (let attempt = 0; attempt < PATIENCE_MSEC; attempt++) {
    const before = Atomics.load(memory.u32, sequence);
    if (before % 2 === 0) {
      const reading = read();
      Atomics.or(fence, 0, 0); // keeps the copy's plain loads before the second look on CPUs that reorder loads
      if (Atomics.load(memory.u32, sequence) === before) return reading;
    }
    if (attempt > 10) Atomics.wait(nap, 0, 0, 1);
  }
  throw new EngineError(`${thread.role} thread ${thread.index} never finished recording a sample`);
};

/** A collector over the threads of a run; `places` says where their numbers lie. */
export const createCollector = (memory: SharedMemory, places: Places): Collector => {
  const windowWord = memory.word(places.control, "Control.window");
  const statsBytes = memory.layout.sizeOf("Stats");
  const noMinimum = memory.layout.constant("NO_MINIMUM");
  const platOffset = memory.layout.field("Stats.plat").offset;
  const workers = places.threads.filter(({ role }) => role === "worker");
  const loopCells = workers.map(
    ({ threadData }) => (threadData + memory.layout.field("ThreadData.loopCount").offset) / 8,
  );
  const groups = groupsIn(workers);
  const bases = new Map<number, Base>();

  const statsOf = (thread: ThreadPlace, closed: boolean): readonly (readonly [Kind, number])[] =>
    KINDS.flatMap((kind, i) => {
      const own = thread.stats[kind];
      if (own === 0) return [];
      return [[kind, closed ? thread.closedStats + i * statsBytes : own] as const];
    });

  const readRange = ([kind, stats]: readonly [Kind, number]) => {
    const min = memory.read(stats, "Stats.min");
    const max = memory.read(stats, "Stats.max");
    if (min === noMinimum) return [];
    const plat = (stats + platOffset) / 4;
    return [{ kind, min, max, counts: memory.u32.slice(plat + platIndex(min), plat + platIndex(max) + 1) }];
  };

  /** One attempt at a thread's window; null when the thread has no sample in it. */
  const readOnce = (thread: ThreadPlace, window: number): Reading | null => {
    const read = (field: string): number => memory.read(thread.threadData, `ThreadData.${field}`);
    const own = read("window");
    // The first window has number 0, which is also what a thread without any sample has: its ranges are then empty.
    if (own < window) return null;
    const closed = own > window;
    if (closed && read("closedWindow") !== window) return null;
    return {
      counters: closed
        ? {
            loops: read("closedLoopCount"),
            sent: read("closedSent"),
            dropped: read("closedDropped"),
            unsent: read("closedUnsent"),
          }
        : { loops: read("loopCount"), sent: read("sent"), dropped: read("dropped"), unsent: read("unsent") },
      ranges: statsOf(thread, closed).flatMap(readRange),
    };
  };

  const baseOf = (thread: ThreadPlace): Base => {
    const known = bases.get(thread.threadData);
    if (known !== undefined) return known;
    const base: Base = { counts: new Map(), loops: 0, sent: 0, dropped: 0, unsent: 0 };
    bases.set(thread.threadData, base);
    return base;
  };

  const collect = (window: number, closing: boolean): WindowStats => {
    const sums = newSums<Kind | "lateness">();
    const sumsByGroup = new Map(groups.map((group) => [group, newSums<Kind>()]));
    const loopsByWorker: number[] = [];
    let sent = 0;
    let dropped = 0;
    let unsent = 0;
    for (const thread of places.threads) {
      const reading = readConsistently(memory, thread, () => readOnce(thread, window));
      const base = bases.get(thread.threadData);
      if (thread.role === "worker")
        loopsByWorker.push(reading === null ? 0 : reading.counters.loops - (base?.loops ?? 0));
      if (reading === null) continue;
      sent += reading.counters.sent - (base?.sent ?? 0);
      dropped += reading.counters.dropped - (base?.dropped ?? 0);
      unsent += reading.counters.unsent - (base?.unsent ?? 0);
      for (const range of reading.ranges) {
        const before = base?.counts.get(range.kind);
        addRange(sums.of(thread.role === "message" ? "lateness" : range.kind), range, before);
        const ofGroup = thread.role === "message" ? undefined : sumsByGroup.get(thread.group);
        if (ofGroup !== undefined) addRange(ofGroup.of(range.kind), range, before);
      }
      if (closing) moveBase(baseOf(thread), reading);
    }
    return {
      ...histogramsIn(sums),
      lateness: sums.histogram("lateness"),
      loops: loopsByWorker.reduce((total, loops) => total + loops, 0),
      loopsByWorker,
      groups: [...sumsByGroup.values()].map(histogramsIn),
      sent,
      dropped,
      unsent,
    };
  };

  return {
    loops: () => loopCells.reduce((total, cell) => total + numberAt(memory.f64, cell), 0),
    current: () => collect(Atomics.load(memory.u32, windowWord), false),
    closeWindow: () => collect(Atomics.add(memory.u32, windowWord, 1), true),
  };
};
