import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { jointRankTest } from "../../../../src/stats/significance/joint-permutation.js";
import { normalDeals } from "../../../../src/stats/significance/normal-deals.js";
import { type Random, seededRandom } from "../../../../src/stats/random.js";
import { rankTest } from "../../../../src/stats/significance/rank-test.js";

const centred = (values: readonly number[]): Float64Array => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Float64Array.from(values, (value) => value - mean);
};

const within = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`);

const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, run) => sum + value * (y[run] ?? 0), 0);

/** Run by run; `shift` is added to the second half. */
const drawn = (runs: number, random: Random, shift = 0): readonly number[] =>
  Array.from({ length: runs }, (_, run) => random.uniform() + (run < runs / 2 ? 0 : shift));

const metric = (values: readonly (number | null)[], weight = 1) => ({
  weight,
  x: values.slice(0, values.length / 2),
  y: values.slice(values.length / 2),
});

void describe("rank sums of thousands of runs", () => {
  void it("are drawn with the correlations of the ranks, and a standard deviation of 1", () => {
    const random = seededRandom(1);
    const a = drawn(500, random);
    const b = a.map((value, run) => (run % 2 === 0 ? value : random.uniform()));
    const columns = [a, b, a.map((value) => -value)].map(centred);
    const products = [0, 0, 0, 0];
    const COUNT = 40_000;
    for (const [one = 0, other = 0, opposite = 0] of normalDeals(columns, COUNT, random)) {
      within(opposite, -one, 1e-6);
      for (const [index, product] of [one * one, other * other, one * other, one].entries())
        products[index] = (products[index] ?? 0) + product / COUNT;
    }
    const [first = centred([]), second = centred([])] = columns;
    const expected = dot(first, second) / Math.sqrt(dot(first, first) * dot(second, second));
    // Four standard errors of a mean of 40,000.
    for (const [index, value] of [1, 1, expected, 0].entries()) within(products[index] ?? 0, value, 0.03);
  });

  void it("correct metrics as whole deals do: the same twice costs nothing, unlike ones share", () => {
    const random = seededRandom(2);
    // A little above the number of runs up to which whole deals are made.
    const values = drawn(4200, random, 0.02);
    const noise = drawn(4200, random);
    const p = rankTest(values.slice(0, 2100), values.slice(2100)).p;
    assert.ok(p > 0.001 && p < 0.05, `a p in between: ${p}`);
    within(jointRankTest([metric(values)], random).adjusted[0] ?? 0, p, 0.006);
    within(jointRankTest([metric(values), metric(values)], random).adjusted[0] ?? 0, p, 0.006);
    const both = jointRankTest([metric(values), metric(noise)], random);
    within(both.adjusted[0] ?? 0, 1 - (1 - p) ** 2, 0.01);
    const unlike = jointRankTest([metric(noise), metric(drawn(4200, random))], random);
    within(unlike.levelFor(0.05), 1 - Math.sqrt(0.95), 0.004);
  });

  void it("leave out runs that lack a value, and call a metric without scatter no difference", () => {
    const random = seededRandom(3);
    const values = drawn(4200, random, 0.5);
    const some = values.map((value, run) => (run % 3 === 0 ? null : value));
    const [shown, flat] = jointRankTest([metric(some), metric(values.map(() => 7))], random).adjusted;
    within(shown ?? 1, 1 / 20_000, 1e-9);
    assert.equal(flat, 1);
  });
});
