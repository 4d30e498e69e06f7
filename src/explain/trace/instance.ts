/**
 * An instance of our own below tracefs: set up, read and removed. It knows rings and pages, and nothing of wakeups.
 *
 * Everything is synchronous, so that `remove` also works in a process's exit handler.
 */
import { type EventFormat, parseEventFormat, parsePageFormat } from "./event-format.js";
import { ringKibPerCpu } from "./ring-size.js";
import { PERIOD_EVENT, PERIOD_FUNCTION } from "./trace-events.js";
import type { TraceLayout } from "./trace-pages.js";
import {
  instanceName,
  type KernelEvents,
  type PageReader,
  removeLeftovers,
  requireTracefs,
  type TracefsPlatform,
  tracefsError,
} from "./tracefs.js";
import { UserError } from "../../errors.js";

/** What may be chosen about an instance. */
export interface InstanceOptions {
  readonly platform: TracefsPlatform;
  /** Of each CPU; default: see `ringKibPerCpu`. */
  readonly ringKib?: number | undefined;
  /** Whether the periods of CPU limits are recorded too; default: not. */
  readonly hasCpuLimit?: boolean | undefined;
  /** What is to be recorded. */
  readonly events: KernelEvents;
  /** What it is for, as in "cannot …". */
  readonly purpose: string;
  /** Added to the instance's name: a process may have one for each purpose. */
  readonly suffix?: string;
  /** What a full ring keeps; default: the newest, which overwrites the oldest. */
  readonly keeps?: "newest" | "oldest";
  /** Record only what concerns these threads and those they create from now on; default: everything. */
  readonly family?: readonly number[];
}

/** What the kernel counts of one ring. */
export interface RingStats {
  readonly overrun: number;
  readonly dropped: number;
  readonly readEvents: number;
  readonly bytes: number;
}

/** An instance that is set up, and whose rings are open. */
export interface Instance {
  readonly directory: string;
  /** Names of left-over instances of dead processes that were removed. */
  readonly leftovers: readonly string[];
  readonly layout: TraceLayout;
  readonly ringKib: number;
  /** The open rings by CPU, ascending. */
  readonly rings: ReadonlyMap<number, PageReader>;
  readonly statsOf: (cpu: number) => RingStats;
  readonly start: () => void;
  /** Stops recording at once; may be called more than once. */
  readonly stop: () => void;
  /** Closes the rings and removes the instance; never throws, and may be called more than once. */
  readonly remove: () => void;
}

/** In this order: an event that is on before the threads are named records everybody's. */
const setUp = ({ platform, events, family, keeps }: InstanceOptions, directory: string, ringKib: number): void => {
  platform.writeText(`${directory}/tracing_on`, "0");
  platform.writeText(`${directory}/trace_clock`, "mono");
  platform.writeText(`${directory}/options/overwrite`, keeps === "oldest" ? "0" : "1");
  platform.writeText(`${directory}/buffer_size_kb`, String(ringKib));
  if (family !== undefined) {
    platform.writeText(`${directory}/options/event-fork`, "1");
    platform.writeText(`${directory}/set_event_pid`, family.join(" "));
  }
  for (const event of Object.keys(events)) {
    const enable = `${directory}/events/${event}/enable`;
    if (platform.exists(enable)) platform.writeText(enable, "1");
  }
};

function* periodFilters(platform: TracefsPlatform): Generator<string> {
  yield `function.function == ${PERIOD_FUNCTION}`;
  // The list of all functions is long: it is read only by a kernel that needs it.
  const address = platform.addressOf(PERIOD_FUNCTION);
  if (address !== null) yield `function == 0x${address}`;
}

/**
 * Records when the period of any CPU limit ends. Only this one timer function may be recorded: where the kernel takes
 * no such filter, none is. Since Linux 6.3 a filter takes a function's name, before that its address.
 */
const recordPeriods = (platform: TracefsPlatform, directory: string): void => {
  const event = `${directory}/events/${PERIOD_EVENT}`;
  if (!platform.exists(`${event}/enable`)) return;
  for (const filter of periodFilters(platform))
    try {
      platform.writeText(`${event}/filter`, filter);
      platform.writeText(`${event}/enable`, "1");
      return;
    } catch {
      // The next form, or no periods: they make the explanation finer, and nothing depends on them.
    }
};

