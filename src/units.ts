/** Conversions between the units that names in this project carry: seconds, microseconds, nanoseconds, KiB, bytes. */

export const USEC_PER_SEC = 1_000_000;
export const NSEC_PER_SEC = 1_000_000_000;
export const NSEC_PER_USEC = 1000;
/** USER_HZ, the unit of times in /proc/PID/stat, is 100 on every architecture of ours. */
export const TICKS_PER_SEC = 100;
export const BYTES_PER_KIB = 1024;
export const BYTES_PER_MIB = 1024 * 1024;

const SIZE_UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB"] as const;

/** A byte count (or a rate of bytes) scaled by powers of 1024, as schbench prints it: `{ value: 48.23, unit: "MB" }`. */
export const scaleBytes = (bytes: number): { readonly value: number; readonly unit: (typeof SIZE_UNITS)[number] } => {
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < SIZE_UNITS.length - 1) {
    value /= 1024;
    step++;
  }
  return { value, unit: SIZE_UNITS[step] ?? "EB" };
};
