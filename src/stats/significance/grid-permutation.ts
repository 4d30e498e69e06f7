/**
 * The rank tests of a grid, corrected together: several metrics in several cells (settings under which both sides ran), and each
 * metric over all cells at once. The method is that of joint-permutation.ts, weighted step-down min-P; runs are dealt anew within
 * their cell only, since a cell is a block: what varies between cells is no difference between the sides. One family holds the
 * chance of any false rejection in the whole grid.
 *
 * A metric over all cells is judged by van Elteren's stratified rank sum, each cell weighted by 1 / (its runs + 1)
 * (P. van Elteren 1960, "On the combination of independent two-sample tests of Wilcoxon", Bulletin of the ISI 37:351–361). Its normal
 * p only puts it on one scale with the others; what is reported is the share of deals that look as remarkable.
 */
import { at, numberAt, wordAt } from "../../at.js";
import { normalCdf } from "../distributions.js";
import type { JointMetric } from "./joint-permutation.js";
import { isAtMost } from "./multiple-testing.js";
import type { Random } from "../random.js";
import { doubledRanks, type PByRankSum, rankSumPs } from "./rank-test.js";
import { levelIn, runningLeasts } from "./step-down.js";

/** Deals drawn, the one seen included. */
const MOST_DEALS = 20_000;

/** The metrics of one cell; all have the same number of runs on each side. */
export interface GridCell {
  /** Runs of the first side. */
  readonly x: number;
  /** Runs of both sides. */
  readonly total: number;
  readonly metrics: readonly JointMetric[];
  /** Its metrics are tests of the family; default: yes. Else they count in those over several cells only. */
  readonly isTested?: boolean;
}

/** A metric over several cells: the place of its test in each cell, -1 where it has no part. */
export interface GridOverall {
  readonly weight: number;
  readonly places: readonly number[];
}

/** What the tests of a grid say together. */
export interface GridTest {
  /** Per cell and metric: p corrected over the grid; empty for a cell that is not tested. */
  readonly cells: readonly (readonly number[])[];
  /** Per metric over all cells: its own p, and p corrected over the grid. */
  readonly overall: readonly { readonly p: number; readonly adjusted: number }[];
  /** The level for a single test of weight 1 that is not found; see `JointTest.levelFor`. */
  readonly levelFor: (alpha: number) => number;
}

/** The rank sum of a side under a deal, with what is expected of it; the object is reused. */
interface Dealt {
  p: number;
  /** (Rank sum − mean) and its variance, both of doubled ranks, weighted for van Elteren's sum. */
  excess: number;
  variance: number;
}

/** Deals the values of one metric of one cell. */
const dealer = ({ x, y, weight }: JointMetric): ((deal: Uint32Array, into: Dealt) => void) => {
  const values = [...x, ...y];
  const known = Float64Array.from(values, (value) => (value === null ? 0 : 1));
  const knownRanks = doubledRanks(values.filter((value) => value !== null));
  const ranks = new Float64Array(values.length);
  let next = 0;
  known.forEach((is, place) => {
    if (is === 1) ranks[place] = at(knownRanks, next++);
  });
  const all = knownRanks.length;
  const mean = knownRanks.reduce((sum, rank) => sum + rank, 0) / Math.max(1, all);
  const squares = knownRanks.reduce((sum, rank) => sum + (rank - mean) ** 2, 0);
  const isWhole = all === values.length;
  const tables: PByRankSum[] = [];
  return (deal, into) => {
    let count = isWhole ? deal.length : 0;
    let sum = 0;
    for (const place of deal) sum += numberAt(ranks, place);
    if (!isWhole) for (const place of deal) count += numberAt(known, place);
    into.p = (tables[count] ??= rankSumPs(knownRanks, count))(sum) / weight;
    into.excess = (sum - count * mean) / (all + 1);
    into.variance = all < 2 ? 0 : (count * (all - count) * squares) / (all * (all - 1)) / (all + 1) ** 2;
  };
};

/** Puts `x` of the places 0 … total − 1 to the front, at random. */
const dealAnew = (places: Uint32Array, x: number, random: Random): void => {
  for (let place = 0; place < x; place++) {
    const from = place + random.below(places.length - place);
    const taken = wordAt(places, from);
    places[from] = wordAt(places, place);
    places[place] = taken;
  }
};

const stratifiedP = (excess: number, variance: number): number =>
  variance === 0 ? 1 : Math.min(1, 2 * normalCdf(-Math.abs(excess) / Math.sqrt(variance)));