const readFormats = ({ platform, events }: InstanceOptions, tracefs: string): readonly EventFormat[] => {
  const formats: EventFormat[] = [];
  for (const event of [...Object.keys(events), PERIOD_EVENT]) {
    const path = `${tracefs}/events/${event}/format`;
    const format = platform.exists(path) ? parseEventFormat(platform.readText(path)) : null;
    if (format !== null) formats.push(format);
  }
  return formats;
};

const readLayout = (options: InstanceOptions, tracefs: string, directory: string): TraceLayout => {
  const { platform, purpose } = options;
  const head = parsePageFormat(platform.readText(`${tracefs}/events/header_page`));
  if (head === null)
    throw new UserError(
      `cannot ${purpose}: "${tracefs}/events/header_page" has an unknown format`,
      "Please report it with the content of that file.",
    );
  const subBuffer = `${directory}/buffer_subbuf_size_kb`;
  const pageBytes = platform.exists(subBuffer) ? Number(platform.readText(subBuffer)) * 1024 : head.pageBytes;
  return { page: { ...head, pageBytes }, events: readFormats(options, tracefs), littleEndian: platform.littleEndian };
};

const cpusOf = (platform: TracefsPlatform, directory: string): readonly number[] =>
  platform
    .list(`${directory}/per_cpu`)
    .map((name) => Number(name.slice("cpu".length)))
    .toSorted((a, b) => a - b);

const readStats = (platform: TracefsPlatform, directory: string, cpu: number): RingStats => {
  const text = platform.readText(`${directory}/per_cpu/cpu${cpu}/stats`);
  // A line that this kernel does not print counts nothing.
  const number = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  return {
    overrun: number("overrun") + number("commit overrun"),
    dropped: number("dropped events"),
    readEvents: number("read events"),
    bytes: number("bytes"),
  };
};

/** Starting, stopping and removing an instance that has been made, with the rings that have been opened so far. */
const lifeOf = (
  platform: TracefsPlatform,
  directory: string,
  rings: Map<number, PageReader>,
): Pick<Instance, "start" | "stop" | "remove"> => {
  let isThere = true;
  let isRecording = false;
  const record = (on: boolean): void => {
    if (!isThere || isRecording === on) return;
    platform.writeText(`${directory}/tracing_on`, on ? "1" : "0");
    isRecording = on;
  };
  const remove = (): void => {
    if (!isThere) return;
    try {
      record(false);
    } catch {
      // What follows removes it altogether.
    }
    for (const ring of rings.values()) ring.close();
    rings.clear();
    try {
      platform.removeDirectory(directory);
      isThere = false;
    } catch {
      // Somebody else reads it; the next start removes it as a left-over.
    }
  };
  return { start: () => record(true), stop: () => record(false), remove };
};

/**
 * Makes an instance for this process and sets it up; records nothing before `start`.
 *
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const openInstance = (options: InstanceOptions): Instance => {
  const { platform, ringKib: wantedKib, events, purpose, suffix, hasCpuLimit = false } = options;
  const tracefs = requireTracefs(platform, events, purpose);
  const leftovers = removeLeftovers(platform, tracefs);
  const directory = `${tracefs}/instances/${instanceName(platform, suffix)}`;
  const failed = `set up tracing in "${directory}"`;
  try {
    if (!platform.exists(directory)) platform.makeDirectory(directory);
  } catch (thrown) {
    throw tracefsError(failed, thrown);
  }
  const rings = new Map<number, PageReader>();
  const life = lifeOf(platform, directory, rings);
  try {
    const cpus = cpusOf(platform, directory);
    const ringKib = wantedKib ?? ringKibPerCpu(cpus.length, platform.availableKib);
    setUp(options, directory, ringKib);
    if (hasCpuLimit) recordPeriods(platform, directory);
    for (const cpu of cpus) rings.set(cpu, platform.openPages(`${directory}/per_cpu/cpu${cpu}/trace_pipe_raw`));
    const layout = readLayout(options, tracefs, directory);
    const statsOf = (cpu: number): RingStats => readStats(platform, directory, cpu);
    return { directory, leftovers, layout, ringKib, rings, statsOf, ...life };
  } catch (thrown) {
    life.remove();
    throw thrown instanceof UserError ? thrown : tracefsError(failed, thrown);
  }
};
