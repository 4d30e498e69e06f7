/** One run of the benchmark for a caller's program: the engine runs in a process of its own, the caller's is not changed. */
import { EngineError, UsageError } from "../errors.js";
import { spawnEngine } from "../engine/child/spawn-engine.js";
import type { RunPlan } from "../model/plan/run-plan.js";
import { packageVersion } from "../platform/package-version.js";
import type { IntervalResult, RunResult, SecondResult } from "../model/result/run-result.js";
import { commandLineOf, planOf } from "./plan-of.js";
import { createReplay } from "./replay.js";
import type { SchbenchSpec } from "./run-spec.js";

/** How to run, besides what to run. */
export interface RunSettings {
  /** Aborted: the run ends early, with a full result that is marked `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Allow `run.phase`; default true. Without, the engine needs about 60 KiB less per thread. */
  readonly phases?: boolean | undefined;
  /** Told now and then how many threads are up, while a long start goes on. */
  readonly onStarting?: ((started: number, total: number) => void) | undefined;
}

/** A run under way. */
export interface SchbenchRun {
  /** What is run, every default resolved. */
  readonly plan: RunPlan;
  /** Id of the engine's process, whose threads are `schbench-msg` and `schbench-worker`; null if it did not start. */
  readonly pid: number | null;
  /** Resolves when all threads are up and the clock runs; rejects with EngineError when it does not come to that. */
  readonly started: Promise<void>;
  /**
   * One reading for each second of the measured time, as it is made. Every loop over it gets all of them from the first
   * on; it ends with the run, and throws the error of a run that fails.
   */
  readonly seconds: AsyncIterable<SecondResult>;
  /** The interval reports, every `intervalSec` seconds; as `seconds`. */
  readonly intervals: AsyncIterable<IntervalResult>;
  /**
   * Begins a phase: what was measured before belongs to the phase before (the first is called `start`). The run goes
   * on; the phases are in the result and add up to the whole. Resolves when the phase has begun, about a millisecond
   * later; asked for before the clock starts, that is when it starts. Rejects with EngineError when the run is over.
   *
   * @throws UsageError for an empty name, and for a run with `phases: false`
   */
  readonly phase: (name: string) => Promise<void>;
  /** The result; the engine's process is gone by then. Rejects with EngineError when the run fails. */
  readonly result: Promise<RunResult>;
}

const ignore = (): void => undefined;

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: EngineError) => void;
}

const deferred = (): Deferred => {
  let resolve: Deferred["resolve"] = ignore;
  let reject: Deferred["reject"] = ignore;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
};

/** Whoever looks at one of a run's promises or iterables learns of a failure; the others are then no unhandled errors. */
const handled = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(ignore);
  return promise;
};

const engineErrorOf = (thrown: unknown): EngineError =>
  thrown instanceof EngineError ? thrown : new EngineError(String(thrown), undefined, { cause: thrown });

/**
 * Starts a run.
 *
 * @param spec what to run: mode, threads, work, times; what is left out is as on the command line (docs/options.md)
 * @throws UsageError for a wrong spec (nothing is started then), EngineError when no process can be started
 */
export const runSchbench = (spec: SchbenchSpec, settings: RunSettings = {}): SchbenchRun => {
  const { signal, phases = true, onStarting = ignore } = settings;
  const plan = planOf(spec);
  if (plan.runtimeSec === 0 && signal === undefined)
    throw new UsageError('runtimeSec "0" would never end without a signal', "Give a signal, or a run time.");

  const seconds = createReplay<SecondResult>();
  const intervals = createReplay<IntervalResult>();
  const started = deferred();
  const pending: Deferred[] = [];
  let isOver = false;
  const engine = spawnEngine(
    { plan, jobname: spec.jobname ?? null, commandLine: commandLineOf(plan), version: packageVersion(), phases },
    {
      starting: onStarting,
      started: started.resolve,
      second: seconds.add,
      interval: intervals.add,
      phase: () => pending.shift()?.resolve(),
    },
  );
  const { stop } = engine;
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();

  const finish = (error: EngineError | null): void => {
    isOver = true;
    signal?.removeEventListener("abort", stop);
    const reason = error ?? new EngineError("cannot begin a phase: the run is over");
    started.reject(reason);
    pending.splice(0).forEach(({ reject }) => reject(reason));
    seconds.end(error);
    intervals.end(error);
  };
  const result = engine.result.then(
    (value) => {
      finish(null);
      return value;
    },
    (thrown: unknown) => {
      const error = engineErrorOf(thrown);
      finish(error);
      throw error;
    },
  );
  return {
    plan,
    pid: engine.pid,
    started: handled(started.promise),
    seconds: seconds.items,
    intervals: intervals.items,
    phase: (name) => {
      if (!phases) throw new UsageError(`cannot begin phase "${name}": the run was started with phases: false`);
      if (name === "") throw new UsageError('invalid phase name "": allowed is any text that is not empty');
      if (isOver) return Promise.reject(new EngineError(`cannot begin phase "${name}": the run is over`));
      const begun = deferred();
      pending.push(begun);
      engine.phase(name);
      return begun.promise;
    },
    result: handled(result),
  };
};