/** Van Elteren's test of one metric in several blocks as the runs lie: the chi-square of one degree, and its p, both by the normal approximation. */
export const vanElteren = (blocks: readonly JointMetric[]): { readonly chiSquare: number; readonly p: number } => {
  let [excess, variance] = [0, 0];
  for (const block of blocks) {
    const dealt = { p: 1, excess: 0, variance: 0 };
    dealer(block)(Uint32Array.from(block.x.keys()), dealt);
    excess += dealt.excess;
    variance += dealt.variance;
  }
  return { chiSquare: variance === 0 ? 0 : excess ** 2 / variance, p: stratifiedP(excess, variance) };
};

/** The ps of a whole grid under deal after deal: cells first, metric by metric, then the metrics over all cells. */
const createGrid = (cells: readonly GridCell[], overall: readonly GridOverall[], random: Random) => {
  const size = cells.reduce((sum, { metrics, isTested = true }) => sum + (isTested ? metrics.length : 0), 0);
  const laidOut = cells.map(({ x, total, metrics, isTested = true }) => ({
    x,
    isTested,
    places: Uint32Array.from({ length: total }, (_, index) => index),
    tests: metrics.map((metric) => ({ put: dealer(metric), dealt: { p: 1, excess: 0, variance: 0 } })),
  }));
  const read = (ps: Float64Array): void => {
    let next = 0;
    for (const { x, isTested, places, tests } of laidOut) {
      const deal = places.subarray(0, x);
      for (const { put, dealt } of tests) {
        put(deal, dealt);
        if (isTested) ps[next++] = dealt.p;
      }
    }
    for (const { places, weight } of overall) {
      let [excess, variance] = [0, 0];
      places.forEach((place, cell) => {
        if (place < 0) return;
        const { dealt } = at(at(laidOut, cell).tests, place);
        excess += dealt.excess;
        variance += dealt.variance;
      });
      ps[next++] = stratifiedP(excess, variance) / weight;
    }
  };
  return {
    size,
    read,
    deal: () => {
      for (const { x, places } of laidOut) dealAnew(places, x, random);
    },
  };
};

const weightOf = ({ weight }: { readonly weight: number }): number => weight;

/**
 * Tests the metrics of every cell, and metrics over all cells, as one family.
 *
 * @param cells each with at least one run on either side
 * @param deals how many deals are looked at, the one seen included; fewer only make the ps coarser
 */
export const gridRankTest = (
  cells: readonly GridCell[],
  overall: readonly GridOverall[],
  random: Random,
  deals = MOST_DEALS,
): GridTest => {
  const grid = createGrid(cells, overall, random);
  const ps = new Float64Array(grid.size + overall.length);
  grid.read(ps);
  const seen = Float64Array.from(ps);
  // The least likely last: a deal counts against a test when it, or one that is likelier, looks no likelier.
  const order = Uint32Array.from(seen.keys()).toSorted((a, b) => at(seen, b) - at(seen, a));
  const counts = new Uint32Array(ps.length);
  const alone = new Uint32Array(overall.length);
  const leasts = runningLeasts();
  for (let deal = 0; deal < deals; deal++) {
    if (deal > 0) {
      grid.deal();
      grid.read(ps);
    }
    leasts.begin();
    let least = Infinity;
    order.forEach((test, place) => {
      if (at(ps, test) < least) {
        least = at(ps, test);
        leasts.fall(place, least);
      }
      if (isAtMost(least, at(seen, test))) counts[test] = at(counts, test) + 1;
    });
    for (let test = 0; test < overall.length; test++)
      if (isAtMost(at(ps, grid.size + test), at(seen, grid.size + test))) alone[test] = at(alone, test) + 1;
  }
  const adjusted = new Float64Array(ps.length);
  let floor = 0;
  for (const test of order.toReversed()) {
    floor = Math.max(floor, at(counts, test) / deals);
    adjusted[test] = floor;
  }
  let next = 0;
  const tested = cells.map(({ metrics, isTested = true }) => (isTested ? metrics : []));
  const weights = [...tested.flatMap((metrics) => metrics.map(weightOf)), ...overall.map(weightOf)];
  const levelFor = (alpha: number): number => {
    // Those found come last in the order, so that the others' smallest p stands at the last of these.
    const notFound = order.filter((test) => !isAtMost(at(adjusted, test), alpha));
    const left = notFound.length === 0 ? order : notFound;
    if (left.length === 0) return alpha;
    const weight = left.reduce((sum, test) => sum + at(weights, test), 0);
    return levelIn(leasts.upTo(left.length - 1), weight, alpha);
  };
  return {
    cells: tested.map((metrics) => metrics.map(() => at(adjusted, next++))),
    overall: overall.map((_, test) => ({ p: at(alone, test) / deals, adjusted: at(adjusted, grid.size + test) })),
    levelFor,
  };
};
