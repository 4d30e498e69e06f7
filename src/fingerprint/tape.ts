/**
 * The kernel's trace of one program, counted while it runs: an instance of its own that records only the program's threads
 * and of which nothing is kept but counts by thread.
 *
 * A storm writes a hundred megabytes a second. When a ring is half full the recording pauses, is counted, and goes on a
 * while later: memory and work stay bounded, no event is lost, and what is counted is a sample of the run in bursts.
 */
import { drainPace } from "../explain/trace/drain-pace.js";
import { type Instance, openInstance, type RingStats } from "../explain/trace/instance.js";
import { pageTimeNsec, viewOf, visitPage } from "../explain/trace/trace-pages.js";
import { hasOtherIds, type KernelEvents, type TracefsPlatform } from "../explain/trace/tracefs.js";
import { UserError } from "../errors.js";
import { createFamilies, type Families } from "./families.js";
import { DEED_EVENTS, LIFE_EVENTS } from "./fingerprint-events.js";
import { type RecordReader, recordReaders } from "./record-readers.js";
import { createTally, type ThreadTally } from "./tally.js";

/** What was counted. */
export interface TapeCounts {
  readonly threads: ReadonlyMap<number, ThreadTally>;
  readonly families: Families;
  /** The time in which what was recorded counts, CLOCK_MONOTONIC. */
  readonly fromNsec: number;
  readonly toNsec: number;
  /** The recording paused meanwhile: the counts are those of a part of that time. */
  readonly isSample: boolean;
  readonly lostEvents: number;
}

/** What is recorded beside the threads' deeds: births and deaths, which tell in a foreign program who created whom. */
export type TapeScope = "deeds" | "deeds-and-lives";

/** A trace that is being counted. */
export interface Tape {
  /** Records; to be called before the program starts its threads. */
  readonly start: () => void;
  /** Counts from now on: what was before is forgotten. */
  readonly begin: () => void;
  /** Looks at the rings now and then, from now until `stop`. */
  readonly watch: () => void;
  /** Who was born and who died so far. */
  readonly families: () => Families;
  /** Records no more. */
  readonly stop: () => void;
  /** After `stop`. */
  readonly counts: () => TapeCounts;
  /** Removes the instances; never throws, and may be called more than once. */
  readonly remove: () => void;
}

const FIRST_POLL_MSEC = 20;
/** After a pause the program has the machine to itself for so long. */
const REST_MSEC = 200;

const fillOfFullest = ({ rings, statsOf, ringKib }: Instance): number =>
  Math.max(...[...rings.keys()].map((cpu) => statsOf(cpu).bytes)) / (ringKib * 1024);

const sumOf = ({ rings, statsOf }: Instance, count: keyof RingStats): number =>
  [...rings.keys()].reduce((sum, cpu) => sum + statsOf(cpu)[count], 0);

interface RawPage {
  readonly cpu: number;
  readonly bytes: Uint8Array;
}

/** What is in the rings now; no more pages than fit into one, or a ring that is being filled would be read for ever. */
const readPages = ({ rings, layout, ringKib }: Instance): readonly RawPage[] => {
  const { pageBytes } = layout.page;
  const most = Math.ceil((ringKib * 1024) / pageBytes) + 1;
  const pages: RawPage[] = [];
  for (const [cpu, ring] of rings)
    for (let read = 0; read < most; read++) {
      const buffer = new Uint8Array(pageBytes);
      const length = ring.read(buffer);
      if (length === 0) break;
      pages.push({ cpu, bytes: buffer.subarray(0, length) });
    }
  return pages;
};

/** Hands the records of pages to their readers; `onCpu` hears whose ring it is. Returns the number of damaged pages. */
const takePages = (
  { layout }: Instance,
  pages: readonly RawPage[],
  readers: ReadonlyMap<number, RecordReader>,
  onCpu?: (cpu: number) => void,
): number => {
  let damaged = 0;
  for (const { cpu, bytes } of pages) {
    const view = viewOf(bytes);
    onCpu?.(cpu);
    const isWhole = visitPage(bytes, view, layout, (event, start, end, timeNsec) => {
      const reader = readers.get(event);
      if (reader === undefined) return true;
      if (start + reader.bytes > end) return false;
      reader.take(view, start, timeNsec);
      return true;
    });
    if (!isWhole) damaged++;
  }
  return damaged;
};

