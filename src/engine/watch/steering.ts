/** The steering of `-A` in a run: a step a second, from the machine's CPU time to the goal in shared memory. */
import type { Files } from "../../platform/files.js";
import { type CpuTimes, cpuSharesBetween, readCpuTimes } from "../../platform/machine/proc-stat.js";
import { type AutoRps, stepAutoRps } from "./auto-rps.js";

/** What one step saw. */
export interface SteeringStep {
  readonly busyPercent: number;
  readonly justHit: boolean;
}

/** Steers one run. */
export interface Steering {
  readonly state: () => AutoRps;
  /** One step; null while there is no reading to compare with. */
  readonly step: () => SteeringStep | null;
}

/**
 * Steering from a seed towards a utilisation in percent; the first reading only seeds.
 *
 * @param setGoal told the total goal after every step
 */
export const createSteering = (
  files: Files,
  seedPerSec: number,
  targetPercent: number,
  setGoal: (perSec: number) => void,
): Steering => {
  let state: AutoRps = { goalPerSec: seedPerSec, targetHit: false };
  let last: CpuTimes | null = readCpuTimes(files);
  return {
    state: () => state,
    step: () => {
      const now = readCpuTimes(files);
      const shares = cpuSharesBetween(last, now);
      last = now;
      if (shares === null) return null;
      const wasHit = state.targetHit;
      state = stepAutoRps(state, shares.busyPercent, targetPercent);
      setGoal(state.goalPerSec);
      return { busyPercent: shares.busyPercent, justHit: state.targetHit && !wasHit };
    },
  };
};
