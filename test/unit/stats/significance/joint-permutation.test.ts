import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { type JointMetric, jointRankTest } from "../../../../src/stats/significance/joint-permutation.js";
import { holm } from "../../../../src/stats/significance/multiple-testing.js";
import { seededRandom } from "../../../../src/stats/random.js";
import { rankTest } from "../../../../src/stats/significance/rank-test.js";

const random = () => seededRandom(1);
const near = (actual: number | undefined, expected: number, tolerance = 1e-9): void =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${actual} is not ${expected}`);

const splitAt = (values: readonly (number | null)[], n: number, weight = 1): JointMetric => ({
  weight,
  x: values.slice(0, n),
  y: values.slice(n),
});

const known = (values: readonly (number | null)[]): readonly number[] => values.filter((value) => value !== null);
const pOf = ({ x, y }: Omit<JointMetric, "weight">): number => {
  const [a, b] = [known(x), known(y)];
  return a.length === 0 || b.length === 0 ? 1 : rankTest(a, b).p;
};
const weighted = (metric: JointMetric): number => pOf(metric) / metric.weight;

const least = (ps: readonly number[], set: number): number =>
  Math.min(...ps.filter((_, metric) => (set >> metric) & 1));

/**
 * The second implementation, from the definition by closed testing: a metric is rejected at its corrected p when every set
 * of metrics that holds it is, each tested by the share of all deals in which the smallest weighted p of the set is as small as the one seen.
 */
const byClosedTesting = (metrics: readonly JointMetric[]): readonly number[] => {
  const n = metrics[0]?.x.length ?? 0;
  const total = n + (metrics[0]?.y.length ?? 0);
  const deals: (readonly number[])[] = [];
  for (let subset = 0; subset < 2 ** total; subset++) {
    const first = Array.from({ length: total }, (_, place) => ((subset >> place) & 1) === 1);
    if (first.filter(Boolean).length !== n) continue;
    deals.push(
      metrics.map(({ x, y, weight }) => {
        const all = [...x, ...y];
        return weighted({
          weight,
          x: all.filter((_, place) => first[place]),
          y: all.filter((_, place) => first[place] !== true),
        });
      }),
    );
  }
  const seen = metrics.map(weighted);
  return metrics.map((_, metric) => {
    const sets = Array.from({ length: 2 ** metrics.length }, (__, set) => set).filter((set) => (set >> metric) & 1);
    return Math.max(
      ...sets.map((set) => deals.filter((ps) => least(ps, set) <= least(seen, set) + 1e-12).length / deals.length),
    );
  });
};

void describe("the joint permutation test", () => {
  void it("counts what can be counted by hand: three runs a side, 20 deals", () => {
    const rising = splitAt([1, 2, 3, 4, 5, 6], 3);
    const swapped = splitAt([1, 2, 4, 3, 5, 6], 3);
    // Each metric is perfectly apart in two of the deals, in different ones: four of 20 see one of them so.
    assert.deepEqual(jointRankTest([rising, swapped], random()).adjusted, [0.2, 0.2]);
    assert.deepEqual(jointRankTest([rising], random()).adjusted, [0.1]);
    // The same metric twice is one metric.
    assert.deepEqual(jointRankTest([rising, rising], random()).adjusted, [0.1, 0.1]);
    // p = 0.1, and 0.7 for the second: 14 of 20 deals are as far for it alone.
    const vague = splitAt([1, 4, 5, 2, 3, 6], 3);
    const [first, second] = jointRankTest([rising, vague], random()).adjusted;
    near(first, 0.2);
    near(second, pOf(vague));
  });

  void it("is the exact rank test where there is one metric", () => {
    const sample = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(sample, sample, (x, y) =>
        near(jointRankTest([{ weight: 1, x, y }], random()).adjusted[0], rankTest(x, y).p),
      ),
    );
  });

  void it("lets a metric of weight 4 have a p four times as large", () => {
    const rising = [1, 2, 3, 4, 5, 6];
    const swapped = [1, 2, 4, 3, 5, 6];
    // Alike, the other metric's perfect deals count against the first: four of 20.
    assert.deepEqual(jointRankTest([splitAt(rising, 3), splitAt(swapped, 3)], random()).adjusted, [0.2, 0.2]);
    // Its p of 0.1 counts as 0.025, which no deal of the other reaches: two of 20.
    assert.deepEqual(jointRankTest([splitAt(rising, 3, 4), splitAt(swapped, 3)], random()).adjusted, [0.1, 0.2]);
  });

  void it("agrees with closed testing by brute force, ties, missing values and weights included", () => {
    const value = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 5 }) }, fc.constant(null));
    const experiment = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
      .chain(([n, m, metrics]) =>
        fc.array(
          fc
            .tuple(fc.array(value, { minLength: n + m, maxLength: n + m }), fc.integer({ min: 1, max: 6 }))
            .map(([values, weight]) => splitAt(values, n, weight))
            .filter(({ x, y }) => known(x).length > 0 && known(y).length > 0),
          { minLength: metrics, maxLength: metrics },
        ),
      );
    fc.assert(
      fc.property(experiment, (metrics) => {
        const expected = byClosedTesting(metrics);
        jointRankTest(metrics, random()).adjusted.forEach((p, index) => near(p, expected[index] ?? Number.NaN));
      }),
      { numRuns: 100 },
    );
  });

  void it("never asks more than Holm's method, nor less than no correction, and knows no order of the metrics", () => {
    const metric = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(metric, { minLength: 1, maxLength: 6 }), (values) => {
        const metrics = values.map((one) => splitAt(one, 4));
        const { adjusted } = jointRankTest(metrics, random());
        const ps = metrics.map(pOf);
        const bound = holm(ps);
        adjusted.forEach((p, index) => {
          assert.ok(p <= (bound[index] ?? 0) + 1e-9, `${p} is more than Holm's ${bound[index]}`);
          assert.ok(p >= (ps[index] ?? 2) - 1e-9);
        });
        assert.deepEqual(jointRankTest(metrics.toReversed(), random()).adjusted, adjusted.toReversed());
      }),
      { numRuns: 50 },
    );
  });

  void it("draws deals where there are too many, close to the exact p, the same for the same seed", () => {
    const x = Array.from({ length: 10 }, (_, index) => (index * 7) % 23);
    const y = Array.from({ length: 10 }, (_, index) => ((index * 11) % 23) + 5);
    const [drawn] = jointRankTest([{ weight: 1, x, y }], random()).adjusted;
    near(drawn, rankTest(x, y).p, 0.01);
    assert.equal(jointRankTest([{ weight: 1, x, y }], random()).adjusted[0], drawn);
    // What was seen is one of the deals, so p is never 0.
    const apart = { weight: 1, x: x.map((value) => value - 100), y };
    assert.ok((jointRankTest([apart], random()).adjusted[0] ?? 0) > 0);
  });

  void it("knows the level that is left to a single metric", () => {
    // Dealt so that neither is found: the level is that of all deals.
    const one = splitAt([1, 8, 2, 7, 3, 6, 4, 5], 4);
    const other = splitAt([1, 8, 3, 6, 5, 4, 7, 2], 4);
    // 70 deals: one metric reaches 2/70, two unlike ones together in four of them.
    near(jointRankTest([one], random()).levelFor(2 / 70), 2 / 70);
    near(jointRankTest([one, other], random()).levelFor(4 / 70), 2 / 70);
    assert.ok(jointRankTest([one, other], random()).levelFor(3 / 70) < 2 / 70);
    near(jointRankTest([one, one], random()).levelFor(3 / 70), 2 / 70);
    assert.deepEqual(jointRankTest([], random()).adjusted, []);
  });

  void it("leaves the part of what is found to the rest", () => {
    // The first is perfectly apart; what the second is judged at depends on whether the first was found.
    const apart = splitAt([1, 2, 3, 4, 5, 6, 7, 8], 4);
    const mixed = splitAt([1, 8, 2, 7, 3, 6, 4, 5], 4);
    const level = (alpha: number): number => jointRankTest([apart, mixed], random()).levelFor(alpha);
    near(jointRankTest([apart, mixed], random()).adjusted[0], 4 / 70);
    near(level(4 / 70), jointRankTest([mixed], random()).levelFor(4 / 70));
    near(level(4 / 70), 4 / 70);
    // Two that say the same are one: of the deals that they reach alone, not of those that the first reaches, too.
    near(jointRankTest([apart, mixed, mixed], random()).levelFor(0.07), 4 / 70);
    assert.ok(level(3.9 / 70) < 2 / 70);
  });
});
