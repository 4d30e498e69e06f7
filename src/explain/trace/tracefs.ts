/**
 * What tracefs needs to offer, and whether it does: where it is mounted, whether this process may use it, which events
 * this kernel has. Every refusal names what is missing and how to get it.
 */
import { messageOf, UserError } from "../../errors.js";
import { KERNEL_EVENTS } from "./trace-events.js";

/** Reads whole pages of an open ring without waiting. */
export interface PageReader {
  /** Bytes read into `buffer`; 0 when the ring is empty. */
  readonly read: (buffer: Uint8Array) => number;
  readonly close: () => void;
}

/** The few things of the system that tracing needs; tests hand in a tracefs of their own. */
export interface TracefsPlatform {
  readonly pid: number;
  /** The number of this process's PID namespace; null where it is not known. */
  readonly pidNamespace: number | null;
  readonly isRoot: boolean;
  readonly littleEndian: boolean;
  /** Memory that could be used now; null where it is not known. */
  readonly availableKib: number | null;
  /** CLOCK_MONOTONIC. */
  readonly nowNsec: () => number;
  /** Throws what the system says; callers turn it into an error for users. */
  readonly readText: (path: string) => string;
  readonly writeText: (path: string, text: string) => void;
  readonly makeDirectory: (path: string) => void;
  readonly removeDirectory: (path: string) => void;
  /** Names in a directory; empty when it cannot be read. */
  readonly list: (path: string) => readonly string[];
  readonly exists: (path: string) => boolean;
  readonly openPages: (path: string) => PageReader;
  readonly isAlive: (pid: number) => boolean;
  /** The address of a function of the kernel in hexadecimal; null where it is hidden. */
  readonly addressOf: (kernelFunction: string) => string | null;
}

/** Events by subsystem and name; `needed` ones must exist, the others help. */
export type KernelEvents = Readonly<Record<string, { readonly needed: boolean }>>;

/** Where tracefs is looked for, in this order. */
const TRACEFS_DIRECTORIES = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"] as const;

const MOUNT_REMEDY = "Mount it: mount -t tracefs nodev /sys/kernel/tracing (as root).";

/** One thing that stands in the way of tracing, and how to get it. */
interface MissingForExplain {
  readonly what: string;
  readonly remedy: string;
}

/** Whether tracing would work here. */
export interface ExplainReadiness {
  readonly ready: boolean;
  /** Where tracefs is; null when it is not to be found. */
  readonly directory: string | null;
  readonly missing: readonly MissingForExplain[];
  /** Events that this kernel lacks and that would only help. */
  readonly absentEvents: readonly string[];
}

/** Looks, changing nothing, whether these events could be traced here; for `doctor` and before a run. */
export const explainReadiness = (platform: TracefsPlatform, events: KernelEvents = KERNEL_EVENTS): ExplainReadiness => {
  const directory = TRACEFS_DIRECTORIES.find((candidate) => platform.exists(`${candidate}/trace_clock`)) ?? null;
  const missing: MissingForExplain[] = [];
  if (!platform.isRoot && directory === null)
    missing.push({
      what: "tracing is for root only, and this process is not root",
      remedy: "Run it as root, or with sudo.",
    });
  else if (directory === null) {
    const hasTracefs = platform.exists(TRACEFS_DIRECTORIES[0]);
    missing.push(
      hasTracefs
        ? { what: `tracefs is not mounted at "${TRACEFS_DIRECTORIES.join('" or "')}"`, remedy: MOUNT_REMEDY }
        : {
            what: "this kernel has no tracefs",
            remedy: "It needs a kernel built with CONFIG_FTRACE and CONFIG_EVENT_TRACING.",
          },
    );
  }
  if (directory === null) return { ready: false, directory, missing, absentEvents: [] };
  const absentEvents: string[] = [];
  for (const [event, { needed }] of Object.entries(events)) {
    if (platform.exists(`${directory}/events/${event}/format`)) continue;
    if (needed)
      missing.push({
        what: `this kernel lacks the event "${event}"`,
        remedy:
          "It needs a kernel built with CONFIG_EVENT_TRACING and with CONFIG_CONTEXT_SWITCH_TRACER or CONFIG_FTRACE.",
      });
    else absentEvents.push(event);
  }
  const clocks = readOr(platform, `${directory}/trace_clock`, "");
  if (!/\bmono\b/.test(clocks))
    missing.push({
      what: `the trace clock "mono" is not available; this kernel has "${clocks.trim()}"`,
      remedy: "It needs Linux 3.13 or newer.",
    });
  if (!platform.exists(`${directory}/instances`))
    missing.push({ what: "this kernel has no trace instances", remedy: "It needs Linux 3.10 or newer." });
  return { ready: missing.length === 0, directory, missing, absentEvents };
};

