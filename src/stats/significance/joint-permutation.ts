/**
 * The rank tests of several metrics of the same runs, corrected together: the weighted step-down min-P method of Westfall and Young
 * (P. Westfall, S. Young 1993, "Resampling-Based Multiple Testing", 2.6). The labels of whole runs are dealt anew, so metrics
 * that say nearly the same thing (request p50, average rps) stay together in every deal and cost one correction, not two. It
 * holds the chance of one false rejection or more among all metrics, whichever of them truly differ.
 *
 * The statistic of a metric under a deal is the p of its own rank test, divided by the metric's weight (C. Genovese,
 * K. Roeder, L. Wasserman 2006, "False discovery control with p-value weighting", Biometrika 93:509–524). That is a standardised rank sum on the one scale on
 * which metrics with different ties and gaps are comparable: by the rank sum in standard deviations (max-T), a metric of
 * a few whole µs reaches further than an untied one and would cost the others power (Y. Ge, S. Dudoit, T. Speed 2003, "Resampling-based multiple
 * testing for microarray data analysis", TEST 12:1–77, which compare the two). With one metric of all runs it is the rank test.
 */
import { at, numberAt } from "../../at.js";
import { normalCdf } from "../distributions.js";
import { isAtMost } from "./multiple-testing.js";
import { normalDeals } from "./normal-deals.js";
import type { Random } from "../random.js";
import { choose, doubledRanks, type PByRankSum, rankSumPs } from "./rank-test.js";
import { levelIn } from "./step-down.js";

/** Up to this many deals are all looked at; of more, this many are drawn. */
const MOST_DEALS = 20_000;

/** Of more runs than this (both sides together) rank sums are drawn, not whole deals: see normal-deals.ts. */
const MOST_DEALT_RUNS = 4000;

/** One metric over the runs of both sides, in run order; null where a run does not have it. */
export interface JointMetric {
  /** A metric of weight 5 is as remarkable at p = 0.05 as one of weight 1 at p = 0.01. */
  readonly weight: number;
  readonly x: readonly (number | null)[];
  readonly y: readonly (number | null)[];
}

/** What the tests say together. */
export interface JointTest {
  /** Per metric, in the order given: p corrected over all of them. */
  readonly adjusted: readonly number[];
  /**
   * The level for a single metric of weight 1 that is not found at level `alpha`: its own p, were it the smallest of those not
   * found, is up to this. What is found leaves its part to the others (the step-down).
   */
  readonly levelFor: (alpha: number) => number;
}

/** All choices of `n` of the places 0 … total − 1, half of them where the sides are equal and could be swapped; the array is reused. */
function* everyDeal(total: number, n: number): Generator<Uint32Array> {
  const deal = Uint32Array.from({ length: n }, (_, index) => index);
  for (;;) {
    yield deal;
    let turn = n - 1;
    while (turn >= 0 && deal[turn] === total - n + turn) turn--;
    if (turn < 0) return;
    if (turn === 0 && 2 * n === total) return;
    const next = at(deal, turn) + 1;
    for (let place = turn; place < n; place++) deal[place] = next + place - turn;
  }
}

/** The deal seen, and others at random; the array is reused. */
function* someDeals(total: number, n: number, random: Random): Generator<Uint32Array> {
  const places = Uint32Array.from({ length: total }, (_, index) => index);
  const dealt = places.subarray(0, n);
  yield dealt;
  for (let deal = 1; deal < MOST_DEALS; deal++) {
    for (let place = 0; place < n; place++) {
      const from = place + random.below(total - place);
      const taken = at(places, from);
      places[from] = at(places, place);
      places[place] = taken;
    }
    yield dealt;
  }
}

/** A metric as it is tested. */
interface RankedMetric {
  /** Its place in the order given. */
  readonly index: number;
  readonly weight: number;
  /** Run by run: doubled ranks; 0 where a run has no value. */
  readonly ranks: Float64Array;
  /** The mean of the ranks of the values that there are. */
  readonly meanRank: number;
  /** 1 where a run has a value; null: every run has one. */
  readonly known: Float64Array | null;
  /** Its p under any deal, divided by its weight. */
  readonly pOf: (deal: Uint32Array) => number;
  /** The same as the runs lie. */
  readonly seen: number;
}

