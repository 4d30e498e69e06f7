import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { normalCdf } from "../../../../src/stats/distributions.js";
import {
  type GridCell,
  gridRankTest,
  vanElteren as vanElterenTest,
} from "../../../../src/stats/significance/grid-permutation.js";
import { jointRankTest } from "../../../../src/stats/significance/joint-permutation.js";
import { type Random, seededRandom } from "../../../../src/stats/random.js";
import { at } from "../../../../src/at.js";
import { doubledRanks, rankTest } from "../../../../src/stats/significance/rank-test.js";

const near = (actual: number | undefined, expected: number, tolerance: number): void =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);

const cellOf = (x: readonly (number | null)[], y: readonly (number | null)[], weight = 1): GridCell => ({
  x: x.length,
  total: x.length + y.length,
  metrics: [{ weight, x, y }],
});

/** All choices of `n` of `total` places. */
const choices = (total: number, n: number): readonly (readonly number[])[] => {
  if (n === 0) return [[]];
  return Array.from({ length: total - n + 1 }, (_, first) =>
    choices(total - first - 1, n - 1).map((rest) => [first, ...rest.map((place) => place + first + 1)]),
  ).flat();
};

/** The second implementation of the stratified test: every deal of two cells, van Elteren's sum from plain mid-ranks. */
const vanElteren = (cells: readonly (readonly [readonly number[], readonly number[]])[]): number => {
  const strata = cells.map(([x, y]) => {
    const ranks = doubledRanks([...x, ...y]).map((rank) => rank / 2);
    const total = ranks.length;
    const mean = (total + 1) / 2;
    const squares = ranks.reduce((sum, rank) => sum + (rank - mean) ** 2, 0);
    const variance = (x.length * y.length * squares) / (total * (total - 1)) / (total + 1) ** 2;
    const excess = (places: readonly number[]): number =>
      places.reduce((sum, place) => sum + (ranks[place] ?? Number.NaN) - mean, 0) / (total + 1);
    return { deals: choices(total, x.length).map(excess), variance };
  });
  const deviation = Math.sqrt(strata.reduce((sum, { variance }) => sum + variance, 0));
  let sums = [0];
  for (const { deals } of strata) sums = sums.flatMap((sum) => deals.map((deal) => sum + deal));
  const p = (sum: number): number => 2 * normalCdf(-Math.abs(sum) / deviation);
  const seen = p(sums[0] ?? Number.NaN);
  return sums.filter((sum) => p(sum) <= seen * (1 + 1e-9)).length / sums.length;
};

/** A block of values 0, 1, 2 …, given how often each was found on either side. */
const counted = (...sides: readonly [readonly number[], readonly number[]]) => {
  const [x, y] = sides.map((counts) => counts.flatMap((count, value) => Array<number>(count).fill(value)));
  return { weight: 1, x: x ?? [], y: y ?? [] };
};

/** Normal enough. */
const gauss = (random: Random): number => Array.from({ length: 12 }, random.uniform).reduce((sum, u) => sum + u, -6);

