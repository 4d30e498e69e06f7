import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { median as simpleMedian } from "simple-statistics";
import { expandedTail } from "../../../../src/stats/intervals/bootstrap.js";
import {
  type DiscreteDistribution,
  medianDistribution,
  medianInterval,
  ratioInterval,
} from "../../../../src/stats/intervals/median-bootstrap.js";
import { seededRandom } from "../../../../src/stats/random.js";

/** Survival of treated mice in days: Efron and Tibshirani 1993, An Introduction to the Bootstrap, table 2.1. */
const MICE = [94, 197, 16, 38, 99, 141, 23];

const near = (actual: number, expected: number, tolerance = 1e-12): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

/** The reference: every one of the nⁿ drawings, one by one. */
const everyDrawing = (values: readonly number[]): ReadonlyMap<number, number> => {
  const n = values.length;
  const found = new Map<number, number>();
  for (let drawing = 0; drawing < n ** n; drawing++) {
    const drawn = values.map((_, place) => values[Math.floor(drawing / n ** place) % n] ?? Number.NaN);
    const middle = simpleMedian(drawn);
    found.set(middle, (found.get(middle) ?? 0) + n ** -n);
  }
  return found;
};
const asMap = ({ values, probabilities }: DiscreteDistribution): ReadonlyMap<number, number> =>
  new Map([...values].map((value, index) => [value, probabilities[index] ?? Number.NaN]));
const total = ({ probabilities }: DiscreteDistribution): number => probabilities.reduce((sum, p) => sum + p, 0);
const moment = ({ values, probabilities }: DiscreteDistribution, power: number): number =>
  values.reduce((sum, value, index) => sum + value ** power * (probabilities[index] ?? Number.NaN), 0);

const sample = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 });
const runs = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 7 });

/** The definition, over all pairs of medians: where does the sum of probabilities pass a share? */
const ratioQuantile = (above: DiscreteDistribution, below: DiscreteDistribution, share: number): number => {
  const pairs = [...asMap(above)].flatMap(([a, p]) =>
    [...asMap(below)].map(([b, q]) => ({ ratio: a === 0 && b === 0 ? 1 : a / b, p: p * q })),
  );
  let sum = 0;
  for (const { ratio, p } of pairs.toSorted((a, b) => (a.ratio === b.ratio ? 0 : a.ratio - b.ratio))) {
    sum += p;
    if (sum > 0 && sum >= share - 1e-12) return ratio;
  }
  return Infinity;
};

void describe("the exact bootstrap of a median", () => {
  void it("is normal for tens of thousands of values, and all of it is there", () => {
    // Values 1 … n: the median is about their middle, with a standard deviation of half their square root.
    for (const n of [20_000, 20_001]) {
      const medians = medianDistribution(Array.from({ length: n }, (_, index) => index + 1));
      near(total(medians), 1, 1e-9);
      near(moment(medians, 1), (n + 1) / 2, 0.01);
      near(Math.sqrt(moment(medians, 2) - moment(medians, 1) ** 2) / (Math.sqrt(n) / 2), 1, 0.001);
      const { low, high } = medianInterval(medians, 0.95, n);
      near((high - low) / (2 * 1.96 * (Math.sqrt(n) / 2)), 1, 0.01);
    }
  });

  void it("is what every possible drawing gives, for odd and even numbers of values, ties included", () => {
    fc.assert(
      fc.property(sample, (values) => {
        const [exact, drawn] = [asMap(medianDistribution(values)), everyDrawing(values)];
        for (const value of new Set([...exact.keys(), ...drawn.keys()]))
          near(exact.get(value) ?? 0, drawn.get(value) ?? 0);
      }),
      { numRuns: 60 },
    );
    const six = [3, 1, 4, 1, 5, 9];
    const [exact, drawn] = [asMap(medianDistribution(six)), everyDrawing(six)];
    for (const [value, p] of drawn) near(exact.get(value) ?? 0, p);
  });

  void it("has the standard error that Efron and Tibshirani print for the mouse data (table 2.1: 37.83)", () => {
    const medians = medianDistribution(MICE);
    near(Math.sqrt(moment(medians, 2) - moment(medians, 1) ** 2), 37.83, 0.01);
  });

  void it("loses nothing with hundreds of values, and stays symmetric for symmetric ones", () => {
    for (const n of [60, 61, 400, 401]) {
      const medians = medianDistribution(Array.from({ length: n }, (_, index) => index - (n - 1) / 2));
      near(total(medians), 1, 1e-9);
      near(moment(medians, 1), 0, 1e-6);
    }
  });

  void it("has an interval between two of the values, and no width for equal ones", () => {
    fc.assert(
      fc.property(runs, (values) => {
        const { low, high } = medianInterval(medianDistribution(values), 0.95, values.length);
        assert.ok(low >= Math.min(...values) && low <= simpleMedian(values));
        assert.ok(high <= Math.max(...values) && high >= simpleMedian(values));
      }),
    );
    assert.deepEqual(medianInterval(medianDistribution([4, 4, 4, 4]), 0.95, 4), { low: 4, high: 4 });
  });

  void it("covers the true median of skewed samples of six about as often as it promises", () => {
    const random = seededRandom(5);
    const experiments = 1000;
    let covered = 0;
    for (let i = 0; i < experiments; i++) {
      // Exponential: median ln 2.
      const values = Array.from({ length: 6 }, () => -Math.log(1 - random.uniform()));
      const { low, high } = medianInterval(medianDistribution(values), 0.95, 6);
      if (low <= Math.LN2 && Math.LN2 <= high) covered++;
    }
    // The widest interval that six values can give, from smallest to largest, covers 96.9 %.
    assert.ok(covered >= 0.925 * experiments && covered <= 0.985 * experiments, `${covered} of ${experiments}`);
  });
});

void describe("the exact interval of a ratio of medians", () => {
  void it("is where the probabilities of all pairs of medians pass the tails, also where a divisor is 0", () => {
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        const [above, below] = [medianDistribution(a), medianDistribution(b)];
        const n = Math.min(a.length, b.length);
        const tail = expandedTail(0.95, n);
        const { low, high } = ratioInterval(above, below, 0.95, n);
        assert.equal(low, ratioQuantile(above, below, tail));
        assert.equal(high, ratioQuantile(above, below, 1 - tail));
      }),
    );
  });

  void it("knows no upper end where the divisor is 0 often enough: six runs of 0 among twenty", () => {
    const base = medianDistribution([...Array.from({ length: 6 }, () => 0), ...Array.from({ length: 14 }, () => 10)]);
    const candidate = medianDistribution(Array.from({ length: 20 }, () => 1));
    assert.deepEqual(ratioInterval(candidate, base, 0.95, 20), { low: 0.1, high: Infinity });
    const zeros = medianDistribution([0, 0, 0]);
    assert.deepEqual(ratioInterval(candidate, zeros, 0.95, 3), { low: Infinity, high: Infinity });
    assert.deepEqual(ratioInterval(zeros, zeros, 0.95, 3), { low: 1, high: 1 });
    assert.deepEqual(ratioInterval(zeros, candidate, 0.95, 3), { low: 0, high: 0 });
  });
});
