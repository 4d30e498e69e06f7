import assert from "node:assert/strict";
import { test } from "node:test";
import { lookLevel, spentUpTo } from "../../../src/stats/significance/alpha-spending.js";
import { lookAt, looksUpTo } from "../../../src/compare/sequential.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";
import { untilDecided } from "../../helpers/fakes/sequential-runs.js";

void test("the levels of all looks add up to the level of the experiment, and none is negative", () => {
  for (const most of [6, 7, 20, 40, 1000]) {
    const looks = { first: 6, most };
    const levels = Array.from({ length: most - 5 }, (_, index) => lookLevel(0.05, looks, index + 6));
    assert.ok(levels.every((level) => level > 0));
    assert.ok(Math.abs(levels.reduce((sum, level) => sum + level, 0) - 0.05) < 1e-12);
  }
  assert.equal(spentUpTo(0.05, 0), 0);
  assert.equal(spentUpTo(0.05, 1), 0.05);
  assert.equal(spentUpTo(0.05, 1.5), 0.05, "more runs than planned spend no more");
});

/** One look at two subjects by request p50, their runs given by it. */
const looked = (base: readonly number[], candidate: readonly number[], noiseThreshold: number | undefined) =>
  lookAt(
    [
      { name: "a", runs: base.map((usec) => fakeResult({ requestUsec: [usec] })) },
      { name: "b", runs: candidate.map((usec) => fakeResult({ requestUsec: [usec] })) },
    ],
    looksUpTo(40),
    { primaryMetric: "request-p50", metrics: [], ...(noiseThreshold === undefined ? {} : { noiseThreshold }) },
  ).look;

void test("no difference that matters is a decision, too: shown to be small, or with its whole interval within the threshold", () => {
  const steady = Array<number>(12).fill(10_000);
  assert.deepEqual(looked(steady, steady, undefined).decisions, ["equivalent"]);
  const shifted = steady.map((usec, run) => usec + 2000 + 50 * run);
  assert.deepEqual(looked(steady, shifted, 0.5).decisions, ["equivalent"], "seen, and negligible");
  assert.deepEqual(looked(steady, shifted, 0.05).decisions, ["different"]);
  // Down to a third is no farther than up to three times, but farther than up to twice; three runs show nothing.
  const third = [3400, 3400, 3400];
  assert.deepEqual(looked(steady.slice(0, 3), third, 2).decisions, ["equivalent"]);
  assert.deepEqual(looked(steady.slice(0, 3), third, 1).decisions, ["undecided"]);
  assert.equal(looked(steady.slice(0, 3), third, 1).isDecided, false);
});

void test("a look is at as many runs as the subject with the fewest has", () => {
  const steady = Array<number>(9).fill(10_000);
  const { runs, level } = looked(steady, steady.slice(2), undefined);
  assert.equal(runs, 7);
  assert.ok(Math.abs(level / lookLevel(0.05, looksUpTo(40), 7) - 1) < 1e-9, `${level}`);
});

void test("an experiment of fewer runs than recommended is looked at once, at its end, with all of the level", () => {
  assert.deepEqual(looksUpTo(4), { first: 4, most: 4 });
  assert.deepEqual(looksUpTo(40), { first: 6, most: 40 });
  assert.equal(lookLevel(0.05, looksUpTo(4), 4), 0.05);
});

void test("a large difference is decided at the first looks, at the level of that look", () => {
  const { look, comparison } = untilDecided(1, 1.5, 40, 400);
  assert.deepEqual(look.decisions, ["different"]);
  assert.ok(look.runs <= 10, `${look.runs} runs`);
  assert.equal(comparison.confidence, 1 - look.level);
});
