import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bootstrap, expandedTail, intervalOf } from "../../../../src/stats/intervals/bootstrap.js";
import { seededRandom } from "../../../../src/stats/random.js";
import { mean, standardDeviation } from "../../../../src/stats/sample.js";

/** Survival of treated mice in days: Efron and Tibshirani 1993, An Introduction to the Bootstrap, table 2.1. */
const MICE = [94, 197, 16, 38, 99, 141, 23];

const bootstrappedMeans = (seed: number) =>
  bootstrap(MICE.length, 100, seededRandom(seed), (indices) => mean([...indices]));

void describe("the bootstrap", () => {
  void it("finds the standard errors that Efron and Tibshirani print for the mouse data (table 2.1: 23.36)", () => {
    const means = bootstrap(MICE.length, 20_000, seededRandom(1), (indices) =>
      mean([...indices].map((index) => MICE[index] ?? Number.NaN)),
    );
    assert.ok(Math.abs(standardDeviation(means) - 23.36) < 0.5, `mean: ${standardDeviation(means)}`);
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
    assert.deepEqual(bootstrappedMeans(9), bootstrappedMeans(9));
    assert.notDeepEqual(bootstrappedMeans(9), bootstrappedMeans(10));
  });

  void it("leaves out as much above as below", () => {
    const figures = Array.from({ length: 1001 }, (_, index) => index);
    const { low, high } = intervalOf(figures, 0.95, 10);
    assert.ok(Math.abs(low - 1000 * expandedTail(0.95, 10)) < 1e-9, `${low}`);
    assert.ok(Math.abs(low + high - 1000) < 1e-9, `${low} and ${high}`);
  });

  void it("has no width for equal figures, also where they are infinite", () => {
    assert.deepEqual(intervalOf([4, 4, 4, 4], 0.95, 6), { low: 4, high: 4 });
    assert.deepEqual(intervalOf([Infinity, Infinity, Infinity], 0.95, 6), { low: Infinity, high: Infinity });
  });
});
