import assert from "node:assert/strict";
import { test } from "node:test";
import { simulate } from "../helpers/fakes/sequential-runs.js";

void test("looking after every round of identical subjects calls them different in at most 5 % of experiments", () => {
  const experiments = 200;
  const { different } = simulate(experiments, 1, 16, 60);
  // Three binomial standard errors above 5 %; tests at 5 % after each of 11 rounds would give more than 20 %.
  assert.ok(different <= experiments * 0.05 + 3 * Math.sqrt(experiments * 0.05 * 0.95), `${different}`);
});
