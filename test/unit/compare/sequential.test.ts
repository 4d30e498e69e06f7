import assert from "node:assert/strict";
import { test } from "node:test";
import { lookLevel, spentUpTo } from "../../../src/stats/alpha-spending.js";
import { simulate, untilDecided } from "../../helpers/sequential-runs.js";

void test("the levels of all looks add up to the level of the experiment, and none is negative", () => {
  for (const most of [6, 7, 20, 40, 1000]) {
    const looks = { first: 6, most };
    const levels = Array.from({ length: most - 5 }, (_, index) => lookLevel(0.05, looks, index + 6));
    assert.ok(levels.every((level) => level > 0));
    assert.ok(Math.abs(levels.reduce((sum, level) => sum + level, 0) - 0.05) < 1e-12);
  }
  assert.equal(spentUpTo(0.05, 0), 0);
  assert.equal(spentUpTo(0.05, 1), 0.05);
});

void test("looking after every round of identical subjects calls them different in at most 5 % of experiments", () => {
  const experiments = 200;
  const { different } = simulate(experiments, 1, 16, 60);
  // Three binomial standard errors above 5 %; tests at 5 % after each of 11 rounds would give more than 20 %.
  assert.ok(different <= experiments * 0.05 + 3 * Math.sqrt(experiments * 0.05 * 0.95), `${different}`);
});

void test("a large difference is decided at the first looks, at the level of that look", () => {
  const { look, comparison } = untilDecided(1, 1.5, 40, 400);
  assert.deepEqual(look.decisions, ["different"]);
  assert.ok(look.runs <= 10, `${look.runs} runs`);
  assert.equal(comparison.confidence, 1 - look.level);
});
