/**
 * One traced run: an instance of its own below tracefs (other users of tracing are not disturbed), a ring of bounded size
 * for each CPU, and a reader that empties the rings before they are half full and keeps only the pages in which one of
 * the slowest wakeups so far lies (page-store.ts). In an ordinary run of some minutes the rings never get that full, and
 * nothing is read until the run is over: then tracing costs the run no more than the kernel's writing of the events.
 *
 * Everything is synchronous, so that `remove` also works in a process's exit handler.
 */
import type { SlowWakeup } from "../../model/run-result.js";
import { type EventFormat, parseEventFormat, parsePageFormat } from "./event-format.js";
import { choosePages } from "./page-store.js";
import { KERNEL_EVENTS, type Trace } from "./trace-events.js";
import { pageTimeNsec, readTracePages, type TraceLayout, type TracePage } from "./trace-pages.js";
import {
  instanceName,
  type PageReader,
  removeLeftovers,
  requireTracefs,
  type TracefsPlatform,
  tracefsError,
} from "./tracefs.js";
import { UserError } from "../../errors.js";

/** What may be chosen about a trace. */
export interface TraceOptions {
  readonly platform: TracefsPlatform;
  /** Of each CPU; default: see `ringKibPerCpu`. */
  readonly ringKib?: number;
  /** Bytes of pages kept in this process; default 64 MiB. */
  readonly keptBytes?: number;
}

/** What the kernel counted. */
export interface TraceCounts {
  /** Events recorded, lost ones included. */
  readonly events: number;
  /** Overwritten before they were read, or dropped. */
  readonly lostEvents: number;
  readonly ringKibPerCpu: number;
  /** How often the rings were emptied while the run went on. */
  readonly drains: number;
}

/** A running trace. */
export interface OpenTrace {
  readonly directory: string;
  /** Names of left-over instances of dead processes that were removed. */
  readonly leftovers: readonly string[];
  /** Begins to record. */
  readonly start: () => void;
  /** Empties the rings when they are getting full; to be called again after the milliseconds it returns. */
  readonly poll: (slowSoFar: () => readonly SlowWakeup[]) => number;
  /** Calls `poll` on a timer, from now until `stop`. */
  readonly watch: (slowSoFar: () => readonly SlowWakeup[]) => void;
  /** Stops recording at once; may be called more than once. */
  readonly stop: () => void;
  /** After `stop`: what was recorded around these wakeups. */
  readonly collect: (slow: readonly SlowWakeup[]) => { readonly trace: Trace; readonly counts: TraceCounts };
  /** Removes the instance; never throws, and may be called more than once. */
  readonly remove: () => void;
}

const MAX_RING_KIB = 16_384;
const MIN_RING_KIB = 512;
const MAX_ALL_RINGS_KIB = 256 * 1024;
const SHARE_OF_AVAILABLE = 1 / 16;
const DEFAULT_KEPT_BYTES = 64 * 1024 * 1024;
const NEWEST_NSEC = 250_000_000;
const DRAIN_AT_FILL = 0.5;
const POLL_MSEC = { first: 50, least: 20, most: 500 } as const;
/** A ring that fills faster all of a sudden must still be seen in time. */
const POLL_AT_SHARE_OF_TIME = 0.5;

/** The ring of each CPU: 16 MiB, less where all together would take over 256 MiB or a sixteenth of the free memory. */
export const ringKibPerCpu = (cpus: number, availableKib: number | null): number => {
  const all = Math.min(MAX_ALL_RINGS_KIB, (availableKib ?? Number.POSITIVE_INFINITY) * SHARE_OF_AVAILABLE);
  return Math.max(MIN_RING_KIB, Math.min(MAX_RING_KIB, Math.floor(all / cpus)));
};

const readLayout = (platform: TracefsPlatform, tracefs: string, instance: string): TraceLayout => {
  const head = parsePageFormat(platform.readText(`${tracefs}/events/header_page`));
  if (head === null)
    throw new UserError(
      `cannot explain wakeups: "${tracefs}/events/header_page" has no form we know`,
      "Please report it with the content of that file.",
    );
  const subBuffer = `${instance}/buffer_subbuf_size_kb`;
  const pageBytes = platform.exists(subBuffer) ? Number(platform.readText(subBuffer)) * 1024 : head.pageBytes;
  const events: EventFormat[] = [];
  for (const event of Object.keys(KERNEL_EVENTS)) {
    const path = `${tracefs}/events/${event}/format`;
    const format = platform.exists(path) ? parseEventFormat(platform.readText(path)) : null;
    if (format !== null) events.push(format);
  }
  return { page: { ...head, pageBytes }, events, littleEndian: platform.littleEndian };
};