void describe("the rank tests of a grid", () => {
  void it("agrees with the joint test where there is one cell", () => {
    const random = seededRandom(3);
    const metrics = [0, 1, 3].map((shift) => ({
      weight: shift === 1 ? 3 : 1,
      x: Array.from({ length: 6 }, () => gauss(random)),
      y: Array.from({ length: 6 }, () => gauss(random) + shift),
    }));
    const joint = jointRankTest(metrics, seededRandom(1));
    const grid = gridRankTest([{ x: 6, total: 12, metrics }], [], seededRandom(1));
    joint.adjusted.forEach((p, metric) => near(grid.cells[0]?.[metric], p, 0.01));
  });

  void it("judges a metric over all cells as an enumeration of van Elteren's sum does", () => {
    const strata = [
      [
        [1, 2, 3, 9],
        [4, 5, 6, 7],
      ],
      [
        [10, 10, 12],
        [11, 13, 14, 15],
      ],
    ] as const;
    const { overall } = gridRankTest(
      strata.map(([x, y]) => cellOf(x, y)),
      [{ weight: 1, places: [0, 0] }],
      seededRandom(1),
    );
    near(overall[0]?.p, vanElteren(strata), 0.01);
  });

  void it("weighs a cell by its runs and one more: a small cell has less of a say than its runs alone would give it", () => {
    const strata = [
      [[2], [1]],
      [
        [5, 6, 2, 1],
        [8, 7, 3, 4],
      ],
    ] as const;
    const { overall } = gridRankTest(
      strata.map(([x, y]) => cellOf(x, y)),
      [{ weight: 1, places: [0, 0] }],
      seededRandom(1),
    );
    // By 1 / runs it would be 0.729.
    near(vanElteren(strata), 43 / 70, 1e-9);
    near(overall[0]?.p, 43 / 70, 0.01);
  });

  void it("corrects no metric less than one that looks more remarkable", () => {
    const random = seededRandom(4);
    const values = (): readonly number[] => Array.from({ length: 4 }, () => random.below(4));
    for (let experiment = 0; experiment < 60; experiment++) {
      const metrics = Array.from({ length: 5 }, () => ({ weight: 1 + random.below(4), x: values(), y: values() }));
      const { cells } = gridRankTest([{ x: 4, total: 8, metrics }], [], random, 300);
      const judged = metrics
        .map(({ x, y, weight }, metric) => ({ p: rankTest(x, y).p / weight, adjusted: at(at(cells, 0), metric) }))
        .toSorted((a, b) => a.p - b.p);
      judged.forEach(({ p, adjusted }, place) => {
        const next = judged[place + 1];
        // Equal on paper may differ by a rounding, and stands in either order then.
        if (next !== undefined && next.p > p * (1 + 1e-6)) assert.ok(adjusted <= next.adjusted);
      });
    }
  });

  void it("hears nothing from a cell in which one run has the metric", () => {
    const cells = [cellOf([1, 2, 3], [4, 5, 6]), cellOf([null, 9], [null, null])];
    const both = gridRankTest(cells, [{ weight: 1, places: [0, 0] }], seededRandom(1), 2000);
    assert.equal(both.cells[1]?.[0], 1);
    near(both.overall[0]?.p, 0.1, 0.02);
  });

  void it("finds over all cells what no cell shows by itself", () => {
    const random = seededRandom(5);
    const cells = Array.from({ length: 8 }, () =>
      cellOf(
        Array.from({ length: 6 }, () => gauss(random)),
        Array.from({ length: 6 }, () => gauss(random) + 1),
      ),
    );
    const test = gridRankTest(cells, [{ weight: 1, places: cells.map(() => 0) }], seededRandom(1));
    assert.ok(test.cells.flat().every((p) => p > 0.05));
    assert.ok((test.overall[0]?.adjusted ?? 1) <= 0.05);
  });

  void it("deals runs within their cell: cells that differ from each other are no difference", () => {
    const cells = [0, 100, 10_000].map((level) =>
      cellOf(
        [1, 2, 3, 4].map((v) => v + level),
        [1, 2, 3, 4].map((v) => v + level),
      ),
    );
    const { overall } = gridRankTest(cells, [{ weight: 1, places: [0, 0, 0] }], seededRandom(1), 1000);
    assert.equal(overall[0]?.p, 1);
  });

  void it("counts what was seen as a deal, so that no p is 0", () => {
    const low = Array.from({ length: 12 }, (_, index) => index);
    const high = low.map((value) => value + 100);
    const { cells, overall } = gridRankTest([cellOf(low, high)], [{ weight: 1, places: [0] }], seededRandom(1), 50);
    assert.deepEqual([cells, overall], [[[1 / 50]], [{ p: 1 / 50, adjusted: 1 / 50 }]]);
  });

  void it("leaves missing values with their runs, and cells without the metric out", () => {
    const cells = [cellOf([1, null, 2, 3], [4, 5, null, 6]), { x: 3, total: 6, metrics: [] }];
    const test = gridRankTest(cells, [{ weight: 1, places: [0, -1] }], seededRandom(1), 2000);
    assert.deepEqual(test.cells[1], []);
    assert.ok((test.overall[0]?.p ?? 0) > 0.05);
  });

  void it("leaves the part of what is found to the rest", () => {
    const apart = { weight: 1, x: [1, 2, 3, 4], y: [5, 6, 7, 8] };
    const mixed = { weight: 1, x: [1, 8, 2, 7], y: [3, 6, 4, 5] };
    const inOne = (weight: number) =>
      gridRankTest([{ x: 4, total: 8, metrics: [apart, { ...mixed, weight }] }], [], seededRandom(1));
    near(inOne(1).cells[0]?.[0], 4 / 70, 0.005);
    // Found at 7 %, the first leaves all 7 % to the second.
    near(inOne(1).levelFor(0.07), 0.07, 1e-9);
    // Not found at 5 %: two unlike ones reach 2/70 in four of 70 deals, so that only Bonferroni's half is left.
    near(inOne(1).levelFor(0.05), 0.025, 1e-9);
    // A metric of weight 3 has its ps divided by it, the level is for weight 1.
    near(inOne(3).levelFor(0.09), 0.09 / 3, 1e-9);
    // The same over cells, and where everything is found.
    const twoCells = gridRankTest(
      [apart, mixed].map(({ x, y }) => cellOf(x, y)),
      [],
      seededRandom(1),
    );
    near(twoCells.levelFor(0.07), 0.07, 1e-9);
    near(gridRankTest([cellOf(apart.x, apart.y, 2)], [], seededRandom(1)).levelFor(0.07), 0.035, 1e-9);
    // Two that say the same are one: of the deals that they reach alone, not of those that the first reaches, too.
    const metrics = [apart, mixed, mixed];
    near(gridRankTest([{ x: 4, total: 8, metrics }], [], seededRandom(1)).levelFor(0.07), 4 / 70, 1e-9);
    assert.equal(gridRankTest([], [], seededRandom(1)).levelFor(0.05), 0.05);
  });

  void it("knows the level that the joint test knows, whatever is found", () => {
    const random = seededRandom(8);
    const metrics = [0, 0.5, 2, 3].map((shift, index) => ({
      weight: index + 1,
      x: Array.from({ length: 5 }, () => gauss(random)),
      y: Array.from({ length: 5 }, () => gauss(random) + shift),
    }));
    const joint = jointRankTest(metrics, seededRandom(1));
    const grid = gridRankTest([{ x: 5, total: 10, metrics }], [], seededRandom(1));
    // Between the ps that 252 deals can have, where 20,000 of them drawn agree.
    for (const alpha of [0.03, 0.045, 0.06, 0.1, 0.2]) near(grid.levelFor(alpha), joint.levelFor(alpha), 0.01);
  });

  void it("is wrong anywhere in a grid of identical sides in at most 5 % of experiments", () => {
    const experiments = 200;
    let wrong = 0;
    for (let experiment = 0; experiment < experiments; experiment++) {
      const random = seededRandom(experiment);
      const values = (): readonly number[] => Array.from({ length: 6 }, () => Math.round(gauss(random) * 4));
      const cells = Array.from({ length: 6 }, (): GridCell => ({
        x: 6,
        total: 12,
        metrics: [1, 3].map((weight) => ({ weight, x: values(), y: values() })),
      }));
      const overall = [1, 3].map((weight, metric) => ({ weight, places: cells.map(() => metric) }));
      const test = gridRankTest(cells, overall, random, 999);
      if (Math.min(...test.cells.flat(), ...test.overall.map(({ adjusted }) => adjusted)) <= 0.05) wrong++;
    }
    // Three binomial standard errors above 5 %; each cell by itself at 5 % would give more than 40 %.
    assert.ok(wrong <= experiments * 0.05 + 3 * Math.sqrt(experiments * 0.05 * 0.95), `${wrong} of ${experiments}`);
  });

  void it("agrees with the published van Elteren test of the arthritis trial, in two blocks: chi-square 15.004, p 0.0001", () => {
    // G. Koch, S. Edwards 1988: improvement none, some, marked under treatment and placebo, for women and men; the figure is SAS's
    // for modified ridit scores (M. Stokes, C. Davis, G. Koch, "Categorical Data Analysis Using the SAS System").
    const { chiSquare, p } = vanElterenTest([counted([6, 5, 16], [19, 7, 6]), counted([7, 2, 5], [10, 0, 1])]);
    near(chiSquare, 15.004, 5e-4);
    near(p, 0.0001, 5e-5);
  });

  void it("leaves cells out of the family that count in a test over several cells only", () => {
    const random = seededRandom(4);
    const cells = Array.from({ length: 3 }, (_, index) => ({
      ...cellOf(
        Array.from({ length: 4 }, () => gauss(random)),
        Array.from({ length: 4 }, () => gauss(random) + 4),
      ),
      isTested: index === 2,
    }));
    const test = gridRankTest(cells, [{ weight: 1, places: [0, 0, -1] }], seededRandom(1));
    assert.deepEqual(
      test.cells.map((ps) => ps.length),
      [0, 0, 1],
    );
    // The one test over two cells sees what 4 against 4 alone cannot: 2 of 70 deals of one cell, 2 of 70² of two.
    near(test.overall[0]?.p, 2 / 70 ** 2, 4e-4);
    near(test.cells[2]?.[0], 2 / 70, 0.01);
  });
});
