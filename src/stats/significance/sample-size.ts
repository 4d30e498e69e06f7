/** How many runs would it take? */
import { normalCdf, normalQuantile } from "../distributions.js";
import { isAtMost } from "./multiple-testing.js";
import { smallestReachableP } from "./rank-test.js";
import { spread, standardDeviation } from "../sample.js";

/** Share of experiments in which a difference should be found. */
const POWER = 0.8;
/** Beyond this many runs per subject the answer is "not by repeating". */
const MOST_RUNS = 10_000;

/** Fewest runs per subject (equal on both sides) whose smallest reachable p is at most `level`. */
export const fewestRuns = (level: number): number => {
  let runs = 2;
  while (!isAtMost(smallestReachableP(runs, runs), level) && runs < MOST_RUNS) runs++;
  return runs;
};

/**
 * Runs per subject with which the rank test finds a superiority P(X < Y) with probability `power`, at a two-sided `level`
 * (G. E. Noether 1987, "Sample size determination for some common nonparametric tests", JASA 82:645–647; equal halves).
 */
export const noetherRuns = (superiority: number, level: number, power: number = POWER): number => {
  const z = normalQuantile(1 - level / 2) + normalQuantile(power);
  return Math.ceil((z * z) / (3 * (superiority - 0.5) ** 2) / 2);
};

/** Sum of squared deviations of the logarithms of positive values from their own centre. */
const logSquares = (values: readonly number[]): number =>
  // By the values: the mean of equal logarithms is not always that logarithm.
  spread(values) === 0 ? 0 : standardDeviation(values.map(Math.log)) ** 2 * (values.length - 1);

/**
 * Runs per subject that would find a ratio (such as 1.05) between two subjects that scatter from run to run as these
 * samples do, log-normally; null where the scatter is 0 or unknown, a value is not positive, or no feasible number does it.
 */
export const runsToFind = (ratio: number, x: readonly number[], y: readonly number[], level: number): number | null => {
  if (x.length + y.length < 4 || [...x, ...y].some((value) => value <= 0) || ratio <= 0 || ratio === 1) return null;
  const deviation = Math.sqrt((logSquares(x) + logSquares(y)) / (x.length + y.length - 2));
  if (!(deviation > 0)) return null;
  const superiority = normalCdf(Math.abs(Math.log(ratio)) / (deviation * Math.SQRT2));
  const runs = Math.max(noetherRuns(superiority, level), fewestRuns(level));
  return runs > MOST_RUNS ? null : runs;
};
