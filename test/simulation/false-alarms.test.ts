/**
 * The promises of the judging, tested on experiments whose truth is known: how often it cries wolf, how often it sees the
 * wolf. Runs are drawn from a pool without replacement, the first half of them for one side, the rest for the other, so that both sides are
 * the same subject. What is counted is the outcome of the whole comparison: a difference shown in any metric.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CompareOptions, compareSubjects } from "../../src/compare/compare.js";
import type { Comparison } from "../../src/compare/comparison.js";
import { type Random, seededRandom } from "../../src/stats/random.js";
import type { RunResult } from "../../src/model/result/run-result.js";
import { drawn, simulatedPool } from "../unit/experiment/compare-simulated-runs.js";
import { realRuns, slowed } from "../unit/experiment/real-runs.js";

/** By the rank tests alone, which is the less strict half of a verdict. */
const BY_RANKS_ALONE: CompareOptions = { resamples: 0 };
const WITH_INTERVALS: CompareOptions = { resamples: 100 };

const experiment = (base: readonly RunResult[], candidate: readonly RunResult[], options: CompareOptions): Comparison =>
  compareSubjects(
    [
      { name: "base", runs: base },
      { name: "new", runs: candidate },
    ],
    options,
  );

/** In how many of so many experiments a difference is shown. */
const differing = (count: number, one: () => Comparison): number =>
  Array.from({ length: count }, one).filter(({ outcome }) => outcome === "different").length;

const identical = (random: Random, pool: readonly RunResult[], options: CompareOptions) => (): Comparison => {
  const runs = drawn(random, pool, 12);
  return experiment(runs.slice(0, 6), runs.slice(6), options);
};

const apart =
  (random: Random, pool: readonly RunResult[], runs: number, change: (run: RunResult) => RunResult) =>
  (): Comparison => {
    const both = drawn(random, pool, 2 * runs);
    return experiment(both.slice(0, runs), both.slice(runs).map(change), WITH_INTERVALS);
  };

/** What a nominal 5 % allows: its share of the experiments and three standard errors of a binomial. */
const limitOf = (count: number): number => 0.05 * count + 3 * Math.sqrt(count * 0.05 * 0.95);

const withinLimit = (found: number, count: number): void => assert.ok(found <= limitOf(count), `${found} of ${count}`);

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

/** Twelve runs of one subject in six rounds, each in random order, while the machine gets faster or slower in a random walk. */
const drifting = (random: Random, pool: readonly RunResult[]) => (): Comparison => {
  let speed = 1;
  const sides: readonly [RunResult[], RunResult[]] = [[], []];
  drawn(random, pool, 12).forEach((run, index) => {
    speed *= Math.exp(0.03 * normal(random));
    const first = index % 2 === 0 ? random.below(2) : sides[0].length > sides[1].length ? 1 : 0;
    sides[first === 0 ? 0 : 1].push(slowed(run, speed, true));
  });
  return experiment(...sides, BY_RANKS_ALONE);
};

const quiet = realRuns("quiet");
const loaded = realRuns("loaded");

void test("of 2,000 experiments on identical subjects, drawn from real runs, at most the nominal 5 % differ in any metric", (t) => {
  const found = differing(2000, identical(seededRandom(1), quiet, BY_RANKS_ALONE));
  t.diagnostic(`${found} of 2,000 differ`);
  withinLimit(found, 2000);
  // And it is not just asleep.
  assert.ok(found >= 20, `${found} of 2,000`);
});

void test("nor do more differ where the machine is loaded, or loaded at times", (t) => {
  const onLoaded = differing(250, identical(seededRandom(2), loaded, BY_RANKS_ALONE));
  const onBoth = differing(250, identical(seededRandom(3), [...quiet, ...loaded], BY_RANKS_ALONE));
  t.diagnostic(`${onLoaded} and ${onBoth} of 250 differ`);
  withinLimit(onLoaded, 250);
  withinLimit(onBoth, 250);
});

void test("nor where the machine drifts while they run in turn", (t) => {
  const found = differing(250, drifting(seededRandom(4), quiet));
  t.diagnostic(`${found} of 250 differ`);
  withinLimit(found, 250);
});

void test("the intervals, the other half of a verdict, only make it stricter", (t) => {
  const ranks = differing(100, identical(seededRandom(5), quiet, BY_RANKS_ALONE));
  const both = differing(100, identical(seededRandom(5), quiet, WITH_INTERVALS));
  t.diagnostic(`${both} of 100 differ, by the rank tests alone ${ranks}`);
  assert.ok(both <= ranks, `${both} and ${ranks} of 100`);
});

void test("a true 10 % shift of request p99 alone is found in most experiments of 10 runs", (t) => {
  const random = seededRandom(6);
  const plain = simulatedPool(random, 40);
  const slowTail = simulatedPool(random, 40, { requestTail: 1.1 });
  const found = differing(40, () => experiment(drawn(random, plain, 10), drawn(random, slowTail, 10), WITH_INTERVALS));
  t.diagnostic(`${found} of 40 found`);
  assert.ok(found >= 32, `${found} of 40`);
});

const foundOf100 = (factor: number): number =>
  differing(
    100,
    apart(seededRandom(7), quiet, 6, (run) => slowed(run, factor)),
  );

void test("requests that take 20 % longer, as -n 6 against -n 5, are found nearly always with 6 runs, 10 % mostly", (t) => {
  const [ten, twenty] = [foundOf100(1.1), foundOf100(1.2)];
  t.diagnostic(`${ten} and ${twenty} of 100 found`);
  assert.ok(ten >= 50, `${ten} of 100`);
  assert.ok(twenty >= 90, `${twenty} of 100`);
});
