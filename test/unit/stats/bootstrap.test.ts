import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bootstrap, bootstrapMedians, expandedTail, intervalOf } from "../../../src/stats/bootstrap.js";
import { seededRandom } from "../../../src/stats/random.js";
import { mean, standardDeviation } from "../../../src/stats/sample.js";

/** Survival of treated mice in days: Efron and Tibshirani 1993, An Introduction to the Bootstrap, table 2.1. */
const MICE = [94, 197, 16, 38, 99, 141, 23];

void describe("the bootstrap", () => {
  void it("finds the standard errors that Efron and Tibshirani print for the mouse data (table 2.1: 23.36 and 37.83)", () => {
    const means = bootstrap(MICE.length, 20_000, seededRandom(1), (indices) =>
      mean([...indices].map((index) => MICE[index] ?? Number.NaN)),
    );
    assert.ok(Math.abs(standardDeviation(means) - 23.36) < 0.5, `mean: ${standardDeviation(means)}`);
    const medians = bootstrapMedians(MICE, 20_000, seededRandom(2));
    assert.ok(Math.abs(standardDeviation(medians) - 37.83) < 0.7, `median: ${standardDeviation(medians)}`);
  });

  void it("takes the tails out as far as Hesterberg prints for 5, 10, 20, 40 and 80 values", () => {
    const table: readonly (readonly [number, number])[] = [
      [5, 0.001],
      [10, 0.0086],
      [20, 0.0159],
      [40, 0.0203],
      [80, 0.0226],
    ];
    for (const [n, tail] of table)
      assert.ok(Math.abs(expandedTail(0.95, n) - tail) < 6e-4, `n = ${n}: ${expandedTail(0.95, n)}`);
  });

  void it("is the same for the same seed", () => {
    assert.deepEqual(bootstrapMedians(MICE, 100, seededRandom(9)), bootstrapMedians(MICE, 100, seededRandom(9)));
    assert.notDeepEqual(bootstrapMedians(MICE, 100, seededRandom(9)), bootstrapMedians(MICE, 100, seededRandom(10)));
  });

  void it("covers the true median of skewed samples of six about as often as it promises", () => {
    const random = seededRandom(5);
    const experiments = 1000;
    let covered = 0;
    for (let i = 0; i < experiments; i++) {
      // Exponential: median ln 2.
      const sample = Array.from({ length: 6 }, () => -Math.log(1 - random.uniform()));
      const { low, high } = intervalOf(bootstrapMedians(sample, 400, random), 0.95, 6);
      if (low <= Math.LN2 && Math.LN2 <= high) covered++;
    }
    // The widest interval that six values can give, from smallest to largest, covers 96.9 %.
    assert.ok(covered >= 0.925 * experiments && covered <= 0.985 * experiments, `${covered} of ${experiments}`);
  });

  void it("has no width for equal values", () => {
    const medians = bootstrapMedians([4, 4, 4, 4, 4, 4], 200, seededRandom(1));
    assert.deepEqual(intervalOf(medians, 0.95, 6), { low: 4, high: 4 });
  });
});
