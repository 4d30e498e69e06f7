import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { wilcoxonRankSum } from "simple-statistics";
import { normalCdf } from "../../../../src/stats/distributions.js";
import { choose, doubledRanks, rankTest, smallestReachableP } from "../../../../src/stats/significance/rank-test.js";
import { mean } from "../../../../src/stats/sample.js";

const near = (actual: number, expected: number, tolerance = 1e-9): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

const scattered = (n: number, shift: number): readonly number[] =>
  Array.from({ length: n }, (_, index) => ((index * 37) % 101) + shift);

/** The reference: every way to choose the first sample, one by one. */
const byBruteForce = (x: readonly number[], y: readonly number[]): number => {
  const all = [...x, ...y];
  const rank = (value: number): number =>
    all.filter((other) => other < value).length + (all.filter((other) => other === value).length + 1) / 2;
  const ranks = all.map(rank);
  const center = x.length * mean(ranks);
  const seen = Math.abs(ranks.slice(0, x.length).reduce((a, b) => a + b, 0) - center);
  let asFar = 0;
  let ways = 0;
  for (let subset = 0; subset < 2 ** all.length; subset++) {
    const chosen = ranks.filter((_, index) => (subset >> index) & 1);
    if (chosen.length !== x.length) continue;
    ways++;
    if (Math.abs(chosen.reduce((a, b) => a + b, 0) - center) >= seen - 1e-9) asFar++;
  }
  return asFar / ways;
};

void describe("the rank test", () => {
  void it("gives the p of the example in SciPy's documentation of mannwhitneyu (ages at diagnosis, U = 17, p = 1/9)", () => {
    const { u, p, method } = rankTest([19, 22, 16, 29, 24], [20, 11, 17, 12]);
    assert.equal(u, 17);
    near(p, 0.1111111111111111);
    assert.equal(method, "exact");
  });

  void it("gives the p of Hollander and Wolfe's chorioamnion data (1973, p. 69; R's wilcox.test: W = 35, one-sided 0.1272)", () => {
    const term = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    const early = [1.15, 0.88, 0.9, 0.74, 1.21];
    const { u, p } = rankTest(term, early);
    assert.equal(u, 35);
    near(p, 2 * 0.1272, 1e-4);
  });

  void it("agrees with counting every permutation, ties included", () => {
    const sample = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sample, sample, (x, y) => near(rankTest(x, y).p, byBruteForce(x, y))),
      { numRuns: 150 },
    );
  });

  void it("has the rank sum of simple-statistics", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 4, maxLength: 20 }), (all) => {
        const x = all.slice(0, all.length >> 1);
        const y = all.slice(all.length >> 1);
        near(rankTest(x, y).u + (x.length * (x.length + 1)) / 2, wilcoxonRankSum(x, y));
      }),
    );
  });

  void it("does not care which sample comes first", () => {
    const sample = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 });
    fc.assert(fc.property(sample, sample, (x, y) => near(rankTest(x, y).p, rankTest(y, x).p)));
  });

  void it("says nothing where all values are the same", () => {
    assert.equal(rankTest([5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5]).p, 1);
  });

  void it("reaches the smallest p exactly when the samples do not overlap", () => {
    for (const [n, m] of [
      [2, 2],
      [3, 3],
      [6, 6],
      [5, 9],
    ] as const) {
      const x = Array.from({ length: n }, (_, index) => index);
      const y = Array.from({ length: m }, (_, index) => 100 + index);
      near(rankTest(x, y).p, smallestReachableP(n, m));
    }
    near(smallestReachableP(6, 6), 2 / 924);
    near(smallestReachableP(3, 3), 0.1);
    assert.equal(smallestReachableP(1, 1), 1);
  });

  void it("knows the smallest p of its sizes and ties: no deal of these values has a smaller one", () => {
    const { p, smallestP } = rankTest([9000, 9000, 9000], [1000, 1000, 1000, 1000]);
    near(p, 1 / 35);
    near(smallestP, 1 / 35);
    // Equal values could have been others: the sizes alone would do.
    near(rankTest([5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5]).smallestP, 2 / 924);
    const sample = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sample, sample, (x, y) => {
        const all = [...x, ...y];
        const ps: number[] = [smallestReachableP(x.length, y.length)];
        for (let subset = 0; subset < 2 ** all.length; subset++) {
          const chosen = all.filter((_, index) => (subset >> index) & 1);
          if (chosen.length === x.length)
            ps.push(
              byBruteForce(
                chosen,
                all.filter((_, index) => !((subset >> index) & 1)),
              ),
            );
        }
        near(rankTest(x, y).smallestP, Math.min(...ps));
      }),
      { numRuns: 25 },
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 61, maxLength: 70 }), (values) => {
        const test = rankTest(
          values,
          values.map((value) => value + 1),
        );
        assert.equal(test.method, "normal");
        assert.ok(test.smallestP <= test.p);
      }),
      { numRuns: 20 },
    );
  });

  void it("goes over to the normal approximation where counting gets long, without a jump", () => {
    const exact = rankTest(scattered(60, 0), scattered(60, 9));
    const normal = rankTest(scattered(61, 0), scattered(61, 9));
    assert.equal(exact.method, "exact");
    assert.equal(normal.method, "normal");
    near(exact.p, normal.p, 0.03);
  });

  void it("approximates with half a step of continuity, and finds nothing in values that are all the same", () => {
    // Untied: the odd numbers against the even ones, a little further on.
    const x = Array.from({ length: 61 }, (_, index) => 2 * index);
    const y = x.map((value) => value + 9);
    const { u, p, method } = rankTest(x, y);
    const deviation = Math.sqrt((61 * 61 * 123) / 12);
    assert.equal(method, "normal");
    near(p, 2 * normalCdf(-(Math.abs(u - (61 * 61) / 2) - 0.5) / deviation), 1e-12);
    assert.equal(rankTest(Array<number>(70).fill(3), Array<number>(60).fill(3)).p, 1);
  });
});

void describe("mid-ranks", () => {
  void it("are shared by ties", () => {
    assert.deepEqual(doubledRanks([3, 1, 3, 9]), [5, 2, 5, 8]);
  });
});

void describe("the number of ways to choose", () => {
  void it("is Pascal's", () => {
    assert.equal(choose(12, 6), 924);
    assert.equal(choose(5, 0), 1);
    assert.equal(choose(20, 10), 184_756);
  });
});
