/** What step-down permutation tests have in common: the smallest p under each deal of those not rejected yet, and the level that it leaves. */
import { at } from "../../at.js";
import { isAtMost } from "./multiple-testing.js";

/**
 * The largest weighted p that at most a share `alpha` of the deals reaches; at least what Bonferroni's inequality grants.
 *
 * @param smallest the smallest weighted p under each deal, of the tests that are left
 * @param weights sum of the weights of these tests
 */
export const levelIn = (smallest: Float64Array, weights: number, alpha: number): number => {
  const sorted = smallest.toSorted();
  const place = Math.floor(alpha * sorted.length * (1 + 1e-9));
  const reached = place < sorted.length ? sorted.findLast((p) => !isAtMost(at(sorted, place), p)) : 1;
  return Math.max(reached ?? 0, alpha / Math.max(1, weights));
};

/**
 * Per deal the smallest p of the first so many tests, for every "so many". A minimum falls seldom on its way through the tests, so only its
 * falls are kept: of 20,000 deals of a grid of 1,000 tests about seven each instead of 1,000.
 */
export interface RunningLeasts {
  /** The falls that follow belong to a new deal. */
  readonly begin: () => void;
  /** From this test on, the smallest p is this; tests in ascending order. */
  readonly fall: (test: number, p: number) => void;
  /** Per deal: the smallest p of the tests 0 … `last`; Infinity where there was none. */
  readonly upTo: (last: number) => Float64Array;
}

/** Empty ones. */
export const runningLeasts = (): RunningLeasts => {
  const starts: number[] = [];
  const tests: number[] = [];
  const ps: number[] = [];
  return {
    begin: () => void starts.push(tests.length),
    fall: (test, p) => {
      tests.push(test);
      ps.push(p);
    },
    upTo: (last) =>
      Float64Array.from(starts, (start, deal) => {
        const end = deal + 1 < starts.length ? at(starts, deal + 1) : tests.length;
        let least = Infinity;
        for (let fall = start; fall < end && at(tests, fall) <= last; fall++) least = at(ps, fall);
        return least;
      }),
  };
};
