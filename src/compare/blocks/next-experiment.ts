/**
 * The cheapest next experiment: of all numbers of runs in a boot (or on a machine), the one with which the boots (or machines) that are needed take the least
 * time. Where a boot takes c_b and a run c_r, the best number of runs in a boot lies near √(c_b/c_r · σ²_run/σ²_boot) (T. Kalibera, R. Jones
 * 2013, "Rigorous Benchmarking in Reasonable Time", ISMM, section 9.3); here all whole numbers are tried. Pure.
 */
import { normalCdf, normalQuantile } from "../../stats/distributions.js";
import { fewestRuns, noetherRuns } from "../../stats/significance/sample-size.js";
import type { Scatter } from "./scatter.js";

/** A plan of the next experiment. */
export interface NextExperiment {
  readonly unit: "boot" | "machine";
  /** Boots of each subject, or machines. */
  readonly units: number;
  /** Runs of each subject in a boot, or on a machine. */
  readonly runs: number;
  /** Relative change that it finds in 80 % of experiments, such as 0.05. */
  readonly change: number;
  /** Seconds a boot and a run take; null where the runs do not say. */
  readonly bootSec: number | null;
  readonly runSec: number | null;
}

/** What is known. */
export interface NextInput {
  readonly scatter: Scatter;
  /** Standard deviation of the effect from machine to machine, relative. */
  readonly tau: number;
  /** The relative change to find. */
  readonly change: number;
  /** The level that a single test has after correction. */
  readonly level: number;
  readonly bootSec: number | null;
  readonly runSec: number | null;
}

const POWER = 0.8;
const MOST_RUNS = 20;
/** Beyond this many the answer is "not by repeating". */
const MOST_UNITS = 1000;

/**
 * Variance of the median of 1, 2, 3 … normal values, in variances of one (D. Teichroew 1956, "Tables of expected values of order statistics", Annals
 * of Mathematical Statistics 27:410–426; the even ones are the means of the two in the middle).
 */
const MEDIAN_SHARES = [1, 0.5, 0.4487, 0.2982, 0.2868, 0.2147, 0.2104, 0.1682, 0.1661, 0.1383];

/** The same for any number: beyond the table π / (2n + π − 2), which is within 1 % of odd numbers and up to 7 % too much for even ones. */
const medianShare = (runs: number): number => MEDIAN_SHARES[runs - 1] ?? Math.PI / (2 * runs + Math.PI - 2);

interface Candidate {
  readonly units: number;
  readonly runs: number;
  readonly cost: number;
}

const cheapest = (candidates: readonly Candidate[]): Candidate | null =>
  candidates
    .filter(({ units }) => units <= MOST_UNITS)
    .reduce<Candidate | null>((best, one) => (best === null || one.cost < best.cost * (1 - 1e-9) ? one : best), null);

const byRuns = (unitsFor: (runs: number) => number, costOf: (units: number, runs: number) => number) =>
  cheapest(
    Array.from({ length: MOST_RUNS }, (_, index) => {
      const runs = index + 1;
      const units = unitsFor(runs);
      return { units, runs, cost: costOf(units, runs) };
    }),
  );

/** Boots of each subject, where subjects differ by boot; null: not known, or not by repeating. */
export const nextBoots = ({ scatter, change, level, bootSec, runSec }: NextInput): NextExperiment | null => {
  const { boot, run } = scatter;
  if (boot === null || change <= 0) return null;
  const unitsFor = (runs: number): number => {
    const deviation = Math.sqrt(boot ** 2 + (run ?? 0) ** 2 * medianShare(runs));
    if (deviation === 0) return fewestRuns(level);
    const superiority = normalCdf(Math.log1p(change) / (deviation * Math.SQRT2));
    return Math.max(noetherRuns(superiority, level), fewestRuns(level));
  };
  // A boot of unknown length is taken for as long as a run.
  const [ofBoot, ofRun] = [bootSec ?? runSec ?? 1, runSec ?? 1];
  // Without a second run in any boot, one run is all that is known of.
  const found =
    run === null ? { units: unitsFor(1), runs: 1 } : byRuns(unitsFor, (units, runs) => units * (ofBoot + runs * ofRun));
  return found === null || found.units > MOST_UNITS
    ? null
    : { unit: "boot", units: found.units, runs: found.runs, change, bootSec, runSec };
};

/** Machines that run all subjects; null: not known, or not by repeating. */
export const nextMachines = ({ scatter, tau, change, level, bootSec, runSec }: NextInput): NextExperiment | null => {
  const { run } = scatter;
  if (run === null || change <= 0) return null;
  const z = normalQuantile(1 - level / 2) + normalQuantile(POWER);
  // With few machines Student's t takes more than the normal distribution: two more, as usual.
  const unitsFor = (runs: number): number =>
    Math.max(3, Math.ceil((z ** 2 * (tau ** 2 + 2 * run ** 2 * medianShare(runs))) / Math.log1p(change) ** 2) + 2);
  const found = byRuns(unitsFor, (units, runs) => units * runs);
  return found === null ? null : { unit: "machine", units: found.units, runs: found.runs, change, bootSec, runSec };
};
