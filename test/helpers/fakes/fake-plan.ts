/** Plans for tests, one builder a mode: a small run, and what the test wants otherwise. */
import type { ClosedLoopPlan, PipePlan, RatePlan, WorkPlan } from "../../../src/model/plan/run-plan.js";

/** The work of a request, as without options. */
export const workPlan = (more: Partial<WorkPlan> = {}): WorkPlan => ({
  footprintKib: 256,
  operations: 5,
  sleepUsec: 100,
  locking: true,
  calibrate: false,
  splitPercent: null,
  ...more,
});

/** No request does anything. */
export const IDLE_WORK: WorkPlan = workPlan({ footprintKib: 0, operations: 0, sleepUsec: 0 });

const COMMON = {
  messageThreads: 1,
  workerThreads: 2,
  runtimeSec: 10,
  warmupSec: 0,
  intervalSec: null,
  zeroSec: null,
  messageCpus: null,
  workerCpus: null,
  slowWakeups: null,
  engine: "auto",
} as const;

/** Two workers that ask for work themselves, for ten seconds. */
export const closedLoopPlan = (more: Partial<ClosedLoopPlan> = {}): ClosedLoopPlan => ({
  mode: "closed-loop",
  work: workPlan(),
  ...COMMON,
  ...more,
});

/** Two workers, a hundred evenly spaced requests a second, for ten seconds. */
export const ratePlan = (more: Partial<RatePlan> = {}): RatePlan => ({
  mode: "rate",
  work: workPlan(),
  requestsPerSec: 100,
  pacing: "paced",
  autoBusyPercent: null,
  ...COMMON,
  ...more,
});

/** Two workers that are handed pages, for ten seconds. */
export const pipePlan = (more: Partial<PipePlan> = {}): PipePlan => ({
  mode: "pipe",
  transferBytes: 4096,
  ...COMMON,
  ...more,
});
