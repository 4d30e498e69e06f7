import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { disagreement, effectInterval, randomEffect } from "../../../../src/stats/blocks/random-effects.js";
import { near } from "./near.js";

/**
 * The thirteen trials of the BCG vaccine (G. Colditz et al. 1994, JAMA 271:698–702): cases and others among the vaccinated, then
 * among the rest. Expected figures: the R package metafor on the same data (`dat.bcg`, log risk ratios).
 */
const TRIALS = [
  [4, 119, 11, 128],
  [6, 300, 29, 274],
  [3, 228, 11, 209],
  [62, 13536, 248, 12619],
  [33, 5036, 47, 5761],
  [180, 1361, 372, 1079],
  [8, 2537, 10, 619],
  [505, 87886, 499, 87892],
  [29, 7470, 45, 7232],
  [17, 1699, 65, 1600],
  [186, 50448, 141, 27197],
  [5, 2493, 3, 2338],
  [27, 16886, 29, 17825],
] as const;

const riskRatios = TRIALS.map(([a, b, c, d]) => ({
  effect: Math.log(a / (a + b) / (c / (c + d))),
  variance: 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d),
}));

const places = fc.array(
  fc.record({
    effect: fc.double({ min: -1, max: 1, noNaN: true }),
    variance: fc.double({ min: 0.001, max: 1, noNaN: true }),
  }),
  { minLength: 2, maxLength: 12 },
);

void describe("the random-effects model", () => {
  void it("finds the disagreement of the BCG trials: Q 152.2330 with 12 degrees, tau² 0.3088, I² 92.12 %", () => {
    const { q, degrees, tauSquared, iSquared, p } = disagreement(riskRatios);
    near(q, 152.233, 5e-4);
    assert.equal(degrees, 12);
    near(tauSquared, 0.3088, 5e-5);
    near(iSquared, 0.9212, 5e-5);
    assert.ok(p < 1e-20);
  });

  void it("gives Hartung and Knapp's interval as metafor does with its tau² of 0.3132: -0.7145 [-1.1084, -0.3206], p 0.0019", () => {
    const found = randomEffect(riskRatios, 0.3132);
    near(found.effect, -0.7145, 5e-5);
    near(found.standardError, 0.1808, 5e-5);
    near(found.p, 0.0019, 5e-5);
    const { low, high } = effectInterval(found, 0.95);
    near(low, -1.1084, 1e-4);
    near(high, -0.3206, 1e-4);
  });

  void it("shifts with the effects, scales with them, and lies between the smallest and the largest", () =>
    fc.assert(
      fc.property(places, fc.double({ min: -2, max: 2, noNaN: true }), (given, shift) => {
        const { tauSquared, q } = disagreement(given);
        const found = randomEffect(given, tauSquared);
        const effects = given.map(({ effect }) => effect);
        assert.ok(found.effect >= Math.min(...effects) - 1e-9 && found.effect <= Math.max(...effects) + 1e-9);
        const moved = given.map(({ effect, variance }) => ({ effect: effect + shift, variance }));
        near(disagreement(moved).q, q, 1e-6 * (1 + q));
        near(randomEffect(moved, tauSquared).effect, found.effect + shift, 1e-6);
        const doubled = given.map(({ effect, variance }) => ({ effect: 2 * effect, variance: 4 * variance }));
        near(disagreement(doubled).tauSquared, 4 * tauSquared, 1e-6 * (1 + tauSquared));
      }),
    ));

  void it("is never surer than the runs of places that agree by chance", () => {
    const agreeing = [0.1, 0.1, 0.1].map((effect) => ({ effect, variance: 0.03 }));
    near(randomEffect(agreeing, 0).standardError, 0.1, 1e-12);
  });
});
