/** The CPU bandwidth limit of the control groups: a thread that uses its quota up is stopped for milliseconds. */
import { cgroupFolders } from "./cgroup.js";
import { type Files, fieldOf, readNumber, readValue } from "../files.js";

/** A limit of CPU time per period. */
export interface CpuLimit {
  readonly quotaUsec: number;
  readonly periodUsec: number;
  /** The group that sets it. */
  readonly folder: string;
}

/** How many CPUs' worth of time a limit allows. */
export const cpusOfLimit = (limit: Pick<CpuLimit, "quotaUsec" | "periodUsec">): number =>
  limit.quotaUsec / limit.periodUsec;

/** Pure: the text of cpu.max, `50000 100000`; null for no limit (`max 100000`) and for anything else. */
export const parseCpuMax = (text: string | null): Pick<CpuLimit, "quotaUsec" | "periodUsec"> | null => {
  const match = /^(\d+) (\d+)$/u.exec(text ?? "");
  if (match === null) return null;
  const [, quota, period] = match;
  return Number(period) > 0 ? { quotaUsec: Number(quota), periodUsec: Number(period) } : null;
};

const limitOf = (files: Files, version: 1 | 2, folder: string): CpuLimit | null => {
  if (version === 2) {
    const limit = parseCpuMax(readValue(files, `${folder}/cpu.max`));
    return limit === null ? null : { ...limit, folder };
  }
  const quotaUsec = readNumber(files, `${folder}/cpu.cfs_quota_us`);
  const periodUsec = readNumber(files, `${folder}/cpu.cfs_period_us`);
  if (quotaUsec === null || periodUsec === null || quotaUsec <= 0 || periodUsec <= 0) return null;
  return { quotaUsec, periodUsec, folder };
};

/** The tightest limit on this process's own group and on the groups above it; null: no limit. */
export const tightestCpuLimit = (files: Files): CpuLimit | null => {
  const cpu = cgroupFolders(files, "cpu");
  let tightest: CpuLimit | null = null;
  for (const folder of cpu?.folders ?? []) {
    const limit = limitOf(files, cpu?.version ?? 2, folder);
    if (limit !== null && (tightest === null || cpusOfLimit(limit) < cpusOfLimit(tightest))) tightest = limit;
  }
  return tightest;
};

/** The time that threads of a group were stopped for by its limit so far, usec; null where the kernel does not say. */
export const readThrottledUsec = (files: Files, limit: CpuLimit | null): number | null => {
  const text = limit === null ? null : files.readText(`${limit.folder}/cpu.stat`);
  if (text === null) return null;
  const usec = fieldOf(text, "throttled_usec");
  if (usec !== null) return Number(usec);
  const nsec = fieldOf(text, "throttled_time");
  return nsec === null ? null : Number(nsec) / 1000;
};
