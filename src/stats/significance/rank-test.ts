/**
 * The Wilcoxon–Mann–Whitney test of two samples of runs, exact also with ties: the permutation distribution of the sum of
 * mid-ranks, counted by dynamic programming (Streitberg and Röhmel 1986, "Exact distributions for permutation and rank
 * tests"). Two-sided: the share of the ways to deal the ranks whose rank sum is at least as far from its mean as the one seen.
 */
import { at, numberAt } from "../../at.js";
import { normalCdf } from "../distributions.js";

/** More values than this (both samples together) are judged by the normal approximation with tie correction. */
const EXACT_LIMIT = 120;

/** What the rank test says. */
export interface RankTest {
  /** Pairs (x, y) with x > y, ties counted as half: the Mann–Whitney U of the first sample. */
  readonly u: number;
  /** Two-sided p. */
  readonly p: number;
  /** The smallest p that samples of these sizes can have, with the ties that these have or without any. */
  readonly smallestP: number;
  readonly method: "exact" | "normal";
}

/** Twice the mid-rank of each value among all: whole numbers. */
export const doubledRanks = (values: readonly number[]): number[] => {
  const sorted = values.toSorted((a, b) => a - b);
  const doubled = new Map<number, number>();
  for (let from = 0; from < sorted.length;) {
    const value = at(sorted, from);
    let end = from;
    while (sorted[end] === value) end++;
    doubled.set(value, from + 1 + end);
    from = end;
  }
  return values.map((value) => doubled.get(value) ?? Number.NaN);
};

/** Ways to choose `n` of the ranks, by their sum. */
const waysBySum = (ranks: readonly number[], n: number): Float64Array => {
  const width = ranks.reduce((sum, rank) => sum + rank, 0) + 1;
  const ways = Array.from({ length: n + 1 }, () => new Float64Array(width));
  at(ways, 0).fill(1, 0, 1);
  let reached = 0;
  ranks.forEach((rank, index) => {
    reached += rank;
    for (let chosen = Math.min(n, index + 1); chosen >= 1; chosen--) {
      const from = at(ways, chosen - 1);
      const to = at(ways, chosen);
      for (let sum = reached; sum >= rank; sum--) to[sum] = numberAt(to, sum) + numberAt(from, sum - rank);
    }
  });
  return at(ways, n);
};

/** A two-sided p for every sum of doubled ranks that a sample can have. */
export type PByRankSum = (sum: number) => number;

const exactPs = (ranks: readonly number[], n: number): PByRankSum => {
  const ways = waysBySum(ranks, n);
  // Everything times the number of ranks, so that the mean is whole too and no rounding decides.
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) * n;
  const all = choose(ranks.length, n);
  const ps = new Float64Array(ways.length).fill(1);
  const distance = (sum: number): number => Math.abs(sum * ranks.length - mean);
  let asFar = 0;
  // From both ends towards the mean, so that every sum finds the farther ones counted.
  for (let low = 0, high = ways.length - 1; low <= high;) {
    const [below, above] = [distance(low), distance(high)];
    const takesLow = below >= above;
    const takesHigh = above >= below && high > low;
    asFar += (takesLow ? numberAt(ways, low) : 0) + (takesHigh ? numberAt(ways, high) : 0);
    const p = Math.min(1, asFar / all);
    if (takesLow) ps[low++] = p;
    if (takesHigh) ps[high--] = p;
  }
  return (sum) => numberAt(ps, sum);
};

const normalPs = (ranks: readonly number[], n: number): PByRankSum => {
  const total = ranks.length;
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / total;
  const squares = ranks.reduce((sum, rank) => sum + (rank - mean) ** 2, 0);
  const deviation = Math.sqrt((n * (total - n) * squares) / (total * (total - 1)));
  return (sum) => {
    // Half a step of continuity; doubled ranks step by two at least where nothing ties.
    const distance = Math.max(0, Math.abs(sum - n * mean) - 1);
    return deviation === 0 ? 1 : Math.min(1, 2 * normalCdf(-distance / deviation));
  };
};

/** The p values of `n` values whose doubled ranks are drawn from these: exact up to 120 ranks, normal above. */
export const rankSumPs = (ranks: readonly number[], n: number): PByRankSum =>
  ranks.length <= EXACT_LIMIT ? exactPs(ranks, n) : normalPs(ranks, n);

const sumOf = (ranks: readonly number[]): number => ranks.reduce((sum, rank) => sum + rank, 0);

/** The p of the most unlike ways to deal these ranks: all of the lowest on one side, or all of the highest. */
const smallestWithTies = (ranks: readonly number[], n: number, pOf: PByRankSum): number => {
  const sorted = ranks.toSorted((a, b) => a - b);
  return Math.min(pOf(sumOf(sorted.slice(0, n))), pOf(sumOf(sorted.slice(sorted.length - n))));
};

/** Do two samples (each of at least one value) come from one distribution? */
export const rankTest = (x: readonly number[], y: readonly number[]): RankTest => {
  const [n, m] = [x.length, y.length];
  const ranks = doubledRanks([...x, ...y]);
  const pOf = rankSumPs(ranks, n);
  const seen = sumOf(ranks.slice(0, n));
  return {
    u: seen / 2 - (n * (n + 1)) / 2,
    p: pOf(seen),
    smallestP: Math.min(smallestReachableP(n, m), smallestWithTies(ranks, n, pOf)),
    method: ranks.length <= EXACT_LIMIT ? "exact" : "normal",
  };
};

/** Number of ways to choose k of n. */
export const choose = (n: number, k: number): number => {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
};

/**
 * The smallest two-sided p that untied samples of n and m values can reach: all of one below all of the other. Ties can make it half
 * as large where n ≠ m: of 3 × 9 and 4 × 1 dealt anew, no other deal is as far from the mean as the one seen.
 */
export const smallestReachableP = (n: number, m: number): number => Math.min(1, 2 / choose(n + m, n));
