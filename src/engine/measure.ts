/**
 * The measured time: the clock starts when the gate opens, and once a second the main thread reads what the others have
 * done. What is due is decided by the number of the tick, so N seconds give N samples whatever the timer does.
 *
 * Upstream counterpart: sleep_for_runtime.
 */
import type { RunPlan } from "../model/run-plan.js";
import type { EnvironmentReading } from "../platform/environment.js";
import type { Files } from "../platform/files.js";
import type { SlowWakeup, ThreadResult } from "../model/run-result.js";
import { NSEC_PER_SEC } from "../units.js";
import type { AutoRps } from "./auto-rps.js";
import type { RunHooks } from "./run-request.js";
import { type RunClock, tickNsec } from "./run-clock.js";
import { createRecorder, type DelayReaders, type RunBooks } from "./run-recorder.js";
import type { Places, SharedMemory } from "./memory/shared-memory.js";
import type { Collector } from "./memory/snapshot.js";
import { createSteering, type Steering, type SteeringStep } from "./steering.js";
import {
  readSchedDelay,
  readSlowWakeups,
  readThreads,
  readWorkerRunDelayUsec,
  workerRunDelayIn,
} from "./thread-readings.js";
import type { Threads } from "./threads.js";

/** Each second's histograms are kept for as many threads as can be read in well under a millisecond. */
const MAX_THREADS_FOR_SECONDS = 64;
/** Two hours of them are a hundred megabytes; a result of days could not be written. */
const HISTOGRAM_SECONDS = 7200;
/** A rate, of requests or of CPU time, over less than this is noise. */
const LEAST_RATE_NSEC = NSEC_PER_SEC / 2;
/** A window is closed after this long at the latest: no 32-bit bucket then takes more than it can count. */
const LONGEST_WINDOW_SEC = 1000;
/** How often `--break` looks whether a wakeup was slow enough. */
const BREAK_POLL_NSEC = 10e6;

/** What the measuring works with. */
export interface Measurement {
  readonly plan: RunPlan;
  readonly files: Files;
  readonly memory: SharedMemory;
  readonly places: Places;
  readonly threads: Threads;
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
}

const steeringOf = ({ plan, files, memory, places }: Measurement): Steering | null => {
  if (plan.mode !== "rate" || plan.autoBusyPercent === null) return null;
  const goal = memory.word(places.control, "Control.requestsPerSec");
  return createSteering(files, plan.requestsPerSec, plan.autoBusyPercent, (perSec) =>
    Atomics.store(memory.u32, goal, perSec),
  );
};

/** Whether statistics windows will be closed while a plan runs. */
export const closesWindows = ({ warmupSec, zeroSec, runtimeSec }: RunPlan): boolean =>
  warmupSec > 0 || zeroSec !== null || runtimeSec === 0 || runtimeSec > LONGEST_WINDOW_SEC;

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

/** Runs the clock until the time is up or the signal comes, then stops the threads. */
export const measure = async (run: Measurement): Promise<Measured> => {
  const { plan, files, memory, places, threads, clock, collector, hooks } = run;
  const sleep = createSleep(run);
  const steering = steeringOf(run);
  let before = run.readSurroundings();
  const delayReaders: DelayReaders = {
    schedDelay: () => readSchedDelay(files, memory, places),
    workerRunDelayUsec: () => readWorkerRunDelayUsec(files, memory, places),
    atStartUsec: readWorkerRunDelayUsec(files, memory, places),
  };

  const startNsec = clock.nowNsec();
  memory.write(places.control, "Control.startNsec", startNsec);
  const keepSlowFrom = (nsec: number): void => {
    if (plan.slowWakeups !== null) memory.write(places.control, "Control.slowSinceNsec", nsec);
  };
  if (plan.warmupSec === 0) keepSlowFrom(startNsec);
  threads.openGate();

  const recorder = createRecorder(
    collector,
    delayReaders,
    startNsec,
    plan.warmupSec,
    places.threads.length <= MAX_THREADS_FOR_SECONDS ? HISTOGRAM_SECONDS : 0,
  );
  hooks.onStarted?.({
    phase: (name) => recorder.phase(clock.nowNsec(), name),
    slowWakeups: () => readSlowWakeups(memory, places),
  });

  const endWarmup = (nowNsec: number): void => {
    recorder.endWarmup(nowNsec);
    keepSlowFrom(nowNsec);
    before = run.readSurroundings();
    hooks.onWarmupDone?.();
  };
  const takeSecond = (nowNsec: number, rps: number, step: SteeringStep | null): void => {
    const goalPerSec = plan.mode === "rate" ? (steering?.state().goalPerSec ?? plan.requestsPerSec) : null;
    const counts = steering === null || (steering.state().targetHit && step?.justHit !== true);
    if (step?.justHit === true) recorder.restartRps();
    const second = recorder.second(nowNsec, { rps, goalPerSec, busyPercent: step?.busyPercent ?? null }, counts);
    hooks.onSecond?.(second);
  };

  const endTick = plan.runtimeSec === 0 ? Infinity : plan.runtimeSec;
  let lastNsec = startNsec;
  let lastLoops = 0;
  let rps = 0;
  for (let tick = 1; tick <= endTick; tick++) {
    await sleep.until(tickNsec(startNsec, tick));
    threads.check();
    if (sleep.isOver()) break;
    const nowNsec = clock.nowNsec();
    let step: SteeringStep | null = null;
    // Ticks that are made up for after the main thread was held up have the rate of the time it was.
    if (nowNsec - lastNsec >= LEAST_RATE_NSEC) {
      const loops = collector.loops();
      rps = ((loops - lastLoops) * NSEC_PER_SEC) / (nowNsec - lastNsec);
      lastLoops = loops;
      lastNsec = nowNsec;
      step = steering?.step() ?? null;
    }
    if (tick <= plan.warmupSec) {
      if (tick === plan.warmupSec) endWarmup(nowNsec);
      continue;
    }
    takeSecond(nowNsec, rps, step);
    const isDue = (everySec: number | null, sinceTick: number): boolean =>
      everySec !== null && (tick - sinceTick) % everySec === 0;
    if (isDue(plan.intervalSec, 0)) {
      const interval = recorder.interval(nowNsec, rps);
      hooks.onInterval?.(interval);
    }
    if (isDue(plan.zeroSec, plan.warmupSec) && tick < endTick) recorder.restart(nowNsec);
    else if (tick % LONGEST_WINDOW_SEC === 0 && tick < endTick) recorder.closeWindow(nowNsec);
  }

  const after = run.readSurroundings();
  const endNsec = clock.nowNsec();
  threads.stop();
  hooks.onStopped?.();
  // The threads stand at the exit: what the kernel says of a thread is gone when it has left.
  const stopped = await threads.gather();
  const counters = readThreads(files, memory, places);
  return {
    ...recorder.finish(endNsec, workerRunDelayIn(counters)),
    threads: counters,
    slowWakeups: readSlowWakeups(memory, places),
    stopped,
    interrupted: run.signal.aborted,
    autoRps: steering?.state() ?? null,
    before,
    after,
  };
};
