/** What a caller hands to the engine, hears while a run goes on, and may do meanwhile. */
import type { RunPlan } from "../model/plan/run-plan.js";
import type { Files } from "../platform/files.js";
import type { IntervalResult, SecondResult, SlowWakeup } from "../model/result/run-result.js";

/** What the caller may do while a run goes on. */
export interface RunControl {
  /** Begins a new phase: statistics so far belong to the phase before. */
  readonly phase: (name: string) => void;
  /** The slowest wakeups so far, where the plan keeps them. */
  readonly slowWakeups: () => readonly SlowWakeup[];
}

/** What the caller hears while a run goes on. */
export interface RunHooks {
  readonly onStarting?: (started: number, total: number) => void;
  /** All threads are up and the clock runs. */
  readonly onStarted?: (control: RunControl) => void;
  readonly onWarmupDone?: () => void;
  readonly onInterval?: (interval: IntervalResult) => void;
  readonly onSecond?: (second: SecondResult) => void;
  /** The measured time is over. */
  readonly onStopped?: () => void;
}

/** One run, and who wants it. */
export interface RunRequest {
  readonly plan: RunPlan;
  readonly files: Files;
  /** Ends the run early, with a full result. */
  readonly signal: AbortSignal;
  readonly hooks: RunHooks;
  readonly jobname: string | null;
  readonly commandLine: readonly string[];
  /** Version of schbench-ts. */
  readonly version: string;
  /** The caller will begin phases. */
  readonly phases: boolean;
}
