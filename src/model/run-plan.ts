/**
 * What one run will do, decided once: the command line (or a library's caller) is parsed into this, and nobody checks
 * again. A discriminated union by mode, so that no mode carries another's settings. Plain JSON throughout: it travels
 * to the engine's process and into the result unchanged.
 */

/** How requests arrive in rate mode: evenly spaced, or a whole second's batch at once (upstream's way). */
export type Pacing = "paced" | "burst";

/** Which host runs the threads: machine code on plain pthreads, or the Wasm module on Node worker threads. */
export type EngineChoice = "auto" | "native" | "v8";

/** The matrix work of one request. */
export interface WorkPlan {
  readonly footprintKib: number;
  readonly operations: number;
  readonly sleepUsec: number;
  /** Hold the lock of the current CPU during the work. */
  readonly locking: boolean;
  /** Take the sleep before the clock of the request starts. */
  readonly calibrate: boolean;
  /** Share of the footprint that is private per worker, 0–100; null without `--split`. */
  readonly splitPercent: number | null;
}

interface CommonPlan {
  readonly messageThreads: number;
  /** Per message thread. */
  readonly workerThreads: number;
  /** 0 = until interrupted. */
  readonly runtimeSec: number;
  readonly warmupSec: number;
  /** null: no interval reports. */
  readonly intervalSec: number | null;
  /** Statistics of the interval reports restart every so often; null: never. */
  readonly zeroSec: number | null;
  /** One CPU list per message thread; null: unchanged. */
  readonly messageCpus: readonly (readonly number[])[] | null;
  /** The CPUs every worker may use; null: unchanged. */
  readonly workerCpus: readonly number[] | null;
  /** Keep the slowest wakeups of each thread, for `--explain` and `--break`; null: off. */
  readonly slowWakeups: { readonly perThread: number; readonly breakUsec: number | null } | null;
  readonly engine: EngineChoice;
  /**
   * `crossed`: the main thread creates all threads and lets them go at once, which lays the groups of workers criss-cross
   * over the CPUs. There to be found by tests; absent: each message thread brings its own workers to life.
   */
  readonly birth?: "crossed";
}

/** Workers ask for their next request themselves: as fast as they can. */
export interface ClosedLoopPlan extends CommonPlan {
  readonly mode: "closed-loop";
  readonly work: WorkPlan;
}

/** Requests arrive at a rate, whether or not the workers keep up. */
export interface RatePlan extends CommonPlan {
  readonly mode: "rate";
  readonly work: WorkPlan;
  /** Over all message threads; with `autoBusyPercent` only the seed. */
  readonly requestsPerSec: number;
  readonly pacing: Pacing;
  /** CPU utilisation to steer to, in percent; null: the rate is fixed. */
  readonly autoBusyPercent: number | null;
}

/** Message thread and worker hand pages to each other. */
export interface PipePlan extends CommonPlan {
  readonly mode: "pipe";
  readonly transferBytes: number;
}

/** What one run will do. */
export type RunPlan = ClosedLoopPlan | RatePlan | PipePlan;
