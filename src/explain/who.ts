/** What the scheduler knows of the threads that ran instead, beyond the priority that is in the trace: asked while they are there. */
import type { Files } from "../platform/files.js";
import { readSched } from "../platform/scheduler/sched-attr.js";

/** Of a thread: its policy, and what it belongs to; null where that is not known. */
export interface Who {
  readonly policy: string | null;
  /** Of the benchmark's: its worker group. Of others: their control group, where it is not this process's own. */
  readonly group: string | null;
}

export const NOBODY: Who = { policy: null, group: null };

/** Pure: the path in a /proc/PID/cgroup file, of version 2 or of the cpu controller; null for the root and where there is none. */
export const cgroupPath = (text: string | null): string | null => {
  const path = /^(?:0:|\d+:(?:[^:]*,)?cpu(?:,[^:]*)?):(?<path>\/.*)$/mu.exec(text ?? "")?.groups?.["path"];
  return path === undefined || path === "/" ? null : path;
};

/** Reads about threads of other processes; each is asked for once. */
export const otherThreads = (files: Files, read = readSched): ((tid: number) => Who) => {
  const own = cgroupPath(files.readText("/proc/self/cgroup"));
  const known = new Map<number, Who>();
  return (tid) => {
    if (tid <= 0) return NOBODY;
    const who = known.get(tid);
    if (who !== undefined) return who;
    const path = cgroupPath(files.readText(`/proc/${tid}/cgroup`));
    const found = { policy: read(tid)?.policy ?? null, group: path === own ? null : path };
    known.set(tid, found);
    return found;
  };
};
