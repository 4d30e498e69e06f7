import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { risingFit, risingTrendP } from "../../../../src/stats/significance/rising.js";

const distance = (values: readonly number[], fit: readonly number[]): number =>
  values.reduce((sum, value, index) => sum + Math.abs(value - (fit[index] ?? Number.NaN)), 0);

/** The second implementation: every non-decreasing curve through the given levels. */
const risingCurves = (levels: readonly number[], length: number): readonly (readonly number[])[] =>
  length === 0
    ? [[]]
    : levels.flatMap((level, index) => risingCurves(levels.slice(index), length - 1).map((rest) => [level, ...rest]));

const permutations = (values: readonly number[]): readonly (readonly number[])[] =>
  values.length === 0
    ? [[]]
    : values.flatMap((value, index) => permutations(values.toSpliced(index, 1)).map((rest) => [value, ...rest]));

const rises = (values: readonly number[]): number =>
  values.flatMap((value, index) => values.slice(index + 1).filter((later) => later > value)).length;

void describe("the rising curve that fits best", () => {
  void it("leaves what rises alone, and takes the lower median of what falls", () => {
    assert.deepEqual(risingFit([1, 2, 2, 5]), [1, 2, 2, 5]);
    assert.deepEqual(risingFit([3, 2]), [2, 2]);
    assert.deepEqual(risingFit([20, 90, 20, 21, 300]), [20, 20, 20, 21, 300]);
    assert.deepEqual(risingFit([9, 5, 1]), [5, 5, 5]);
    assert.deepEqual(risingFit([]), []);
  });

  void it("is as near as any rising curve, and never falls", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 }), (values) => {
        const fit = risingFit(values);
        assert.deepEqual(
          fit,
          fit.toSorted((a, b) => a - b),
        );
        const levels = [...new Set(values)].toSorted((a, b) => a - b);
        const best = Math.min(...risingCurves(levels, values.length).map((curve) => distance(values, curve)));
        assert.equal(distance(values, fit), best);
      }),
      { numRuns: 60 },
    );
  });
});

void describe("the test for a trend", () => {
  void it("is the share of all orders that rise in as many pairs", () => {
    const orders = permutations([1, 2, 3, 4, 5]);
    for (const seen of orders) {
      const asRising = orders.filter((order) => rises(order) >= rises(seen)).length;
      assert.ok(Math.abs(risingTrendP(seen) - asRising / orders.length) < 1e-12, seen.join(" "));
    }
  });

  void it("counts a tie as half against the trend", () => {
    assert.equal(risingTrendP([7, 7, 7, 7]), risingTrendP([1, 4, 3, 2]));
    assert.ok(risingTrendP([1, 2, 2, 3]) > risingTrendP([1, 2, 3, 4]));
    assert.equal(risingTrendP([5]), 1);
  });
});
