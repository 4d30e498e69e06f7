/**
 * The measured time: the clock starts when all threads are up, and once a second the main thread reads what the others have
 * done. What is due is decided by the number of the tick, so N seconds give N samples whatever the timer does. Only a thread
 * that was held up for a second or more joins the seconds it missed: one sample, one interval, with their true length.
 *
 * Upstream counterpart: sleep_for_runtime.
 */
import type { RunPlan } from "../model/plan/run-plan.js";
import type { EnvironmentReading } from "../platform/machine/environment.js";
import type { Files } from "../platform/files.js";
import type { CgroupResult } from "../model/plan/cgroup-plan.js";
import type { LoadResult } from "../model/plan/load-plan.js";
import type { SlowWakeup, ThreadResult } from "../model/result/run-result.js";
import type { AutoRps } from "./watch/auto-rps.js";
import type { RunHooks } from "./run-request.js";
import { createTickWatch, type LateTick, type TickWatch } from "./watch/late-ticks.js";
import type { RunGroups } from "./cgroup/run-groups.js";
import type { Loads } from "./load/no-loads.js";
import { type RunClock, tickNsec } from "./watch/run-clock.js";
import { createRecorder, type DelayReaders, type RunBooks, type RunRecorder } from "./watch/run-recorder.js";
import { createWitness, type KernelSight, type KernelWitness } from "./watch/kernel-witness.js";
import type { Places, SharedMemory } from "./memory/shared-memory.js";
import type { Collector } from "./memory/snapshot.js";
import { createSteering, type Steering } from "./watch/steering.js";
import { createTickDuties, endTickOf, type TickDuties } from "./tick-duties.js";
import {
  readCounters,
  readSchedDelay,
  readScheds,
  readSlowWakeups,
  readWorkerRunDelayUsec,
  threadResults,
  workerRunDelayIn,
} from "./watch/thread-readings.js";
import type { Threads } from "./threads.js";

/** Each second's histograms are kept for as many threads as can be read in well under a millisecond. */
const MAX_THREADS_FOR_SECONDS = 64;
/** Two hours of them are a hundred megabytes; a result of days could not be written. */
const HISTOGRAM_SECONDS = 7200;
/** How often `--break` looks whether a wakeup was slow enough. */
const BREAK_POLL_NSEC = 10e6;

/** What the measuring works with. */
export interface Measurement {
  readonly plan: RunPlan;
  readonly files: Files;
  readonly memory: SharedMemory;
  readonly places: Places;
  readonly threads: Threads;
  readonly loads: Loads;
  readonly groups: Pick<RunGroups, "beginMeasured" | "endMeasured">;
  readonly clock: RunClock;
  readonly collector: Collector;
  readonly hooks: RunHooks;
  readonly signal: AbortSignal;
  readonly readSurroundings: () => EnvironmentReading;
}

/** What was measured. */
export interface Measured extends RunBooks {
  readonly threads: readonly ThreadResult[];
  readonly slowWakeups: readonly SlowWakeup[];
  readonly interrupted: boolean;
  /** All threads were done in time. */
  readonly stopped: boolean;
  readonly autoRps: AutoRps | null;
  /** The machine when the measured time began, and when it ended. */
  readonly before: EnvironmentReading;
  readonly after: EnvironmentReading;
  /** What the kernel counted of the threads meanwhile. */
  readonly sight: KernelSight;
  readonly lateTicks: readonly LateTick[];
  readonly loads: readonly LoadResult[];
  readonly cgroups: readonly CgroupResult[];
}

const steeringOf = ({ plan, files, memory, places }: Measurement): Steering | null => {
  if (plan.mode !== "rate" || plan.autoBusyPercent === null) return null;
  const goal = memory.word(places.control, "Control.requestsPerSec");
  return createSteering(files, plan.requestsPerSec, plan.autoBusyPercent, (perSec) =>
    Atomics.store(memory.u32, goal, perSec),
  );
};

/** Sleeps to a moment, and no further than to a wakeup that `--break` asks for. */
const createSleep = ({ plan, memory, places, clock, signal }: Measurement) => {
  const breakHit = memory.word(places.control, "Control.breakHit");
  const isOver = (): boolean => signal.aborted || Atomics.load(memory.u32, breakHit) !== 0;
  const polls = plan.slowWakeups !== null && plan.slowWakeups.breakUsec !== null;
  return {
    isOver,
    until: async (nsec: number): Promise<void> => {
      if (!polls) return clock.sleepUntil(nsec);
      while (!isOver() && clock.nowNsec() < nsec)
        await clock.sleepUntil(Math.min(nsec, clock.nowNsec() + BREAK_POLL_NSEC));
    },
  };
};

/** A run whose clock runs. */
interface Course {
  readonly run: Measurement;
  readonly before: EnvironmentReading;
  readonly startNsec: number;
  readonly recorder: RunRecorder;
  readonly steering: Steering | null;
  readonly duties: TickDuties;
  readonly witness: KernelWitness;
  readonly watch: TickWatch;
}

