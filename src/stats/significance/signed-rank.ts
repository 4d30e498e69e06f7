/**
 * Wilcoxon's signed-rank test read backwards: the centre of paired differences with exact bounds, asking nothing of their
 * scatter but symmetry. One wild pair among ten moves it little.
 *
 * The estimate is the median of the Walsh averages (J. Hodges and E. Lehmann 1963, "Estimates of Location Based on Rank
 * Tests", Annals of Mathematical Statistics 34:598–611); the bounds are order statistics of them (M. Hollander, D. Wolfe,
 * E. Chicken 2014, "Nonparametric Statistical Methods", 3rd edition, 3.3).
 */
import { at } from "../../at.js";
import { normalQuantile } from "../distributions.js";
import { ascending, medianOfAscending } from "../sample.js";

/** Up to so many pairs the bounds are exact; beyond, the normal approximation is as good. */
const EXACT_PAIRS = 50;

/** All averages of two of the values, each with itself too, in ascending order. */
const walshAverages = (values: readonly number[]): readonly number[] =>
  ascending(values.flatMap((a, index) => values.slice(index).map((b) => (a + b) / 2)));

/** How many of the 2ⁿ ways to give signs to n ranks have each sum of positive ranks. */
const waysBySum = (n: number): readonly number[] => {
  const ways: number[] = Array.from({ length: (n * (n + 1)) / 2 + 1 }, (_, sum) => (sum === 0 ? 1 : 0));
  for (let rank = 1; rank <= n; rank++)
    for (let sum = ways.length - 1; sum >= rank; sum--) ways[sum] = at(ways, sum) + at(ways, sum - rank);
  return ways;
};

/** How many of the smallest Walsh averages a one-sided bound leaves out, plus one; 0: no bound at this level. */
const boundRank = (n: number, tail: number): number => {
  if (n > EXACT_PAIRS) {
    const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
    return Math.max(0, Math.floor((n * (n + 1)) / 4 + normalQuantile(tail) * deviation));
  }
  const ways = waysBySum(n);
  let share = 0;
  let rank = 0;
  for (const count of ways) {
    share += count / 2 ** n;
    // The rounding of a sum of such shares must not move a bound.
    if (share > tail * (1 + 1e-12)) break;
    rank++;
  }
  return rank;
};

/** The smallest number of pairs for which there is a bound at a one-sided level. */
export const pairsForBound = (tail: number): number => Math.ceil(-Math.log2(tail) - 1e-9);

/** The centre of a sample of paired differences. */
export interface PairedCentre {
  /** Hodges and Lehmann's estimate. */
  readonly estimate: number;
  /** At a one-sided level; −Infinity where there are too few pairs for it. */
  readonly lower: (tail: number) => number;
  /** At a one-sided level; Infinity where there are too few pairs for it. */
  readonly upper: (tail: number) => number;
}

/** The centre of at least one difference. */
export const pairedCentre = (differences: readonly number[]): PairedCentre => {
  const averages = walshAverages(differences);
  const n = differences.length;
  return {
    estimate: medianOfAscending(averages),
    lower: (tail) => {
      const rank = boundRank(n, tail);
      return rank === 0 ? -Infinity : at(averages, rank - 1);
    },
    upper: (tail) => {
      const rank = boundRank(n, tail);
      return rank === 0 ? Infinity : at(averages, averages.length - rank);
    },
  };
};
