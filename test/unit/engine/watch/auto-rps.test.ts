import assert from "node:assert/strict";
import test from "node:test";
import { stepAutoRps } from "../../../../src/engine/watch/auto-rps.js";

const TABLE = [
  { what: "far below the target the goal triples", busy: 10, target: 50, from: 100, to: 300, hit: false },
  { what: "an idle machine also triples it", busy: 0, target: 50, from: 10, to: 30, hit: false },
  { what: "between 1.5 and 3 it follows the ratio", busy: 25, target: 50, from: 100, to: 200, hit: false },
  { what: "below 1.5 it goes a quarter of the way", busy: 40, target: 50, from: 1000, to: 1063, hit: false },
  { what: "below 1.2 it goes an eighth, and that is a hit", busy: 45, target: 50, from: 1000, to: 1014, hit: true },
  { what: "exactly on the target it stays, and that is a hit", busy: 50, target: 50, from: 777, to: 777, hit: true },
  {
    what: "slightly above it goes down an eighth of the way, a hit",
    busy: 52,
    target: 50,
    from: 1000,
    to: 966,
    hit: true,
  },
  { what: "between 0.8 and 0.9 it goes three quarters down", busy: 60, target: 50, from: 1000, to: 875, hit: false },
  { what: "between 0.3 and 0.8 it follows the ratio", busy: 100, target: 50, from: 1000, to: 500, hit: false },
  { what: "far above it falls to three tenths", busy: 100, target: 10, from: 1000, to: 300, hit: false },
  { what: "it never falls below 1", busy: 100, target: 10, from: 1, to: 1, hit: false },
  { what: "a goal of 2^31 or more is not taken", busy: 10, target: 50, from: 2 ** 30, to: 2 ** 30, hit: false },
] as const;

for (const { what, busy, target, from, to, hit } of TABLE) {
  test(what, () => {
    assert.deepEqual(stepAutoRps({ goalPerSec: from, targetHit: false }, busy, target), {
      goalPerSec: to,
      targetHit: hit,
    });
  });
}

test("a hit is kept, however far the load wanders off again", () => {
  assert.equal(stepAutoRps({ goalPerSec: 100, targetHit: true }, 5, 50).targetHit, true);
});

test("from every seed the goal stays a whole number of at least 1", () => {
  for (let busy = 0; busy <= 100; busy += 7) {
    let state = { goalPerSec: 3, targetHit: false };
    for (let step = 0; step < 50; step++) state = stepAutoRps(state, busy, 50);
    assert.ok(Number.isInteger(state.goalPerSec) && state.goalPerSec >= 1, `busy ${busy}: ${state.goalPerSec}`);
  }
});
