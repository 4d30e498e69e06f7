/**
 * How the rank sums of several metrics of the same runs fall when the runs are dealt anew, for thousands of runs: their joint
 * distribution is then normal (J. Hájek 1961, "Some extensions of the Wald–Wolfowitz–Noether theorem", Annals of Mathematical
 * Statistics 32:506–523), and a deal costs as much as there are metrics, however many runs there are. Of fewer runs whole deals are
 * looked at: joint-permutation.ts.
 */
import { at, numberAt } from "../../at.js";
import type { Random } from "../random.js";

/** So small a part of a metric's variance is rounding: the others say all that it says. */
const NO_NEWS = 1e-10;

const product = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let run = 0; run < a.length; run++) sum += numberAt(a, run) * numberAt(b, run);
  return sum;
};

/**
 * The correlations of rank sums under random deals: those of the ranks themselves.
 *
 * @param ranks per metric, run by run, ranks less their mean; 0 where a run has no value
 */
const correlations = (ranks: readonly Float64Array[]): readonly Float64Array[] => {
  const lengths = ranks.map((column) => Math.sqrt(product(column, column)));
  return ranks.map((a, row) =>
    Float64Array.from(ranks, (b, column) => {
      const scale = at(lengths, row) * at(lengths, column);
      return scale === 0 ? 0 : product(a, b) / scale;
    }),
  );
};

/** The lower triangle L with L·Lᵀ = the matrix (Cholesky); a row that follows from those above it has nothing of its own. */
const triangle = (matrix: readonly Float64Array[]): readonly Float64Array[] => {
  const rows: Float64Array[] = [];
  for (const [row, wanted] of matrix.entries()) {
    const own = new Float64Array(matrix.length);
    for (let column = 0; column <= row; column++) {
      const other = column === row ? own : at(rows, column);
      let rest = numberAt(wanted, column);
      for (let k = 0; k < column; k++) rest -= numberAt(own, k) * numberAt(other, k);
      if (column === row) own[row] = rest > NO_NEWS ? Math.sqrt(rest) : 0;
      else {
        const pivot = numberAt(other, column);
        own[column] = pivot === 0 ? 0 : rest / pivot;
      }
    }
    rows.push(own);
  }
  return rows;
};

/** Two independent standard normal numbers (Box and Muller 1958). */
const normalPair = (random: Random): readonly [number, number] => {
  const radius = Math.sqrt(-2 * Math.log(1 - random.uniform()));
  const angle = 2 * Math.PI * random.uniform();
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
};

/**
 * Standardised rank sums under `count` deals, one number per metric; the array is reused.
 *
 * @param ranks per metric, run by run, ranks less their mean; 0 where a run has no value
 */
export function* normalDeals(ranks: readonly Float64Array[], count: number, random: Random): Generator<Float64Array> {
  const rows = triangle(correlations(ranks));
  const independent = new Float64Array(ranks.length);
  const sums = new Float64Array(ranks.length);
  for (let deal = 0; deal < count; deal++) {
    for (let metric = 0; metric < ranks.length; metric += 2) {
      const [one, other] = normalPair(random);
      independent[metric] = one;
      if (metric + 1 < ranks.length) independent[metric + 1] = other;
    }
    for (const [metric, row] of rows.entries()) {
      let sum = 0;
      for (let k = 0; k <= metric; k++) sum += numberAt(row, k) * numberAt(independent, k);
      sums[metric] = sum;
    }
    yield sums;
  }
}
