/** Sets of CPUs as sched_setaffinity takes them: bit n of byte n / 8 is CPU n. Pure. */
import { at } from "../at.js";

/** The whole words that have a bit for each of so many CPUs, in bytes. */
export const cpuMaskBytes = (cpus: number): number => Math.ceil(cpus / 64) * 8;

/** A CPU set of so many bytes; throws RangeError for a CPU that does not fit into it. */
export const cpuMask = (cpus: readonly number[], bytes: number): Uint8Array => {
  const mask = new Uint8Array(bytes);
  for (const cpu of cpus) {
    const byte = cpu >> 3;
    if (byte >= bytes) throw new RangeError(`CPU ${cpu} does not fit into a mask of ${bytes} bytes`);
    mask[byte] = at(mask, byte) | (1 << (cpu & 7));
  }
  return mask;
};