const readOr = (platform: TracefsPlatform, path: string, otherwise: string): string => {
  try {
    return platform.readText(path);
  } catch {
    return otherwise;
  }
};

/** The directory of tracefs, ready for use; throws UserError that says what is missing. */
export const requireTracefs = (platform: TracefsPlatform, events: KernelEvents, purpose: string): string => {
  const { directory, missing } = explainReadiness(platform, events);
  const [first] = missing;
  if (first !== undefined) throw new UserError(`cannot ${purpose}: ${first.what}`, first.remedy);
  if (directory === null) throw new UserError(`cannot ${purpose}: there is no tracefs`, MOUNT_REMEDY);
  return directory;
};

/** Says what failed in tracefs as an error for users. */
export const tracefsError = (what: string, thrown: unknown): UserError =>
  new UserError(
    `cannot ${what}: ${messageOf(thrown)}`,
    "Tracing needs root, and a kernel that is not locked down (see /sys/kernel/security/lockdown).",
    { cause: thrown },
  );

const INSTANCE = /^schbench-ts-(\d+)(?:-ns(\d+))?(?:-[a-z]+)?$/;
/** The kernel's number of the first PID namespace, the same since Linux 3.8; left out of the names. */
const FIRST_NAMESPACE = 4_026_531_836;

const namespaceOf = ({ pidNamespace }: TracefsPlatform): number => pidNamespace ?? FIRST_NAMESPACE;

/** Whether the trace knows the threads of this process by other ids: it is in a PID namespace of its own, a container. */
export const hasOtherIds = (platform: TracefsPlatform): boolean => namespaceOf(platform) !== FIRST_NAMESPACE;

/** The name of this process's instance, for one purpose. Processes of two PID namespaces may have one id. */
export const instanceName = (platform: TracefsPlatform, suffix?: string): string =>
  [
    `schbench-ts-${platform.pid}`,
    ...(hasOtherIds(platform) ? [`ns${namespaceOf(platform)}`] : []),
    ...(suffix === undefined ? [] : [suffix]),
  ].join("-");

/** The name of the instance in which this process's threads are told apart. */
export const idsInstanceName = (platform: TracefsPlatform): string => instanceName(platform, "ids");

/** Of a process that is gone, or of one in another PID namespace, where we cannot look: an open ring keeps it from us. */
const mayBeLeftOver = (platform: TracefsPlatform, name: string): boolean => {
  const found = INSTANCE.exec(name);
  if (found === null) return false;
  const namespace = Number(found[2] ?? FIRST_NAMESPACE);
  return namespace !== namespaceOf(platform) || !platform.isAlive(Number(found[1]));
};

/**
 * Removes the instances of processes that are gone (killed by SIGKILL, or a crash).
 *
 * @returns their names. One that cannot be removed, since somebody reads it, is left alone.
 */
export const removeLeftovers = (platform: TracefsPlatform, tracefs: string): readonly string[] => {
  const removed: string[] = [];
  for (const name of platform.list(`${tracefs}/instances`)) {
    if (!mayBeLeftOver(platform, name)) continue;
    try {
      platform.removeDirectory(`${tracefs}/instances/${name}`);
      removed.push(name);
    } catch {
      // In use by a reader: not ours to take away.
    }
  }
  return removed;
};
