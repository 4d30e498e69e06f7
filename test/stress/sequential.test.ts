import assert from "node:assert/strict";
import { test } from "node:test";
import { simulate } from "../helpers/fakes/sequential-runs.js";

const EXPERIMENTS = 2000;

void test("of 2,000 experiments on identical subjects, looked at after every round, at most 5 % call them different", (t) => {
  const { different, decided, meanRuns } = simulate(EXPERIMENTS, 1, 40, 400);
  t.diagnostic(`different ${different}, decided ${decided}, ${meanRuns.toFixed(1)} runs of each on average`);
  assert.ok(different <= EXPERIMENTS * 0.05);
});

void test("of 2,000 experiments on a subject that takes 20 % longer nearly all are decided early", (t) => {
  const { different, meanRuns } = simulate(EXPERIMENTS, 1.2, 40, 400);
  t.diagnostic(`different ${different}, ${meanRuns.toFixed(1)} runs of each on average`);
  assert.ok(different >= EXPERIMENTS * 0.95);
});
