/**
 * The machine as a whole: CPU time by kind, runnable tasks, pressure. The first line of /proc/stat also steers
 * auto-rps. Upstream counterpart: read_busy.
 */
import { at } from "../../at.js";
import type { Files } from "../files.js";

/** CPU time of all CPUs since boot, in ticks of the kernel's user clock (usually 10 ms). */
export interface CpuTimes {
  /** The 4th number. */
  readonly idle: number;
  /** The sum of all numbers, as upstream takes it. */
  readonly total: number;
  /** The 8th number: time the hypervisor gave to others. */
  readonly steal: number;
}

/** Shares of CPU time between two readings, in percent of all CPUs. */
export interface CpuShares {
  readonly busyPercent: number;
  readonly stealPercent: number;
}

/** Pure: the first line of /proc/stat; null where it is something else. */
export const parseCpuTimes = (text: string | null): CpuTimes | null => {
  const line = /^cpu {1,2}([\d ]+)/u.exec(text ?? "")?.[1];
  if (line === undefined) return null;
  const numbers = line.trim().split(/ +/u).map(Number);
  if (numbers.length < 4) return null;
  return { idle: at(numbers, 3), total: numbers.reduce((sum, ticks) => sum + ticks, 0), steal: numbers.at(7) ?? 0 };
};

/** CPU time of all CPUs so far. */
export const readCpuTimes = (files: Files): CpuTimes | null => parseCpuTimes(files.readText("/proc/stat", 512));

/** Pure: what share of the time between two readings was not idle, and was stolen; null when no tick has passed. */
export const cpuSharesBetween = (before: CpuTimes | null, after: CpuTimes | null): CpuShares | null => {
  if (before === null || after === null) return null;
  const total = after.total - before.total;
  if (total <= 0) return null;
  const percent = (ticks: number): number => Math.min(100, Math.max(0, (ticks / total) * 100));
  return {
    busyPercent: 100 - percent(after.idle - before.idle),
    stealPercent: percent(after.steal - before.steal),
  };
};

/** Tasks that run or wait for a CPU at this moment, the reader included; from /proc/loadavg, null where unknown. */
export const readRunnableTasks = (files: Files): number | null => {
  const runnable = /^\S+ \S+ \S+ (\d+)\//u.exec(files.readText("/proc/loadavg", 256) ?? "")?.[1];
  return runnable === undefined ? null : Number(runnable);
};

/** The load average over one minute. */
export const readLoadAverage1 = (files: Files): number | null => {
  const load = /^(\d+\.\d+) /u.exec(files.readText("/proc/loadavg", 256) ?? "")?.[1];
  return load === undefined ? null : Number(load);
};

/** Time in which some task waited for a CPU, usec since boot (PSI); null where the kernel does not account for it. */
export const readCpuPressureUsec = (files: Files): number | null => {
  const total = /^some .*\btotal=(\d+)/mu.exec(files.readText("/proc/pressure/cpu", 512) ?? "")?.[1];
  return total === undefined ? null : Number(total);
};
