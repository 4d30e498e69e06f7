/**
 * One run of the benchmark, from a plan to a result: set the stage, start the threads, measure, stop, sum up.
 *
 * Upstream counterpart: main.
 */
import { EngineError } from "../errors.js";
import { tightestCpuLimit } from "../platform/limits/cpu-limit.js";
import { type EnvironmentReading, readEnvironment } from "../platform/machine/environment.js";
import { readHostFacts } from "../platform/machine/host-facts.js";
import { monotonicNsec, suspendedNsec } from "../platform/libc.js";
import { readRunnableTasks } from "../platform/machine/proc-stat.js";
import type { RunResult } from "../model/result/run-result.js";
import { NSEC_PER_SEC, USEC_PER_SEC } from "../units.js";
import { assembleResult } from "./assemble-result.js";
import { type Measured, measure } from "./measure.js";
import { hostGroupFiles } from "./cgroup/group-files.js";
import { openGroups, type RunGroups } from "./cgroup/run-groups.js";
import type { LoadsNeeds } from "./load/loads.js";
import { type Loads, NO_LOADS } from "./load/no-loads.js";
import type { RunRequest } from "./run-request.js";
import { createRunClock } from "./watch/run-clock.js";
import { createCollector } from "./memory/snapshot.js";
import { setStage } from "./stage.js";
import { dismiss, startThreads } from "./threads.js";
import { closesWindows } from "./tick-duties.js";

/** The result, and the code to leave with if a signal ended the run. */
export interface RunOutcome {
  readonly result: RunResult;
  /** Something did not stop in time: the process must be left at once. */
  readonly abandoned: boolean;
}

/** What starts and watches loads is loaded for a run that has some. */
const loadsOf = async (needs: LoadsNeeds): Promise<Loads> =>
  (needs.plan.loads ?? []).length === 0 ? NO_LOADS : (await import("./load/loads.js")).createLoads(needs);

const runInGroups = async (request: RunRequest, groups: RunGroups): Promise<RunOutcome> => {
  const { plan, files, signal, hooks } = request;
  const manyWindows = request.phases || closesWindows(plan);
  const clock = createRunClock(monotonicNsec, signal);
  const runnableAtStart = readRunnableTasks(files);
  const stage = await setStage(files, plan, manyWindows, groups.descriptorOf);
  const { memory, places } = stage;

  const loads = await loadsOf({ plan, files, memory, places, clock, groups });

  const facts = readHostFacts(files);
  const limit = tightestCpuLimit(files);
  const readSurroundings = (): EnvironmentReading => {
    const { user, system } = process.cpuUsage();
    const clocks = {
      nowSec: monotonicNsec() / NSEC_PER_SEC,
      ownCpuSec: (user + system) / USEC_PER_SEC + loads.commandCpuSec(),
      suspendedSec: suspendedNsec() / NSEC_PER_SEC,
    };
    return readEnvironment(files, clocks, limit);
  };
  const collector = createCollector(memory, places);

  const measureThreads = async (): Promise<{ readonly measured: Measured; readonly startedAt: Date }> => {
    const threads = await startThreads(stage, signal, {
      onProgress: (started, total) => hooks.onStarting?.(started, total),
      onLoadsUp: loads.begin,
    });
    if (signal.aborted) {
      await dismiss(threads);
      throw new EngineError("interrupted before the run began");
    }
    const startedAt = new Date();
    const run = {
      plan,
      files,
      memory,
      places,
      threads,
      loads,
      groups,
      clock,
      collector,
      hooks,
      signal,
      readSurroundings,
    };
    const measured = await measure(run).catch(async (error: unknown) => {
      await dismiss(threads);
      throw error;
    });
    if (measured.stopped) await threads.join();
    return { measured, startedAt };
  };
  const besideLoads = async () => {
    try {
      return await measureThreads();
    } finally {
      await loads.end();
    }
  };
  const { measured, startedAt } = await besideLoads();

  return {
    abandoned: !measured.stopped,
    result: assembleResult({ request, stage, measured, facts, startedAt, runnableAtStart }),
  };
};

/**
 * Runs the benchmark in this process.
 *
 * @throws EngineError when it cannot run, or a thread fails while it runs
 */
export const runEngine = async (request: RunRequest): Promise<RunOutcome> => {
  const groups = await openGroups(request.plan, request.files, hostGroupFiles, process.pid);
  try {
    return await runInGroups(request, groups);
  } finally {
    await groups.remove();
  }
};