/** Lays a metric out: the values it has stay with their runs. */
const rankedMetric = ({ x, y, weight }: JointMetric, index: number, seenDeal: Uint32Array): RankedMetric => {
  const values = [...x, ...y];
  const known = Float64Array.from(values, (value) => (value === null ? 0 : 1));
  const knownRanks = doubledRanks(values.filter((value) => value !== null));
  const isWhole = knownRanks.length === values.length;
  const ranks = new Float64Array(values.length);
  let next = 0;
  known.forEach((is, place) => {
    if (is === 1) ranks[place] = at(knownRanks, next++);
  });
  // A deal decides how many of the values fall to the first side; each number has ps of its own.
  const tables: PByRankSum[] = [];
  const pOf = (deal: Uint32Array): number => {
    let count = isWhole ? deal.length : 0;
    let sum = 0;
    for (const place of deal) sum += numberAt(ranks, place);
    if (!isWhole) for (const place of deal) count += numberAt(known, place);
    return (tables[count] ??= rankSumPs(knownRanks, count))(sum) / weight;
  };
  const meanRank = knownRanks.reduce((sum, rank) => sum + rank, 0) / Math.max(1, knownRanks.length);
  return { index, weight, ranks, meanRank, known: isWhole ? null : known, pOf, seen: pOf(seenDeal) };
};

/** Takes weighted ps deal by deal, in the order of the metrics; keeps the smallest p of each metric and of all before it. */
const leastsOf = (metrics: number, room: number) => {
  const columns = Array.from({ length: metrics }, () => new Float64Array(room));
  let dealt = 0;
  return {
    take: (pOf: (metric: number) => number): void => {
      let least = Infinity;
      for (const [metric, column] of columns.entries()) {
        least = Math.min(least, pOf(metric));
        column[dealt] = least;
      }
      dealt++;
    },
    columns: (): readonly Float64Array[] => columns.map((column) => column.subarray(0, dealt)),
  };
};

/** Per metric, in the order given: the smallest weighted p of it and of all before it, under each deal. */
const runningLeasts = (ranked: readonly RankedMetric[], x: number, total: number, random: Random) => {
  if (total > MOST_DEALT_RUNS) {
    const leasts = leastsOf(ranked.length, MOST_DEALS);
    leasts.take((metric) => at(ranked, metric).seen);
    const centred = ranked.map(({ ranks, meanRank, known }) =>
      ranks.map((rank, run) => (known === null || at(known, run) === 1 ? rank - meanRank : 0)),
    );
    for (const sums of normalDeals(centred, MOST_DEALS - 1, random))
      leasts.take((metric) => Math.min(1, 2 * normalCdf(-Math.abs(at(sums, metric)))) / at(ranked, metric).weight);
    return leasts.columns();
  }
  const ways = choose(total, x);
  const leasts = leastsOf(ranked.length, Math.min(ways, MOST_DEALS));
  for (const deal of ways <= MOST_DEALS ? everyDeal(total, x) : someDeals(total, x, random))
    leasts.take((metric) => at(ranked, metric).pOf(deal));
  return leasts.columns();
};

/** Tests metrics of the same runs together; every one has the same number of places on each side, at least one of them with a value. */
export const jointRankTest = (metrics: readonly JointMetric[], random: Random): JointTest => {
  const n = metrics[0]?.x.length ?? 0;
  const total = n + (metrics[0]?.y.length ?? 0);
  const seenDeal = Uint32Array.from({ length: n }, (_, index) => index);
  // The least likely last: a deal counts against a metric when it, or one that is likelier, looks no likelier.
  const ranked = metrics
    .map((metric, index) => rankedMetric(metric, index, seenDeal))
    .toSorted((a, b) => b.seen - a.seen);
  const leasts = runningLeasts(ranked, n, total, random);

  const adjusted = metrics.map(() => 1);
  let floor = 0;
  for (const [place, { index, seen }] of [...ranked.entries()].toReversed()) {
    const ps = at(leasts, place);
    // Sums on both sides of the mean are equally far only up to rounding in the normal approximation.
    const asSmall = ps.reduce((count, p) => count + (isAtMost(p, seen) ? 1 : 0), 0);
    floor = Math.max(floor, asSmall / ps.length);
    adjusted[index] = floor;
  }
  const levelFor = (alpha: number): number => {
    const notFound = ranked.filter(({ index }) => !isAtMost(at(adjusted, index), alpha));
    // Those found come last in the order, so that the others' smallest p stands at the last of these.
    const left = notFound.length === 0 ? ranked : notFound;
    if (left.length === 0) return alpha;
    const weights = left.reduce((sum, { weight }) => sum + weight, 0);
    return levelIn(at(leasts, left.length - 1), weights, alpha);
  };
  return { adjusted, levelFor };
};
