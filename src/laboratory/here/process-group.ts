/** Process groups: signalling one, and ending what is left of one. Thin shell. */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { letGo } from "./group-keeper.js";

/** Sends a signal to a process group; false: it has no member (any more). */
export const signalGroup = (group: number | undefined, signal: NodeJS.Signals | 0): boolean => {
  if (group === undefined) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
};

const guarded = new Map<number, NodeJS.Signals>();

const endGuarded = (): void => guarded.forEach((signal, group) => signalGroup(group, signal));

/**
 * Sees to it that a group does not outlive this process when that leaves in a hurry (a second SIGINT); when it is killed,
 * the keeper does.
 *
 * @returns call it when the group is gone, or may stay
 */
export const guardGroup = (group: number | undefined, signal: NodeJS.Signals): (() => void) => {
  if (group === undefined) return () => {};
  if (guarded.size === 0) process.once("exit", endGuarded);
  guarded.set(group, signal);
  return () => {
    guarded.delete(group);
    letGo(group);
    if (guarded.size === 0) process.off("exit", endGuarded);
  };
};

/** State letter and process group in a line of /proc/PID/stat; the name before them may hold blanks and brackets. */
const STAT = /^.*\) (\S) \d+ (\d+) /s;

/** Whether a group has a member that is not a zombie: an init that does not reap keeps those for ever. */
export const hasLiveMember = async (group: number): Promise<boolean> => {
  if (!signalGroup(group, 0)) return false;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return stats.some((stat) => {
    const [, state, owner] = STAT.exec(stat) ?? [];
    return Number(owner) === group && state !== "Z" && state !== "X";
  });
};

const POLL_MSEC = 25;
/** How long a group may take to end after SIGTERM: a sched_ext scheduler needs a moment to hand the CPUs back. */
const GRACE_MSEC = 5000;
const FORCED_MSEC = 2000;

const waitUntilGone = async (group: number, limitMsec: number): Promise<boolean> => {
  // By the clock, not by counting: on a loaded machine each look at /proc takes its time.
  for (const deadline = performance.now() + limitMsec; ; await sleep(POLL_MSEC)) {
    if (!(await hasLiveMember(group))) return true;
    if (performance.now() >= deadline) return false;
  }
};

/** Ends a process group: SIGTERM, after a grace period SIGKILL; returns when no member is left. */
export const endGroup = async (group: number): Promise<void> => {
  if (!signalGroup(group, "SIGTERM")) return;
  if (await waitUntilGone(group, GRACE_MSEC)) return;
  signalGroup(group, "SIGKILL");
  await waitUntilGone(group, FORCED_MSEC);
};
