/**
 * The measured time: the clock starts when the gate opens, and once a second the main thread reads what the others have
 * done. Everything is decided by the number of the tick, so N seconds give N samples whatever the timer does.
 *
 * Upstream counterpart: sleep_for_runtime.
 */
import type { RunPlan } from "../options/run-plan.js";
import type { EnvironmentReading } from "../platform/environment.js";
import type { Files } from "../platform/files.js";
import { type CpuTimes, cpuSharesBetween, readCpuTimes } from "../platform/proc-stat.js";
import type { IntervalResult, SecondResult, SlowWakeup, ThreadResult } from "../report/run-result.js";
import { NSEC_PER_SEC } from "../units.js";
import { type AutoRps, stepAutoRps } from "./auto-rps.js";
import type { RunHooks } from "./run.js";
import { type RunClock, tickNsec } from "./run-clock.js";
import { type ClosedWindow, intervalOf, secondOf, sumWindows } from "./run-log.js";
import type { Places, SharedMemory } from "./shared-memory.js";
import type { Collector, WindowStats } from "./snapshot.js";
import { readSchedDelay, readSlowWakeups, readThreads, readWorkerRunDelayUsec } from "./thread-readings.js";
import type { Threads } from "./threads.js";

/** Each second's histograms are kept for as many threads as can be read in well under a millisecond. */
const MAX_THREADS_FOR_SECONDS = 64;
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
export interface Measured {
  readonly windows: readonly ClosedWindow[];
  readonly rpsSamples: readonly number[];
  readonly seconds: readonly SecondResult[];
  readonly intervals: readonly IntervalResult[];
  readonly threads: readonly ThreadResult[];
  readonly slowWakeups: readonly SlowWakeup[];
  /** From the start of the clock to the end. */
  readonly runtimeSec: number;
  /** The same without warm-up. */
  readonly measuredSec: number;
  readonly interrupted: boolean;
  readonly autoRps: AutoRps | null;
  readonly before: EnvironmentReading;
  readonly after: EnvironmentReading;
}

/** The steering of `-A`, if it is on: a step a second. */
const createSteering = ({ plan, files, memory, places }: Measurement) => {
  const target = plan.mode === "rate" ? plan.autoBusyPercent : null;
  if (plan.mode !== "rate" || target === null) return null;
  let state: AutoRps = { goalPerSec: plan.requestsPerSec, targetHit: false };
  let last: CpuTimes | null = readCpuTimes(files);
  return {
    state: () => state,
    /** Returns the utilisation, and whether the target was hit by this very step. */
    step: (): { readonly busyPercent: number | null; readonly justHit: boolean } => {
      const now = readCpuTimes(files);
      const shares = cpuSharesBetween(last, now);
      last = now;
      if (shares === null) return { busyPercent: null, justHit: false };
      const wasHit = state.targetHit;
      state = stepAutoRps(state, shares.busyPercent, target);
      Atomics.store(memory.u32, memory.word(places.control, "Control.requestsPerSec"), state.goalPerSec);
      return { busyPercent: shares.busyPercent, justHit: state.targetHit && !wasHit };
    },
  };
};