/** Reads the run delays of the threads right before the clock starts, and whenever the books ask for them. */
const delayReadersOf = ({ files, memory, places }: Measurement): DelayReaders => ({
  schedDelay: () => readSchedDelay(files, memory, places),
  workerRunDelayUsec: () => readWorkerRunDelayUsec(files, memory, places),
  atStartUsec: readWorkerRunDelayUsec(files, memory, places),
});

const keepSlowFrom = ({ plan, memory, places }: Measurement, nsec: number): void => {
  if (plan.slowWakeups !== null) memory.write(places.control, "Control.slowSinceNsec", nsec);
};

/** Starts the clock; from here on it counts what threads do. */
const startClock = (run: Measurement): number => {
  const { plan, memory, places, threads, clock } = run;
  const startNsec = clock.nowNsec();
  memory.write(places.control, "Control.startNsec", startNsec);
  memory.write(places.control, "Control.measureNsec", tickNsec(startNsec, plan.warmupSec));
  memory.write(places.control, "Control.endNsec", tickNsec(startNsec, endTickOf(plan)));
  if (plan.warmupSec === 0) keepSlowFrom(run, startNsec);
  threads.startClock();
  return startNsec;
};

const histogramSecondsOf = ({ places }: Measurement): number =>
  places.threads.length <= MAX_THREADS_FOR_SECONDS ? HISTOGRAM_SECONDS : 0;

/** From the last look at the machine before the run to the moment when the caller hears that it has started. */
const begin = (run: Measurement): Course => {
  const { plan, files, collector, clock, hooks, memory, places, readSurroundings } = run;
  const steering = steeringOf(run);
  const before = readSurroundings();
  const delays = delayReadersOf(run);
  const kernel = createWitness(files, memory, places);
  const witness: KernelWitness = {
    ...kernel,
    begin: () => {
      kernel.begin();
      run.loads.beginMeasured();
      run.groups.beginMeasured();
    },
  };
  witness.begin();
  const startNsec = startClock(run);
  witness.released();
  const recorder = createRecorder(collector, delays, startNsec, plan.warmupSec, histogramSecondsOf(run));
  const duties = createTickDuties({
    plan,
    startNsec,
    collector,
    recorder,
    steering,
    hooks,
    readSurroundings,
    witness,
    keepSlowFrom: (nsec) => keepSlowFrom(run, nsec),
  });
  hooks.onStarted?.({
    phase: (name) => recorder.phase(clock.nowNsec(), name),
    slowWakeups: () => readSlowWakeups(memory, places),
  });
  const watch = createTickWatch(files, startNsec, plan.warmupSec);
  return { run, before, startNsec, recorder, steering, duties, witness, watch };
};

/** Tick after tick until the time is up, the signal comes or a wakeup was slow enough. */
const keepTime = async ({ run, startNsec, duties, watch }: Course): Promise<void> => {
  const { clock, threads, loads } = run;
  const sleep = createSleep(run);
  const until = async (tick: number): Promise<void> => {
    await sleep.until(tickNsec(startNsec, tick));
    threads.check();
    loads.check();
  };
  const endTick = endTickOf(run.plan);
  for (let done = 0; done < endTick;) {
    await until(done + 1);
    const upTo = Math.min(endTick, watch.came(done + 1, clock.nowNsec()));
    // A late tick takes the next one along where that is less than half a second away: a rate over less is noise.
    if (upTo > done + 1) await until(upTo);
    if (sleep.isOver()) return;
    duties.atTicks({ after: done, upTo }, clock.nowNsec());
    done = upTo;
  }
};

/** Stops the threads and closes the books. */
const end = async ({ run, before, recorder, steering, duties, witness, watch }: Course): Promise<Measured> => {
  const { files, memory, places, threads, clock, hooks, signal } = run;
  const after = run.readSurroundings();
  const endNsec = clock.nowNsec();
  const loads = run.loads.endMeasured();
  const cgroups = run.groups.endMeasured();
  threads.stop();
  hooks.onStopped?.();
  // The threads stand at the exit: what the kernel says of a thread is gone when it has left.
  const stopped = await threads.gather();
  const counters = readCounters(files, memory, places);
  const results = threadResults(memory, places, counters, readScheds(memory, places), run.plan);
  return {
    ...recorder.finish(endNsec, workerRunDelayIn(results)),
    threads: results,
    sight: witness.end(counters),
    lateTicks: watch.lateTicks(),
    slowWakeups: readSlowWakeups(memory, places),
    loads,
    cgroups,
    stopped,
    interrupted: signal.aborted,
    autoRps: steering?.state() ?? null,
    before: duties.afterWarmup() ?? before,
    after,
  };
};

/** Runs the clock until the time is up or the signal comes, then stops the threads. */
export const measure = async (run: Measurement): Promise<Measured> => {
  const course = begin(run);
  await keepTime(course);
  return end(course);
};
