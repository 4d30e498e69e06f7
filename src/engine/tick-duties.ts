/**
 * What the main thread does at a tick of the run: end the warm-up, read the rate, take a second, report an interval, close a
 * window. Which of these are due is decided by the number of the tick (measure.ts).
 *
 * Upstream counterpart: the body of the loop in sleep_for_runtime.
 */
import type { RunPlan } from "../model/run-plan.js";
import type { EnvironmentReading } from "../platform/environment.js";
import { NSEC_PER_SEC } from "../units.js";
import type { KernelWitness } from "./kernel-witness.js";
import type { Collector } from "./memory/snapshot.js";
import type { RunHooks } from "./run-request.js";
import type { RunRecorder } from "./run-recorder.js";
import type { Steering, SteeringStep } from "./steering.js";

/** A rate, of requests or of CPU time, over less than this is noise. */
const LEAST_RATE_NSEC = NSEC_PER_SEC / 2;
/** A window is closed after this long at the latest: no 32-bit bucket then takes more than it can count. */
const LONGEST_WINDOW_SEC = 1000;

/** What the duties work with. */
export interface TickWork {
  readonly plan: RunPlan;
  readonly startNsec: number;
  readonly collector: Collector;
  readonly recorder: RunRecorder;
  readonly steering: Steering | null;
  readonly hooks: RunHooks;
  readonly readSurroundings: () => EnvironmentReading;
  readonly witness: KernelWitness;
  /** Only wakeups from this moment on are kept among the slowest. */
  readonly keepSlowFrom: (nsec: number) => void;
}

/** The duties of a run, tick by tick. */
export interface TickDuties {
  /** Does what is due at a tick (1, 2, …). */
  readonly atTick: (tick: number, nowNsec: number) => void;
  /** The machine at the end of the warm-up; null when there is none, or it is not over. */
  readonly afterWarmup: () => EnvironmentReading | null;
}

/** The rate since the reading before, and the step of the steering that goes with it. */
interface RateReading {
  readonly rps: number;
  readonly step: SteeringStep | null;
}

/** Whether statistics windows will be closed while a plan runs. */
export const closesWindows = ({ warmupSec, zeroSec, runtimeSec }: RunPlan): boolean =>
  warmupSec > 0 || zeroSec !== null || runtimeSec === 0 || runtimeSec > LONGEST_WINDOW_SEC;

/** The last tick of a plan; Infinity for a run without end. */
export const endTickOf = ({ runtimeSec }: RunPlan): number => (runtimeSec === 0 ? Infinity : runtimeSec);

/** Ticks that are made up for after the main thread was held up have the rate of the time it was. */
const createRateMeter = ({ startNsec, collector, steering }: TickWork): ((nowNsec: number) => RateReading) => {
  let lastNsec = startNsec;
  let lastLoops = 0;
  let rps = 0;
  return (nowNsec) => {
    if (nowNsec - lastNsec < LEAST_RATE_NSEC) return { rps, step: null };
    const loops = collector.loops();
    rps = ((loops - lastLoops) * NSEC_PER_SEC) / (nowNsec - lastNsec);
    lastLoops = loops;
    lastNsec = nowNsec;
    return { rps, step: steering?.step() ?? null };
  };
};

/** With `-A` only what follows the first hit of the target is a sample. */
const takeSecond = (
  { plan, recorder, steering, witness, hooks }: TickWork,
  nowNsec: number,
  { rps, step }: RateReading,
): void => {
  witness.look();
  const goalPerSec = plan.mode === "rate" ? (steering?.state().goalPerSec ?? plan.requestsPerSec) : null;
  const counts = steering === null || (steering.state().targetHit && step?.justHit !== true);
  if (step?.justHit === true) recorder.restartRps();
  const second = recorder.second(nowNsec, { rps, goalPerSec, busyPercent: step?.busyPercent ?? null }, counts);
  hooks.onSecond?.(second);
};

const isDue = (tick: number, everySec: number | null, sinceTick: number): boolean =>
  everySec !== null && (tick - sinceTick) % everySec === 0;

const reportInterval = ({ plan, recorder, hooks }: TickWork, tick: number, nowNsec: number, rps: number): void => {
  if (!isDue(tick, plan.intervalSec, 0)) return;
  const interval = recorder.interval(nowNsec, rps);
  hooks.onInterval?.(interval);
};

/** Begins the statistics anew where `-z` asks for it, or only a new window before a bucket could be full. */
const closeWindows = ({ plan, recorder }: TickWork, tick: number, nowNsec: number): void => {
  if (tick >= endTickOf(plan)) return;
  if (isDue(tick, plan.zeroSec, plan.warmupSec)) recorder.restart(nowNsec);
  else if (tick % LONGEST_WINDOW_SEC === 0) recorder.closeWindow(nowNsec);
};

const endWarmup = (
  { recorder, keepSlowFrom, readSurroundings, witness, hooks }: TickWork,
  nowNsec: number,
): EnvironmentReading => {
  recorder.endWarmup(nowNsec);
  keepSlowFrom(nowNsec);
  const surroundings = readSurroundings();
  witness.begin();
  hooks.onWarmupDone?.();
  return surroundings;
};

/** The duties of one run. */
export const createTickDuties = (work: TickWork): TickDuties => {
  const { warmupSec } = work.plan;
  const readRate = createRateMeter(work);
  let afterWarmup: EnvironmentReading | null = null;
  return {
    atTick: (tick, nowNsec) => {
      const reading = readRate(nowNsec);
      if (tick === warmupSec) afterWarmup = endWarmup(work, nowNsec);
      if (tick <= warmupSec) return;
      takeSecond(work, nowNsec, reading);
      reportInterval(work, tick, nowNsec, reading.rps);
      closeWindows(work, tick, nowNsec);
    },
    afterWarmup: () => afterWarmup,
  };
};