/** Runs the clock until the time is up or the signal comes, then stops the threads. */
export const measure = async (run: Measurement): Promise<Measured> => {
  const { plan, files, memory, places, threads, clock, collector, hooks, signal } = run;
  const keepsSeconds = places.threads.length <= MAX_THREADS_FOR_SECONDS;
  const endTick = plan.runtimeSec === 0 ? Infinity : plan.runtimeSec;
  const windows: ClosedWindow[] = [];
  const seconds: SecondResult[] = [];
  const intervals: IntervalResult[] = [];
  let rpsSamples: number[] = [];
  let sinceRestart: { windows: WindowStats[]; rpsSamples: number[] } = { windows: [], rpsSamples: [] };
  let phase = "start";
  let lastSecond: WindowStats | null = null;

  let before = run.readSurroundings();
  const steering = createSteering(run);
  const startNsec = clock.nowNsec();
  let windowStartNsec = startNsec;
  let measureStartNsec = startNsec;
  memory.write(places.control, "Control.startNsec", startNsec);
  const setSlowSince = (nsec: number): void => {
    if (plan.slowWakeups !== null) memory.write(places.control, "Control.slowSinceNsec", nsec);
  };
  if (plan.warmupSec === 0) setSlowSince(startNsec);
  threads.openGate();

  const secondsSince = (nsec: number, now: number): number => (now - nsec) / NSEC_PER_SEC;
  const keepWindow = (stats: WindowStats, now: number): void => {
    const startSec = secondsSince(startNsec, windowStartNsec);
    const runDelayUsec = readWorkerRunDelayUsec(files, memory, places);
    windows.push({ stats, startSec, endSec: secondsSince(startNsec, now), phase, runDelayUsec });
    sinceRestart.windows.push(stats);
    windowStartNsec = now;
    lastSecond = null;
  };
  const endWarmup = (now: number): void => {
    collector.closeWindow();
    windowStartNsec = now;
    measureStartNsec = now;
    lastSecond = null;
    setSlowSince(now);
    before = run.readSurroundings();
    hooks.onWarmupDone?.();
  };
  const takeSecond = (now: number, rps: number): void => {
    const step = steering?.step();
    if (step?.justHit === true) {
      rpsSamples = [];
      sinceRestart.rpsSamples = [];
    } else if (steering === null || steering.state().targetHit) {
      rpsSamples.push(rps);
      sinceRestart.rpsSamples.push(rps);
    }
    const stats = keepsSeconds ? collector.current() : null;
    const goalPerSec = plan.mode === "rate" ? (steering?.state().goalPerSec ?? plan.requestsPerSec) : null;
    const reading = { atSec: secondsSince(startNsec, now), rps, goalPerSec, busyPercent: step?.busyPercent ?? null };
    const second = secondOf(reading, lastSecond, stats);
    lastSecond = stats;
    seconds.push(second);
    hooks.onSecond?.(second);
  };
  const takeInterval = (now: number, rps: number): void => {
    const stats = sumWindows([...sinceRestart.windows, collector.current()]);
    const delay = readSchedDelay(files, memory, places);
    const interval = intervalOf(secondsSince(startNsec, now), stats, sinceRestart.rpsSamples, rps, delay);
    intervals.push(interval);
    hooks.onInterval?.(interval);
  };
  const restart = (now: number): void => {
    keepWindow(collector.closeWindow(), now);
    sinceRestart = { windows: [], rpsSamples: [] };
  };
  hooks.onStarted?.({
    phase: (name) => {
      keepWindow(collector.closeWindow(), clock.nowNsec());
      phase = name;
    },
  });

  const breakWord = memory.word(places.control, "Control.breakHit");
  const isBroken = (): boolean => Atomics.load(memory.u32, breakWord) !== 0;
  const sleepTo = async (nsec: number): Promise<void> => {
    if (plan.slowWakeups?.breakUsec === undefined || plan.slowWakeups.breakUsec === null) return clock.sleepUntil(nsec);
    while (!signal.aborted && !isBroken() && clock.nowNsec() < nsec)
      await clock.sleepUntil(Math.min(nsec, clock.nowNsec() + BREAK_POLL_NSEC));
  };

  let lastNsec = startNsec;
  let lastLoops = 0;
  for (let tick = 1; tick <= Math.ceil(endTick); tick++) {
    await sleepTo(tickNsec(startNsec, Math.min(tick, endTick)));
    threads.check();
    if (signal.aborted || isBroken()) break;
    if (tick > endTick) break;
    const now = clock.nowNsec();
    const loops = collector.loops();
    const rps = ((loops - lastLoops) * NSEC_PER_SEC) / (now - lastNsec);
    lastLoops = loops;
    lastNsec = now;
    if (tick <= plan.warmupSec) {
      steering?.step();
      if (tick === plan.warmupSec) endWarmup(now);
      continue;
    }
    takeSecond(now, rps);
    if (plan.intervalSec !== null && tick % plan.intervalSec === 0) takeInterval(now, rps);
    if (plan.zeroSec !== null && (tick - plan.warmupSec) % plan.zeroSec === 0 && tick < endTick) restart(now);
  }

  const counters = readThreads(files, memory, places);
  const slowWakeups = readSlowWakeups(memory, places);
  const after = run.readSurroundings();
  const endNsec = clock.nowNsec();
  threads.stop();
  keepWindow(collector.current(), endNsec);
  const isWarm = plan.warmupSec === 0 || measureStartNsec !== startNsec;
  return {
    windows: isWarm ? windows : [],
    rpsSamples,
    seconds,
    intervals,
    threads: counters,
    slowWakeups,
    runtimeSec: secondsSince(startNsec, endNsec),
    measuredSec: isWarm ? secondsSince(measureStartNsec, endNsec) : 0,
    interrupted: signal.aborted,
    autoRps: steering?.state() ?? null,
    before,
    after,
  };
};