const setUp = (platform: TracefsPlatform, instance: string, ringKib: number): void => {
  platform.writeText(`${instance}/tracing_on`, "0");
  platform.writeText(`${instance}/trace_clock`, "mono");
  platform.writeText(`${instance}/options/overwrite`, "1");
  platform.writeText(`${instance}/buffer_size_kb`, String(ringKib));
  for (const event of Object.keys(KERNEL_EVENTS)) {
    const directory = `${instance}/events/${event}`;
    if (!platform.exists(`${directory}/enable`)) continue;
    platform.writeText(`${directory}/enable`, "1");
  }
};

interface RingStats {
  readonly entries: number;
  readonly overrun: number;
  readonly dropped: number;
  readonly readEvents: number;
  readonly bytes: number;
}

const readStats = (platform: TracefsPlatform, instance: string, cpu: number): RingStats => {
  const text = platform.readText(`${instance}/per_cpu/cpu${cpu}/stats`);
  const number = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  return {
    entries: number("entries"),
    overrun: number("overrun") + number("commit overrun"),
    dropped: number("dropped events"),
    readEvents: number("read events"),
    bytes: number("bytes"),
  };
};

const keyOf = ({ tid, wakeNsec, runNsec }: SlowWakeup): string => `${tid} ${wakeNsec} ${runNsec}`;

/**
 * The slowest wakeups so far, read while the threads go on: an entry that changes between two readings may be half old
 * and half new, and is left out. Its pages are among the newest, which stay anyway.
 */
const readTwice = (read: () => readonly SlowWakeup[]): readonly SlowWakeup[] => {
  const before = new Set(read().map(keyOf));
  return read().filter((wakeup) => before.has(keyOf(wakeup)) && wakeup.runNsec > wakeup.wakeNsec);
};

/** Reads all pages that are in a ring now; each ends where the next one begins, the last one now. */
const drainRing = (platform: TracefsPlatform, reader: PageReader, cpu: number, layout: TraceLayout): TracePage[] => {
  const pages: TracePage[] = [];
  const buffer = new Uint8Array(layout.page.pageBytes);
  for (;;) {
    const nowNsec = platform.nowNsec();
    const bytes = reader.read(buffer);
    if (bytes === 0) return pages;
    const copy = buffer.slice(0, bytes);
    const fromNsec = pageTimeNsec(copy, layout);
    if (fromNsec === null) return pages;
    const last = pages.at(-1);
    if (last !== undefined) pages[pages.length - 1] = { ...last, untilNsec: fromNsec };
    pages.push({ cpu, bytes: copy, fromNsec, untilNsec: nowNsec });
  }
};

