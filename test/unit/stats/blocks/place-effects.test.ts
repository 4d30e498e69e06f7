import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { disagreementP, type LogSides, placeEffects } from "../../../../src/stats/blocks/place-effects.js";
import { disagreement } from "../../../../src/stats/blocks/random-effects.js";
import { bootstrap } from "../../../../src/stats/intervals/bootstrap.js";
import { type Random, seededRandom } from "../../../../src/stats/random.js";
import { median, standardDeviation } from "../../../../src/stats/sample.js";
import { at } from "../../../../src/at.js";
import { near } from "./near.js";

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

/** Machines with six runs a side; each has an effect of its own. */
const machines = (random: Random, effects: readonly number[]): readonly LogSides[] =>
  effects.map((effect) => ({
    x: Array.from({ length: 6 }, () => 0.05 * normal(random)),
    y: Array.from({ length: 6 }, () => effect + 0.05 * normal(random)),
    steps: 0,
  }));

void describe("the effects of several machines", () => {
  void it("have the variance of their medians' bootstrap, widened by n / (n - 1)", () => {
    for (const n of [5, 6]) {
      const random = seededRandom(n);
      const x = Array.from({ length: n }, () => normal(random));
      const drawn = bootstrap(n, 40_000, random, (indices) => median(Array.from(indices, (index) => at(x, index))));
      const [place] = placeEffects([{ x, y: x, steps: 0 }]);
      const expected = 2 * standardDeviation(drawn) ** 2 * (n / (n - 1));
      near((place?.variance ?? 0) / expected, 1, 0.04);
    }
  });

  void it("take the scatter of the others where a machine has one run a side", () => {
    const [lonely] = placeEffects([
      { x: [1], y: [2], steps: 0 },
      { x: [0, 2], y: [5, 7], steps: 0 },
    ]);
    near(lonely?.effect, 1, 1e-12);
    near(lonely?.variance, 4, 1e-9);
  });

  void it("disagree by chance as often as the p of a test should: at most 5 % and three standard errors at p <= 0.05", (t) => {
    const random = seededRandom(1);
    const count = 400;
    const found = Array.from({ length: count }, () =>
      disagreementP(machines(random, Array(6).fill(0.1)), random),
    ).filter(({ p }) => p <= 0.05).length;
    t.diagnostic(`${found} of ${count}`);
    assert.ok(found <= 0.05 * count + 3 * Math.sqrt(count * 0.05 * 0.95), `${found}`);
    assert.ok(found >= 5, `${found}`);
  });

  void it("are seen to disagree where one of eight goes the other way", () => {
    const random = seededRandom(2);
    const seen = machines(random, [0.1, 0.1, 0.1, -0.15, 0.1, 0.1, 0.1, 0.1]);
    assert.equal(disagreementP(seen, random).p, 0.001);
    assert.ok(disagreement(placeEffects(seen)).tauSquared > 0);
  });

  void it("are held to chi-square where there are many runs", () => {
    const random = seededRandom(3);
    const many = Array.from({ length: 3 }, () => ({
      x: Array.from({ length: 400 }, () => normal(random)),
      y: Array.from({ length: 400 }, () => normal(random)),
      steps: 0,
    }));
    assert.equal(disagreementP(many, random).method, "chi-square");
  });
});
