/**
 * One traced run: an instance of its own below tracefs (other users of tracing are not disturbed), a ring of bounded size
 * for each CPU, and a reader that empties the rings before they are half full and keeps only the pages in which one of
 * the slowest wakeups so far lies (page-store.ts). In an ordinary run of some minutes the rings never get that full, and
 * nothing is read until the run is over: then tracing costs the run no more than the kernel's writing of the events.
 */
import type { SlowWakeup } from "../../model/result/run-result.js";
import { drainPace } from "./drain-pace.js";
import { type Instance, type InstanceOptions, openInstance } from "./instance.js";
import { keptPages } from "./kept-pages.js";
import { KERNEL_EVENTS, type Trace } from "./trace-events.js";
import { readTracePages } from "./trace-pages.js";

/** What may be chosen about a trace. */
export interface TraceOptions extends Pick<InstanceOptions, "platform" | "ringKib" | "hasCpuLimit"> {
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

/** Reads the slowest wakeups so far. */
type ReadSlow = () => readonly SlowWakeup[];

/** A running trace. */
export interface OpenTrace extends Pick<Instance, "directory" | "leftovers" | "start" | "stop" | "remove"> {
  /** Empties the rings when they are getting full; to be called again after the milliseconds it returns. */
  readonly poll: (slowSoFar: ReadSlow) => number;
  /** Calls `poll` on a timer, from now until `stop`. */
  readonly watch: (slowSoFar: ReadSlow) => void;
  /** After `stop`: what was recorded around these wakeups. */
  readonly collect: (slow: readonly SlowWakeup[]) => { readonly trace: Trace; readonly counts: TraceCounts };
}

const DEFAULT_KEPT_BYTES = 64 * 1024 * 1024;
const NEWEST_NSEC = 250_000_000;
const FIRST_POLL_MSEC = 50;

const keyOf = ({ tid, wakeNsec, runNsec }: SlowWakeup): string => `${tid} ${wakeNsec} ${runNsec}`;

/**
 * The slowest wakeups so far, read while the threads go on: an entry that changes between two readings may be half old
 * and half new, and is left out. Its pages are among the newest, which stay anyway.
 */
const readTwice = (read: ReadSlow): readonly SlowWakeup[] => {
  const before = new Set(read().map(keyOf));
  return read().filter((wakeup) => before.has(keyOf(wakeup)) && wakeup.runNsec > wakeup.wakeNsec);
};

const fillOfFullest = ({ rings, statsOf, ringKib }: Instance): number =>
  Math.max(...[...rings.keys()].map((cpu) => statsOf(cpu).bytes)) / (ringKib * 1024);

const countsOf = ({ rings, statsOf, ringKib }: Instance, drains: number): TraceCounts => {
  const stats = [...rings.keys()].map(statsOf);
  const lostEvents = stats.reduce((sum, ring) => sum + ring.overrun + ring.dropped, 0);
  const events = stats.reduce((sum, ring) => sum + ring.readEvents, lostEvents);
  return { events, lostEvents, ringKibPerCpu: ringKib, drains };
};

/** Calls again and again, each time after the milliseconds of the call before; the timer keeps no process alive. */
const repeater = () => {
  let timer: NodeJS.Timeout | undefined;
  const begin = (afterMsec: number, call: () => number): void => {
    timer = setTimeout(() => begin(call(), call), afterMsec);
    timer.unref();
  };
  return { begin, end: () => clearTimeout(timer) };
};

/**
 * Makes an instance for this process and sets it up; records nothing before `start`.
 *
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const openTrace = ({ keptBytes = DEFAULT_KEPT_BYTES, ...options }: TraceOptions): OpenTrace => {
  const { nowNsec } = options.platform;
  const instance = openInstance({ ...options, events: KERNEL_EVENTS, purpose: "explain wakeups" });
  const kept = keptPages(instance, { keptBytes, newestNsec: NEWEST_NSEC }, nowNsec);
  const pace = drainPace(nowNsec());
  let drains = 0;

  const poll = (slowSoFar: ReadSlow): number => {
    const now = nowNsec();
    const { isDue, againMsec } = pace(fillOfFullest(instance), now);
    if (isDue) {
      kept.drain(readTwice(slowSoFar), now);
      drains++;
    }
    return againMsec;
  };
  const watching = repeater();
  const stop = (): void => {
    watching.end();
    instance.stop();
  };
  return {
    directory: instance.directory,
    leftovers: instance.leftovers,
    start: instance.start,
    poll,
    watch: (slowSoFar) => {
      watching.begin(FIRST_POLL_MSEC, () => poll(slowSoFar));
    },
    stop,
    collect: (slow) => {
      stop();
      kept.drain(slow, Number.POSITIVE_INFINITY);
      return { trace: readTracePages(kept.pages(), instance.layout), counts: countsOf(instance, drains) };
    },
    remove: () => {
      watching.end();
      instance.remove();
    },
  };
};
