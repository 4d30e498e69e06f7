/**
 * Who created whom, and what they were called when they left: that tells message threads from workers in any schbench. Newer
 * ones name their threads; in all of them the main thread creates the message threads, and these create the workers. Pure.
 */
import type { Role } from "../model/result/fingerprint.js";

/** A benchmark thread of a foreign program. */
export interface Member {
  readonly tid: number;
  readonly role: Role;
  /** The message thread of a worker; null where it cannot be told, and for message threads. */
  readonly messageTid: number | null;
}

/** Threads as the trace tells of them. */
export interface Families {
  readonly born: (tid: number, parentTid: number, isThread: boolean) => void;
  readonly gone: (tid: number, name: string) => void;
  readonly isThread: (tid: number) => boolean;
  /** Who created a thread; null: not seen. */
  readonly parentOf: (tid: number) => number | null;
  /** Message threads and workers; empty where there are none. */
  readonly members: () => readonly Member[];
}

/** The names of benchmark threads in newer versions of schbench, and in ours. */
export const ROLE_BY_NAME: ReadonlyMap<string, Role> = new Map([
  ["schbench-msg", "message"],
  ["schbench-worker", "worker"],
]);

/** Nobody yet. */
export const createFamilies = (): Families => {
  const parents = new Map<number, number>();
  const threads = new Set<number>();
  const names = new Map<number, string>();

  /** How many threads up to the main thread: 1 for one that it created, 2 for one created by such a one. */
  const depthOf = (tid: number): number => {
    let depth = 0;
    for (let at: number | undefined = tid; at !== undefined && threads.has(at); at = parents.get(at)) depth++;
    return depth;
  };
  const roleOf = (tid: number, isNamed: boolean): Role | null => {
    if (isNamed) return ROLE_BY_NAME.get(names.get(tid) ?? "") ?? null;
    const depth = depthOf(tid);
    return depth === 1 ? "message" : depth === 2 ? "worker" : null;
  };
  return {
    born: (tid, parentTid, isThread) => {
      parents.set(tid, parentTid);
      if (isThread) threads.add(tid);
      else threads.delete(tid);
    },
    gone: (tid, name) => {
      names.set(tid, name);
    },
    isThread: (tid) => threads.has(tid),
    parentOf: (tid) => parents.get(tid) ?? null,
    members: () => {
      const isNamed = [...threads].some((tid) => ROLE_BY_NAME.has(names.get(tid) ?? ""));
      const roles = new Map([...threads].map((tid) => [tid, roleOf(tid, isNamed)]));
      const members: Member[] = [];
      for (const [tid, role] of roles) {
        if (role === null) continue;
        const parent = parents.get(tid) ?? null;
        const isOwn = role === "worker" && parent !== null && roles.get(parent) === "message";
        members.push({ tid, role, messageTid: isOwn ? parent : null });
      }
      return members;
    },
  };
};
