/**
 * What the engine's own process and the process that started it say to each other over Node's IPC channel: JSON, one
 * message each. Types, and the check on the engine's side, which stays free of the schema library.
 */
import type { RunPlan } from "../../model/plan/run-plan.js";
import type { IntervalResult, RunResult, SecondResult } from "../../model/result/run-result.js";

/** One run to make: the part of a RunRequest that can travel. */
export interface EngineJob {
  readonly plan: RunPlan;
  readonly jobname: string | null;
  readonly commandLine: readonly string[];
  /** Version of schbench-ts. */
  readonly version: string;
  readonly phases: boolean;
}

/** To the engine: the one job, then what may be asked while it runs. */
export type ToEngine =
  | { readonly kind: "run"; readonly job: EngineJob }
  | { readonly kind: "phase"; readonly name: string }
  | { readonly kind: "stop" };

/** From the engine; `result` or `error` is the last. */
export type FromEngine =
  | { readonly kind: "starting"; readonly started: number; readonly total: number }
  | { readonly kind: "started" }
  | { readonly kind: "warmup-done" }
  | { readonly kind: "second"; readonly second: SecondResult }
  | { readonly kind: "interval"; readonly interval: IntervalResult }
  /** The phase has begun. */
  | { readonly kind: "phase" }
  | { readonly kind: "result"; readonly result: RunResult }
  | { readonly kind: "error"; readonly message: string; readonly remedy: string | null };

const KINDS: ReadonlySet<unknown> = new Set(["run", "phase", "stop"] satisfies ToEngine["kind"][]);

/** Is this a message of ours? Both ends are of one package, so its kind says it all. */
export const isToEngine = (message: unknown): message is ToEngine =>
  typeof message === "object" && message !== null && "kind" in message && KINDS.has(message.kind);