const tapeOf = (platform: TracefsPlatform, deeds: Instance, lives: Instance | null): Tape => {
  const tally = createTally();
  const families = createFamilies();
  const pace = drainPace(platform.nowNsec());
  let cpu = 0;
  let fromNsec = Number.POSITIVE_INFINITY;
  let toNsec = Number.POSITIVE_INFINITY;
  let recordedNsec = Number.POSITIVE_INFINITY;
  const droppedBefore = new Map<number, number>();
  let isSample = false;
  let damaged = 0;
  let timer: NodeJS.Timeout | undefined;

  const counts = (timeNsec: number): boolean => timeNsec >= fromNsec && timeNsec <= Math.min(toNsec, recordedNsec);
  const deedReaders = recordReaders(deeds.layout.events, platform.littleEndian, {
    switched: (tid, isAsleep, timeNsec) => {
      if (!counts(timeNsec)) return;
      if (isAsleep) tally.of(tid).voluntarySwitches++;
      else tally.of(tid).involuntarySwitches++;
    },
    waking: (tid, wakerTid, timeNsec) => {
      if (counts(timeNsec)) tally.waking(tid, { timeNsec, cpu, wakerTid });
    },
    woken: (tid, targetCpu, timeNsec) => {
      if (counts(timeNsec)) tally.woken(tid, { timeNsec, cpu: targetCpu, wakerTid: null });
    },
    migrated: (tid, timeNsec) => {
      if (counts(timeNsec)) tally.of(tid).migrations++;
    },
    called: (tid, number, timeNsec) => {
      if (!counts(timeNsec)) return;
      const { calls } = tally.of(tid);
      calls.set(number, (calls.get(number) ?? 0) + 1);
    },
  });
  const lifeReaders = recordReaders(lives?.layout.events ?? [], platform.littleEndian, {
    born: families.born,
    gone: families.gone,
  });

  const readLives = (): void => {
    if (lives !== null) damaged += takePages(lives, readPages(lives), lifeReaders);
  };
  /** Until when all CPUs were recorded: the rings that ran full keep what came first. */
  const recordedUntil = (pages: readonly RawPage[]): number => {
    let untilNsec = Number.POSITIVE_INFINITY;
    for (const ring of deeds.rings.keys()) {
      const { dropped } = deeds.statsOf(ring);
      const last = pages.findLast((page) => page.cpu === ring);
      if (dropped > (droppedBefore.get(ring) ?? 0) && last !== undefined) {
        isSample = true;
        untilNsec = Math.min(untilNsec, pageTimeNsec(last.bytes, deeds.layout) ?? 0);
      }
      droppedBefore.set(ring, dropped);
    }
    return untilNsec;
  };
  /** Counts what was recorded; the recording stands still. */
  const drain = (): void => {
    const pages = readPages(deeds);
    recordedNsec = recordedUntil(pages);
    readLives();
    damaged += takePages(deeds, pages, deedReaders, (of) => {
      cpu = of;
    });
    tally.settle();
  };
  const again = (call: () => void, msec: number): void => {
    timer = setTimeout(call, msec);
    timer.unref();
  };
  const resume = (): void => {
    deeds.start();
    again(poll, FIRST_POLL_MSEC);
  };
  const poll = (): void => {
    const { isDue, againMsec } = pace(fillOfFullest(deeds), platform.nowNsec());
    if (!isDue) return again(poll, againMsec);
    deeds.stop();
    isSample = true;
    drain();
    return again(resume, REST_MSEC);
  };
  const stop = (): void => {
    clearTimeout(timer);
    deeds.stop();
    lives?.stop();
    toNsec = Math.min(toNsec, platform.nowNsec());
  };
  return {
    start: () => {
      lives?.start();
      deeds.start();
    },
    begin: () => {
      tally.reset();
      fromNsec = platform.nowNsec();
    },
    watch: () => again(poll, FIRST_POLL_MSEC),
    families: () => {
      readLives();
      return families;
    },
    stop,
    counts: () => {
      stop();
      drain();
      const lostLives = lives === null ? 0 : sumOf(lives, "dropped");
      const lostEvents = sumOf(deeds, "overrun") + lostLives + damaged;
      return { threads: tally.all(), families, fromNsec, toNsec, isSample, lostEvents };
    },
    remove: () => {
      clearTimeout(timer);
      deeds.remove();
      lives?.remove();
    },
  };
};

/**
 * Makes the instances for a program.
 *
 * @param family threads whose events are recorded, with those of all that they create
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const openTape = (platform: TracefsPlatform, family: readonly number[], scope: TapeScope): Tape => {
  if (hasOtherIds(platform))
    throw new UserError(
      "cannot take a fingerprint: in a PID namespace of its own (a container) this process does not know its threads' ids in the trace",
      "Run it outside of the container, or in one that shares the host's PID namespace.",
    );
  const instances: Instance[] = [];
  const open = (events: KernelEvents, suffix: string): Instance => {
    const instance = openInstance({ platform, events, purpose: "take a fingerprint", suffix, family, keeps: "oldest" });
    instances.push(instance);
    return instance;
  };
  try {
    const deeds = open(DEED_EVENTS, "fingerprint");
    return tapeOf(platform, deeds, scope === "deeds" ? null : open(LIFE_EVENTS, "lives"));
  } catch (thrown) {
    for (const instance of instances) instance.remove();
    throw thrown;
  }
};
