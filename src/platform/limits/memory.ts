/** How much memory this process can still get, so that a run that cannot fit is refused before anything starts. */
import { BYTES_PER_KIB } from "../../units.js";
import { cgroupFolders } from "./cgroup.js";
import { type Files, fieldOf, readNumber } from "../files.js";

const kibOf = (meminfo: string, name: string): number | null => {
  const match = /^(\d+) kB$/u.exec(fieldOf(meminfo, name) ?? "");
  return match === null ? null : Number(match[1]);
};

/** MemTotal of /proc/meminfo, KiB. */
export const readMemoryTotalKib = (files: Files): number | null =>
  kibOf(files.readText("/proc/meminfo", 4096) ?? "", "MemTotal");

/** What is left under the limit of one group. Page cache that nobody uses is given back by the kernel when needed. */
const leftInGroup = (files: Files, version: 1 | 2, folder: string): number => {
  const names =
    version === 2
      ? { max: "memory.max", current: "memory.current", cache: "inactive_file" }
      : { max: "memory.limit_in_bytes", current: "memory.usage_in_bytes", cache: "total_inactive_file" };
  const max = readNumber(files, `${folder}/${names.max}`);
  const current = readNumber(files, `${folder}/${names.current}`);
  if (max === null || current === null) return Number.POSITIVE_INFINITY;
  const cache = Number(fieldOf(files.readText(`${folder}/memory.stat`) ?? "", names.cache) ?? 0);
  return Math.max(0, max - Math.max(0, current - cache));
};

/**
 * Bytes this process can still get: MemAvailable, or what is left under the tightest memory limit of the control
 * groups; null where neither is known.
 */
export const availableMemoryBytes = (files: Files): number | null => {
  const available = kibOf(files.readText("/proc/meminfo", 4096) ?? "", "MemAvailable");
  let left = available === null ? Number.POSITIVE_INFINITY : available * BYTES_PER_KIB;
  const memory = cgroupFolders(files, "memory");
  for (const folder of memory?.folders ?? []) left = Math.min(left, leftInGroup(files, memory?.version ?? 2, folder));
  return Number.isFinite(left) ? left : null;
};
