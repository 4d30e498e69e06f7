/** CPU time per process, to name who else is busy. Walks /proc, so it is for the doctor, and for a run only at both ends of its measured time. */
import { TICKS_PER_SEC } from "../../units.js";
import type { Files } from "../files.js";

/** CPU time of one process since its start, in ticks of the kernel's user clock. */
export interface ProcessTimes {
  readonly name: string;
  readonly ticks: number;
}

/** A process and its part of the CPU time that was used between two readings. */
export interface BusyProcess {
  readonly pid: number;
  readonly name: string;
  readonly ticks: number;
}

/** Pure: name and CPU time from a process's stat file, whose name may hold spaces and parentheses. */
export const parseProcessStat = (text: string | null): ProcessTimes | null => {
  const match = /^\d+ \((.*)\) (\S .*)$/su.exec(text?.trim() ?? "");
  const fields = match?.[2]?.split(" ") ?? [];
  const user = Number(fields[11]);
  const system = Number(fields[12]);
  return Number.isFinite(user + system) ? { name: match?.[1] ?? "", ticks: user + system } : null;
};

/** State, parent and group, then the times: user, system, and those of children that were waited for. */
const GROUP_AND_TIMES = /^\S \d+ (\d+) (?:\S+ ){8}(\d+) (\d+) (\d+) (\d+) /u;

/**
 * CPU time of the members of a process group and of their children that have ended, seconds; null when it has no member.
 * Walks /proc.
 */
export const readGroupCpuSec = (files: Files, group: number): number | null => {
  let ticks: number | null = null;
  for (const entry of files.list("/proc")) {
    if (!/^\d+$/u.test(entry)) continue;
    const text = files.readText(`/proc/${entry}/stat`, 1024) ?? "";
    const [, owner, ...times] = GROUP_AND_TIMES.exec(text.slice(text.lastIndexOf(")") + 2)) ?? [];
    if (Number(owner) === group) ticks = times.reduce((sum, time) => sum + Number(time), ticks ?? 0);
  }
  return ticks === null ? null : ticks / TICKS_PER_SEC;
};

/** CPU time of every process that can be seen, by its id. */
export const readProcessTimes = (files: Files): ReadonlyMap<number, ProcessTimes> => {
  const processes = new Map<number, ProcessTimes>();
  for (const entry of files.list("/proc")) {
    if (!/^\d+$/u.test(entry)) continue;
    const times = parseProcessStat(files.readText(`/proc/${entry}/stat`, 1024));
    if (times !== null) processes.set(Number(entry), times);
  }
  return processes;
};

/** Pure: the processes that used CPU time between two readings, the busiest first, without this one. */
export const busiestBetween = (
  before: ReadonlyMap<number, ProcessTimes>,
  after: ReadonlyMap<number, ProcessTimes>,
  ownPid: number,
): readonly BusyProcess[] =>
  [...after]
    .filter(([pid]) => pid !== ownPid)
    .map(([pid, { name, ticks }]) => ({ pid, name, ticks: ticks - (before.get(pid)?.ticks ?? 0) }))
    .filter(({ ticks }) => ticks > 0)
    .toSorted((a, b) => b.ticks - a.ticks);