/**
 * Makes an instance for this process and sets it up; records nothing before `start`.
 *
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const openTrace = (options: TraceOptions): OpenTrace => {
  const { platform, keptBytes = DEFAULT_KEPT_BYTES } = options;
  const tracefs = requireTracefs(platform);
  const leftovers = removeLeftovers(platform, tracefs);
  const directory = `${tracefs}/instances/${instanceName(platform.pid)}`;
  const readers = new Map<number, PageReader>();
  let isThere = false;
  let timer: NodeJS.Timeout | undefined;
  let isRecording = false;

  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isThere && isRecording) platform.writeText(`${directory}/tracing_on`, "0");
    isRecording = false;
  };
  const remove = (): void => {
    if (!isThere) return;
    try {
      stop();
    } catch {
      // What follows removes it altogether.
    }
    for (const reader of readers.values()) reader.close();
    readers.clear();
    try {
      platform.removeDirectory(directory);
      isThere = false;
    } catch {
      // Somebody else reads it; the next start removes it as a left-over.
    }
  };

  const open = (): { readonly layout: TraceLayout; readonly ringKib: number } => {
    if (!platform.exists(directory)) platform.makeDirectory(directory);
    isThere = true;
    const cpus = platform.list(`${directory}/per_cpu`).map((name) => Number(name.slice("cpu".length)));
    const ringKib = options.ringKib ?? ringKibPerCpu(cpus.length, platform.availableKib);
    setUp(platform, directory, ringKib);
    for (const cpu of cpus.toSorted((a, b) => a - b))
      readers.set(cpu, platform.openPages(`${directory}/per_cpu/cpu${cpu}/trace_pipe_raw`));
    return { layout: readLayout(platform, tracefs, directory), ringKib };
  };
  let opened: ReturnType<typeof open>;
  try {
    opened = open();
  } catch (thrown) {
    remove();
    throw thrown instanceof UserError ? thrown : tracefsError(`set up tracing in "${directory}"`, thrown);
  }

  const { layout, ringKib } = opened;
  const limits = { keptBytes, newestNsec: NEWEST_NSEC };
  let kept: readonly TracePage[] = [];
  let drains = 0;
  let lastPoll = { nowNsec: platform.nowNsec(), fill: 0 };

  /** Until when the last page that was read of each CPU tells of it. */
  const readUntilNsec = new Map<number, number>();
  const drain = (slow: readonly SlowWakeup[], nowNsec: number): void => {
    const pages = [...kept];
    for (const [cpu, reader] of readers) {
      const emptiedNsec = platform.nowNsec();
      const fresh = drainRing(platform, reader, cpu, layout);
      // The last page of the drain before told of the time until now after all: nothing came in between.
      const lastIndex = pages.findLastIndex((page) => page.cpu === cpu);
      const last = pages[lastIndex];
      if (last !== undefined && last.untilNsec === readUntilNsec.get(cpu))
        pages[lastIndex] = { ...last, untilNsec: fresh[0]?.fromNsec ?? emptiedNsec };
      readUntilNsec.set(cpu, fresh.at(-1)?.untilNsec ?? emptiedNsec);
      for (const page of fresh) pages.push(page);
    }
    kept = choosePages(pages, slow, nowNsec, limits);
  };
  const poll = (slowSoFar: () => readonly SlowWakeup[]): number => {
    const ringBytes = ringKib * 1024;
    const fill = Math.max(...[...readers.keys()].map((cpu) => readStats(platform, directory, cpu).bytes)) / ringBytes;
    const nowNsec = platform.nowNsec();
    const fillPerMsec = ((fill - lastPoll.fill) / (nowNsec - lastPoll.nowNsec)) * 1_000_000;
    const isFull = fill >= DRAIN_AT_FILL;
    if (isFull) {
      drain(readTwice(slowSoFar), nowNsec);
      drains++;
    }
    lastPoll = { nowNsec, fill: isFull ? 0 : fill };
    const untilFullMsec = fillPerMsec > 0 ? (DRAIN_AT_FILL - lastPoll.fill) / fillPerMsec : Number.POSITIVE_INFINITY;
    return Math.max(POLL_MSEC.least, Math.min(POLL_MSEC.most, untilFullMsec * POLL_AT_SHARE_OF_TIME));
  };
  const pollAfter = (msec: number, slowSoFar: () => readonly SlowWakeup[]): void => {
    timer = setTimeout(() => {
      pollAfter(poll(slowSoFar), slowSoFar);
    }, msec);
    timer.unref();
  };

  return {
    directory,
    leftovers,
    start: () => {
      platform.writeText(`${directory}/tracing_on`, "1");
      isRecording = true;
    },
    poll,
    watch: (slowSoFar) => {
      pollAfter(POLL_MSEC.first, slowSoFar);
    },
    stop,
    collect: (slow) => {
      stop();
      drain(slow, Number.POSITIVE_INFINITY);
      const stats = [...readers.keys()].map((cpu) => readStats(platform, directory, cpu));
      const lostEvents = stats.reduce((sum, ring) => sum + ring.overrun + ring.dropped, 0);
      const events = stats.reduce((sum, ring) => sum + ring.readEvents, lostEvents);
      return {
        trace: readTracePages(kept, layout),
        counts: { events, lostEvents, ringKibPerCpu: ringKib, drains },
      };
    },
    remove,
  };
};
