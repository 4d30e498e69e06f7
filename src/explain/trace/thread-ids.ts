/**
 * Which thread of the trace is which of ours. The kernel records thread ids of the first PID namespace; inside another one
 * (a container) this process knows its threads by other ids, and /proc shows only those. But a thread's renaming is an
 * event, too, and tells both: the id of the trace, and the name that was given. So every thread is given its own id
 * as its name for a moment.
 */
import { UserError } from "../../errors.js";
import { KERNEL_EVENTS } from "./trace-events.js";
import { idsInstanceName, type PageReader, requireTracefs, type TracefsPlatform, tracefsError } from "./tracefs.js";

/** The ids of the trace by those of this process. */
export type KernelIds = ReadonlyMap<number, number>;

/** An instance in which threads are told apart. */
export interface ThreadIds {
  /** Reads the ids of the threads that there are now, and adds them to those of before. */
  readonly read: () => KernelIds;
  /** Never throws, and may be called more than once. */
  readonly remove: () => void;
}

const RENAME = "task/task_rename";
const RING_KIB = 512;
const NAME_PREFIX = "sbts-";
const RENAMED = new RegExp(`task_rename: pid=(\\d+) oldcomm=.* newcomm=${NAME_PREFIX}(\\d+) `, "g");
const THREADS = "/proc/self/task";

/** Pure: ids of the trace by our own, from the text of a trace of renamings. */
export const kernelIdsIn = (text: string): KernelIds =>
  new Map([...text.matchAll(RENAMED)].map(([, kernelId, ownId]) => [Number(ownId), Number(kernelId)]));

/** The id by which a thread knows itself: /proc may be that of an outer namespace. */
const ownIdOf = (platform: TracefsPlatform, name: string): number => {
  const ids = /^NSpid:\s*(.*)$/m.exec(platform.readText(`${THREADS}/${name}/status`))?.[1];
  return Number(ids?.split(/\s+/).at(-1) ?? name);
};

const renameForAMoment = (platform: TracefsPlatform, name: string): void => {
  try {
    const comm = `${THREADS}/${name}/comm`;
    const before = platform.readText(comm).trimEnd();
    platform.writeText(comm, `${NAME_PREFIX}${ownIdOf(platform, name)}`);
    platform.writeText(comm, before);
  } catch {
    // It has ended meanwhile.
  }
};

const cannotTell = (): UserError =>
  new UserError(
    "cannot explain wakeups in this PID namespace: the kernel's trace knows threads by other ids, and this kernel does not record which is which",
    "Run it outside of the container, or in one that shares the host's PID namespace (docker: --pid=host, Kubernetes: hostPID).",
  );

/**
 * Makes an instance in which threads are told apart, and tries it with the thread that calls.
 *
 * @throws UserError where this kernel does not tell
 */
export const openThreadIds = (platform: TracefsPlatform): ThreadIds => {
  const directory = `${requireTracefs(platform, KERNEL_EVENTS, "explain wakeups")}/instances/${idsInstanceName(platform)}`;
  const known = new Map<number, number>();
  let isThere = false;
  let ring: PageReader | undefined;
  const read = (): KernelIds => {
    platform.writeText(`${directory}/trace`, "");
    for (const name of platform.list(THREADS)) renameForAMoment(platform, name);
    for (const [ownId, kernelId] of kernelIdsIn(platform.readText(`${directory}/trace`))) known.set(ownId, kernelId);
    return known;
  };
  const remove = (): void => {
    ring?.close();
    ring = undefined;
    try {
      if (isThere) platform.removeDirectory(directory);
      isThere = false;
    } catch {
      // Somebody else reads it; the next start removes it as a left-over.
    }
  };
  try {
    if (!platform.exists(directory)) platform.makeDirectory(directory);
    isThere = true;
    if (!platform.exists(`${directory}/events/${RENAME}/enable`)) throw cannotTell();
    const [cpu = "cpu0"] = platform.list(`${directory}/per_cpu`);
    // An open ring keeps others from taking the instance for a left-over.
    ring = platform.openPages(`${directory}/per_cpu/${cpu}/trace_pipe_raw`);
    platform.writeText(`${directory}/buffer_size_kb`, String(RING_KIB));
    platform.writeText(`${directory}/events/${RENAME}/enable`, "1");
    platform.writeText(`${directory}/tracing_on`, "1");
    if (!read().has(platform.pid)) throw cannotTell();
    return { read, remove };
  } catch (thrown) {
    remove();
    throw thrown instanceof UserError ? thrown : tracefsError(`tell threads apart in "${directory}"`, thrown);
  }
};
