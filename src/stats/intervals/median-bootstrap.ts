/**
 * The bootstrap of a median, exactly: which medians a drawing of n values with replacement has, and how likely each is. Nothing is
 * drawn, so the interval of a median, or of a ratio of two, depends on the values alone and on no seed.
 *
 * Of n = 2m + 1 values the median is the k-th smallest with probability P(B(k) > m) − P(B(k − 1) > m), where B(k), the number of
 * drawn values among the k smallest, is binomial with n and k/n (B. Efron 1979, "Bootstrap methods: another look at the
 * jackknife", The Annals of Statistics 7:1–26, section 3; J. Maritz, R. Jarrett 1978, JASA 73:194–196). Of n = 2m values
 * the two in the middle are the i-th and the j-th smallest, i < j, when m drawn values are at most the i-th and m at least the j-th.
 */
import { at } from "../../at.js";
import { expandedTail, type Interval } from "./bootstrap.js";
import type { Random } from "../random.js";
import { ascending } from "../sample.js";

/** A distribution of finitely many values, distinct and ascending, each with its probability. */
export interface DiscreteDistribution {
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
}

/** Medians less likely than this change no digit of an interval; leaving them out keeps hundreds of runs fast. */
const NEGLIGIBLE = 1e-18;

/** How far from its mean k a binomial of n drawings, each with probability k/n, is less likely than one in 10³⁰ (by Bernstein's inequality). */
const farFrom = (k: number, n: number): number => 12 * Math.sqrt((k * (n - k)) / n) + 48;

/** Has a running sum of probabilities come to a share? Sums of hundreds of them are short of 1 by roundings. */
const reaches = (sum: number, share: number): boolean => sum > 0 && sum >= share - 1e-12;

/** ln(n!) for 0 … n. */
const logFactorials = (n: number): Float64Array => {
  const logs = new Float64Array(n + 1);
  for (let i = 2; i <= n; i++) logs[i] = at(logs, i - 1) + Math.log(i);
  return logs;
};

/** P(B ≥ `least`) for a binomial B of n drawings, each with probability k/n; exact terms, so nothing cancels, as far as they count. */
const atLeast = (least: number, k: number, n: number, logs: Float64Array): number => {
  if (k === n) return 1;
  const reach = farFrom(k, n);
  if (least > k + reach) return 0;
  if (least < k - reach) return 1;
  const [hit, miss] = [Math.log(k / n), Math.log1p(-k / n)];
  let sum = 0;
  for (let hits = Math.min(n, Math.ceil(k + reach)); hits >= least; hits--)
    sum += Math.exp(at(logs, n) - at(logs, hits) - at(logs, n - hits) + hits * hit + (n - hits) * miss);
  return Math.min(1, sum);
};

/** P(the r-th smallest of n drawn values is the k-th smallest of those there are), for k = 1 … n (at index k − 1). */
const rankProbabilities = (r: number, n: number, logs: Float64Array): Float64Array => {
  const probabilities = new Float64Array(n);
  let below = 0;
  for (let k = 1; k <= n; k++) {
    const upTo = atLeast(r, k, n, logs);
    probabilities[k - 1] = Math.max(0, upTo - below);
    below = upTo;
  }
  return probabilities;
};

/** What all samples of one size have in common. */
interface Ranks {
  /** How likely the k-th smallest is the median, or of an even number the lower middle one (at index k − 1). */
  readonly middle: Float64Array;
  /** Of n = 2m: ln of (k/n)^m − ((k−1)/n)^m, m drawn values are at most the k-th smallest, not all of them at most the one before. */
  readonly logReach: Float64Array;
  /** Of n = 2m: ln of the ways to choose which m they are. */
  readonly logWays: number;
}

const ranksOf = (n: number): Ranks => {
  const logs = logFactorials(n);
  if (n % 2 === 1)
    return { middle: rankProbabilities((n + 1) / 2, n, logs), logReach: new Float64Array(0), logWays: 0 };
  const m = n / 2;
  return {
    middle: rankProbabilities(m, n, logs),
    logReach: Float64Array.from({ length: n }, (_, index) => {
      const k = index + 1;
      return m * Math.log(k / n) + Math.log(k === 1 ? 1 : -Math.expm1(m * Math.log1p(-1 / k)));
    }),
    logWays: at(logs, n) - 2 * at(logs, m),
  };
};

/** All metrics of a subject have as many runs, as a rule: what was worked out for the last sizes is kept. */
const recentRanks = new Map<number, Ranks>();
const MOST_SIZES = 8;

const ranksFor = (n: number): Ranks => {
  const known = recentRanks.get(n) ?? ranksOf(n);
  if (!recentRanks.has(n) && recentRanks.size >= MOST_SIZES) recentRanks.clear();
  recentRanks.set(n, known);
  return known;
};

