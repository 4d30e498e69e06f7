/**
 * Who runs the benchmark threads. Two hosts run the same module in the same memory: native (machine code made ahead of
 * time, plain pthreads) and v8 (Node worker threads). Everything above this interface is the same for both.
 */
import type { ThreadLimit } from "../../platform/limits/thread-limits.js";

/** The names people filter by. */
export const THREAD_NAMES = { message: "schbench-msg", worker: "schbench-worker", load: "schbench-load" } as const;

/** Runs threads. */
export interface EngineHost {
  readonly kind: "native" | "v8";
  /** Which build of the module runs, such as `x86-64-v3 gcc 12.2.0`. */
  readonly build: string;
  /** Memory that one thread needs besides the shared memory, for the sum that is checked beforehand. */
  readonly threadBytes: number;
  /** A benchmark thread can create others; where none can, the main thread creates all, and they wait to be let go. */
  readonly threadsCreateThreads: boolean;
  /** Creates the thread of a setup (memory/thread-setup.ts), by its address. Throws ThreadNotCreated. */
  readonly start: (setup: number) => void;
  /** How many threads have been created, by whomever. */
  readonly started: () => number;
  /** What killed a thread, if that has happened; what a thread notes in the control block is not repeated here. */
  readonly failure: () => Error | null;
  /** Threads that died on the way and are not counted in Control.exited. */
  readonly lost: () => number;
  /** Waits for threads that have left, by the addresses of their setups. */
  readonly join: (setups: readonly number[]) => Promise<void>;
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
