/**
 * What the main thread does at a tick of the run: end the warm-up, read the rate, take a second, report an interval, close a
 * window. Which of these are due is decided by the number of the tick (measure.ts); where several ticks have become one,
 * each is due once at most.
 *
 * Upstream counterpart: the body of the loop in sleep_for_runtime.
 */
import type { RunPlan } from "../model/plan/run-plan.js";
import type { EnvironmentReading } from "../platform/machine/environment.js";
import { NSEC_PER_SEC } from "../units.js";
import type { KernelWitness } from "./watch/kernel-witness.js";
import type { Collector } from "./memory/snapshot.js";
import type { RunHooks } from "./run-request.js";
import type { RunRecorder } from "./watch/run-recorder.js";
import type { Steering, SteeringStep } from "./watch/steering.js";

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

/** Ticks (1, 2, …) that are due at one moment: one, or several after the main thread was held up. */
export interface TickRange {
  /** The last tick that has been dealt with; 0 at the start. */
  readonly after: number;
  readonly upTo: number;
}

/** The duties of a run, tick by tick. */
export interface TickDuties {
  /** Does what is due. */
  readonly atTicks: (ticks: TickRange, nowNsec: number) => void;
  /** The machine at the end of the warm-up; null when there is none, or it is not over. */
  readonly afterWarmup: () => EnvironmentReading | null;
}

/** The rate since the reading before, and the step of the steering that goes with it. */
interface RateReading {
  readonly rps: number;
  readonly step: SteeringStep | null;
}

/** What is known when duties are done. */
interface Moment {
  readonly ticks: TickRange;
  readonly nowNsec: number;
  readonly reading: RateReading;
}

/** Whether statistics windows will be closed while a plan runs. */
export const closesWindows = ({ warmupSec, zeroSec, runtimeSec }: RunPlan): boolean =>
  warmupSec > 0 || zeroSec !== null || runtimeSec === 0 || runtimeSec > LONGEST_WINDOW_SEC;

/** The last tick of a plan; Infinity for a run without end. */
export const endTickOf = ({ runtimeSec }: RunPlan): number => (runtimeSec === 0 ? Infinity : runtimeSec);

/** A tick that comes soon after a belated one has the rate since the one before that. */
const createRateMeter = ({ startNsec, collector, steering }: TickWork): ((nowNsec: number) => RateReading) => {
  let last = { nsec: startNsec, loops: 0 };
  let beforeLast = last;
  return (nowNsec) => {
    const isSoon = nowNsec - last.nsec < LEAST_RATE_NSEC;
    const since = isSoon ? beforeLast : last;
    const now = { nsec: nowNsec, loops: collector.loops() };
    [beforeLast, last] = [since, now];
    return {
      rps: ((now.loops - since.loops) * NSEC_PER_SEC) / (now.nsec - since.nsec),
      step: isSoon ? null : (steering?.step() ?? null),
    };
  };
};

/** With `-A` only what follows the first hit of the target is a sample. */
const takeSecond = (
  { plan, recorder, steering, witness, hooks }: TickWork,
  { nowNsec, reading: { rps, step } }: Moment,
): void => {
  witness.look();
  const goalPerSec = plan.mode === "rate" ? (steering?.state().goalPerSec ?? plan.requestsPerSec) : null;
  const counts = steering === null || (steering.state().targetHit && step?.justHit !== true);
  if (step?.justHit === true) recorder.restartRps();
  const second = recorder.second(nowNsec, { rps, goalPerSec, busyPercent: step?.busyPercent ?? null }, counts);
  hooks.onSecond?.(second);
};

/** Whether what is due every so many seconds since a tick is due at one of these. */
const isDue = ({ after, upTo }: TickRange, everySec: number | null, sinceTick: number): boolean =>
  everySec !== null && Math.floor((upTo - sinceTick) / everySec) > Math.floor((after - sinceTick) / everySec);

const reportInterval = ({ plan, recorder, hooks }: TickWork, { ticks, nowNsec, reading }: Moment): void => {
  if (!isDue(ticks, plan.intervalSec, 0)) return;
  const interval = recorder.interval(nowNsec, reading.rps);
  hooks.onInterval?.(interval);
};

/** Begins the statistics anew where `-z` asks for it, or only a new window before a bucket could be full. */
const closeWindows = ({ plan, recorder }: TickWork, { ticks, nowNsec }: Moment): void => {
  if (ticks.upTo >= endTickOf(plan)) return;
  if (isDue(ticks, plan.zeroSec, plan.warmupSec)) recorder.restart(nowNsec);
  else if (isDue(ticks, LONGEST_WINDOW_SEC, 0)) recorder.closeWindow(nowNsec);
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
    atTicks: (ticks, nowNsec) => {
      const moment = { ticks, nowNsec, reading: readRate(nowNsec) };
      if (ticks.after < warmupSec) {
        // The measured time begins now, unless it is over: what else was due before has nothing to report.
        if (ticks.upTo >= warmupSec && ticks.upTo < endTickOf(work.plan)) afterWarmup = endWarmup(work, nowNsec);
        return;
      }
      takeSecond(work, moment);
      reportInterval(work, moment);
      closeWindows(work, moment);
    },
    afterWarmup: () => afterWarmup,
  };
};
