/**
 * Counters of the kernel's perf_event_open for single threads: what the processor itself counts. Where it may not be used
 * (most virtual machines have no counters, `kernel.perf_event_paranoid` may forbid them), there is none.
 * Source: perf_event_open(2). No upstream counterpart.
 */
import { closeSync, readSync } from "node:fs";
import { openPerfEvent } from "../libc.js";

/** What can be counted: `type` and `config` of struct perf_event_attr. Hardware counts in user mode only. */
export const PERF_EVENTS = {
  cycles: { type: 0, config: 0, userOnly: true },
  instructions: { type: 0, config: 1, userOnly: true },
  "cpu-clock": { type: 1, config: 0, userOnly: false },
} as const;

/** The name of something that can be counted. */
export type PerfEvent = keyof typeof PERF_EVENTS;

/** An open counter. */
export interface ThreadCounter {
  /** The count so far; null when the counter never ran. */
  readonly read: () => number | null;
  readonly close: () => void;
}

/** PERF_ATTR_SIZE_VER5: known to every kernel since 4.1. */
const ATTRIBUTE_BYTES = 112;
const TOTAL_TIME_ENABLED = 1;
const TOTAL_TIME_RUNNING = 2;
const EXCLUDE_KERNEL = 1 << 5;
const EXCLUDE_HYPERVISOR = 1 << 6;

const attributesOf = ({ type, config, userOnly }: (typeof PERF_EVENTS)[PerfEvent]): Uint8Array => {
  const bytes = new Uint8Array(ATTRIBUTE_BYTES);
  new Uint32Array(bytes.buffer, 0, 3).set([type, ATTRIBUTE_BYTES, config]);
  // Lower halves of 64-bit words: every machine with koffi's binaries is little-endian.
  new Uint32Array(bytes.buffer, 32, 1)[0] = TOTAL_TIME_ENABLED | TOTAL_TIME_RUNNING;
  new Uint32Array(bytes.buffer, 40, 1)[0] = userOnly ? EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR : 0;
  return bytes;
};

/** Opens a counter of one thread, which counts from now on; null where the kernel gives none. */
export const openThreadCounter = (event: PerfEvent, tid: number): ThreadCounter | null => {
  const fd = openPerfEvent(attributesOf(PERF_EVENTS[event]), tid);
  if (fd === null) return null;
  const words = new BigUint64Array(3);
  return {
    read: () => {
      if (readSync(fd, words) !== words.byteLength) return null;
      const [count = 0, enabled = 0, running = 0] = Array.from(words, Number);
      // Where there are more events than counters the kernel lets them take turns: what is missed is extrapolated.
      return running === 0 ? null : (count * enabled) / running;
    },
    close: () => closeSync(fd),
  };
};
