/**
 * Who runs the benchmark threads. Two hosts run the same module in the same memory: native (machine code made ahead of
 * time, plain pthreads) and v8 (Node worker threads). Everything above this interface is the same for both.
 */
import type { ThreadLimit } from "../../platform/thread-limits.js";

/** The exported functions of the engine module that can be a thread's body. */
export const ENTRIES = [
  "message_thread",
  "worker_thread",
  "test_hand_over",
  "test_list_put",
  "test_list_take",
  "test_cpu_lock",
  "test_trap",
  "bench_host_call",
] as const;

/** A thread's body. */
export type Entry = (typeof ENTRIES)[number];

/** One thread to start. */
export interface ThreadSpec {
  readonly entry: Entry;
  /** Offset of its ThreadData in the shared memory. */
  readonly threadData: number;
  /** Two further arguments, for the bodies of tests. */
  readonly args: readonly [number, number];
  /** At most 15 characters, as the kernel shows it. */
  readonly name: string;
  /** The CPUs it may use; null: as its creator. */
  readonly cpus: readonly number[] | null;
  /** 0: the system's default of 50 µs. */
  readonly timerSlackNsec: number;
}

/** The names people filter by. */
export const THREAD_NAMES = { message: "schbench-msg", worker: "schbench-worker" } as const;

/** Runs threads. */
export interface EngineHost {
  readonly kind: "native" | "v8";
  /** Which build of the module runs, such as `x86-64-v3 gcc 12.2.0`. */
  readonly build: string;
  /** Memory that one thread needs besides the shared memory, for the sum that is checked beforehand. */
  readonly threadBytes: number;
  /** Starts a thread; it reports itself as up in Control.ready. Throws ThreadNotCreated. */
  readonly start: (spec: ThreadSpec) => void;
  /** What killed a thread, if that has happened; what a thread notes in the control block is not repeated here. */
  readonly failure: () => Error | null;
  /** Threads that died on the way and are not counted in Control.exited. */
  readonly lost: () => number;
  /** Waits for threads that have left. */
  readonly join: () => Promise<void>;
}

/** A thread could not be created; the limits were read while the created ones were still there. */
export class ThreadNotCreated extends Error {
  override readonly name = "ThreadNotCreated";

  constructor(
    message: string,
    readonly limits: readonly ThreadLimit[],
  ) {
    super(message);
  }
}

/** A CPU set as the kernel takes it: bit n of byte n / 8 is CPU n; as long as its highest CPU wants, in whole words. */
export const cpuMask = (cpus: readonly number[] | null): Uint8Array => {
  if (cpus === null) return new Uint8Array(0);
  const mask = new Uint8Array((Math.floor(Math.max(...cpus) / 64) + 1) * 8);
  for (const cpu of cpus) mask[cpu >> 3] = (mask[cpu >> 3] ?? 0) | (1 << (cpu & 7));
  return mask;
};