/** Collects values with their probabilities, equal ones together. */
const collected = (pairs: readonly (readonly [value: number, probability: number])[]): DiscreteDistribution => {
  const byValue = new Map<number, number>();
  for (const [value, probability] of pairs) byValue.set(value, (byValue.get(value) ?? 0) + probability);
  const sorted = [...byValue].toSorted(([one], [other]) => one - other);
  return {
    values: Float64Array.from(sorted, ([value]) => value),
    probabilities: Float64Array.from(sorted, ([, probability]) => probability),
  };
};

const evenMedians = (sorted: readonly number[], { middle, logReach, logWays }: Ranks): DiscreteDistribution => {
  const n = sorted.length;
  const pairs: [number, number][] = [];
  sorted.forEach((value, i) => {
    if (at(middle, i) < NEGLIGIBLE) return;
    let apart = 0;
    for (let j = i + 1; j < n; j++) {
      // The upper middle one counted from the other end is as the lower one from this end.
      const probability = Math.exp(logWays + at(logReach, i) + at(logReach, n - 1 - j));
      // The farther apart, the less likely: not a single value between the two was drawn.
      if (probability < NEGLIGIBLE) break;
      apart += probability;
      pairs.push([(value + at(sorted, j)) / 2, probability]);
    }
    pairs.push([value, Math.max(0, at(middle, i) - apart)]);
  });
  return collected(pairs);
};

/** The bootstrap distribution of the median of a sample (at least one value). */
export const medianDistribution = (values: readonly number[]): DiscreteDistribution => {
  const sorted = ascending(values);
  const ranks = ranksFor(sorted.length);
  if (sorted.length % 2 === 0) return evenMedians(sorted, ranks);
  return collected(sorted.map((value, index) => [value, at(ranks.middle, index)]));
};

/** P(X ≤ values[index]) for every index. */
const cumulated = ({ probabilities }: DiscreteDistribution): Float64Array => {
  let sum = 0;
  return probabilities.map((probability) => (sum += probability));
};

/** The expanded percentile interval of the median of `n` values (at least 2), see bootstrap.ts. */
export const medianInterval = (medians: DiscreteDistribution, confidence: number, n: number): Interval => {
  const tail = expandedTail(confidence, n);
  const upTo = cumulated(medians);
  const quantile = (share: number): number => {
    const index = upTo.findIndex((sum) => reaches(sum, share));
    return at(medians.values, index === -1 ? medians.values.length - 1 : index);
  };
  return { low: quantile(tail), high: quantile(1 - tail) };
};

/** `count` drawings of medians from their distribution. */
export const drawnMedians = (medians: DiscreteDistribution, count: number, random: Random): number[] => {
  const upTo = cumulated(medians);
  const last = medians.values.length - 1;
  return Array.from({ length: count }, () => {
    const share = random.uniform();
    // The first whose sum is larger; sums ascend.
    let [low, high] = [0, last];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(upTo, middle) > share) high = middle;
      else low = middle + 1;
    }
    return at(medians.values, low);
  });
};

/** How many times as large; twice nothing is no change. */
export const quotient = (above: number, below: number): number => (below === 0 && above === 0 ? 1 : above / below);

/** P(quotient ≤ r) as a function of r, for independent distributions of values ≥ 0. */
const ratioCdf = (above: DiscreteDistribution, below: DiscreteDistribution): ((r: number) => number) => {
  const upTo = cumulated(above);
  return (r) => {
    let sum = 0;
    let reached = 0;
    // The larger the divisor, the more dividends stay at most r times as large, so that one pass through both does.
    below.values.forEach((divisor, index) => {
      while (reached < above.values.length && quotient(at(above.values, reached), divisor) <= r) reached++;
      if (reached > 0) sum += at(below.probabilities, index) * at(upTo, reached - 1);
    });
    return sum;
  };
};

/** The smallest number at which a rising step function reaches a share; Infinity if no number does. */
const firstReaching = (cdf: (r: number) => number, share: number, largest: number): number => {
  if (reaches(cdf(0), share)) return 0;
  if (!reaches(cdf(largest), share)) return Infinity;
  let [low, high] = [0, largest];
  // Until there is no number between the two: what is found is a quotient, exactly.
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (reaches(cdf(middle), share)) high = middle;
    else low = middle;
  }
};

/**
 * The expanded percentile interval of a ratio of independent medians of values ≥ 0; `n` is the smaller number of runs (at
 * least 2). Infinite where a median of 0 divides; 0 divided by 0 counts as 1, no change.
 */
export const ratioInterval = (
  above: DiscreteDistribution,
  below: DiscreteDistribution,
  confidence: number,
  n: number,
): Interval => {
  const tail = expandedTail(confidence, n);
  const cdf = ratioCdf(above, below);
  const smallestDivisor = below.values.find((value) => value > 0) ?? 1;
  const largest = Math.max(1, (above.values.at(-1) ?? 0) / smallestDivisor);
  return { low: firstReaching(cdf, tail, largest), high: firstReaching(cdf, 1 - tail, largest) };
};
