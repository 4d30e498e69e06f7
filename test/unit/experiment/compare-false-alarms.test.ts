/** The promises of the judging, tested on simulated experiments: how often it cries wolf, how often it sees the wolf. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CompareOptions, compareSubjects } from "../../../src/experiment/compare.js";
import type { Comparison, MetricComparison } from "../../../src/experiment/comparison.js";
import { seededRandom } from "../../../src/stats/random.js";
import type { RunResult } from "../../../src/report/run-result.js";
import { drawn, simulatedPool } from "./compare-simulated-runs.js";

const random = seededRandom(20_261_130);
const plain = simulatedPool(random, 200);
const slowTail = simulatedPool(random, 100, { requestTail: 1.1 });
const moreWork = simulatedPool(random, 100, { requests: 1.2 });

/** By the primary metric alone, with few resamples: quick. */
const PRIMARY_ONLY: CompareOptions = { metrics: [], resamples: 200 };
/** All metrics by the rank test alone, which is the less strict half of a verdict. */
const BY_RANKS_ALONE: CompareOptions = { resamples: 0 };

const experiment = (base: readonly RunResult[], candidate: readonly RunResult[], options: CompareOptions): Comparison =>
  compareSubjects(
    [
      { name: "base", runs: base },
      { name: "new", runs: candidate },
    ],
    options,
  );

const identical = (count: number, options: CompareOptions): readonly Comparison[] =>
  Array.from({ length: count }, () => {
    const runs = drawn(random, plain, 12);
    return experiment(runs.slice(0, 6), runs.slice(6), options);
  });

const different = (count: number, runs: number, candidates: readonly RunResult[]): readonly Comparison[] =>
  Array.from({ length: count }, () =>
    experiment(drawn(random, plain, runs), drawn(random, candidates, runs), PRIMARY_ONLY),
  );

/** What a nominal 5 % allows: its share of the experiments and three standard errors of a binomial. */
const limitOf = (count: number): number => 0.05 * count + 3 * Math.sqrt(count * 0.05 * 0.95);

const differs = (metric: MetricComparison): boolean => metric.pairs.some(({ verdict }) => verdict.kind === "different");

void test("of 2,000 experiments on identical subjects at most the nominal 5 % differ", () => {
  const all = identical(2000, PRIMARY_ONLY);
  const differing = all.filter((comparison) => comparison.outcome === "different").length;
  assert.ok(differing <= limitOf(2000), `${differing} of 2,000 differ`);
  const byRanks = all.filter(({ metrics }) => metrics.some(({ pairs }) => (pairs[0]?.p ?? 1) <= 0.05)).length;
  assert.ok(byRanks <= limitOf(2000), `${byRanks} of 2,000 differ by the rank test alone`);
  // And it is not just asleep: the exact level of the rank test with six runs a side is 4.1 %, more with ties.
  assert.ok(byRanks >= 41, `${byRanks} of 2,000 differ by the rank test alone`);
});

void test("of all the other metrics together at most the nominal 5 % differ", () => {
  const differing = identical(500, BY_RANKS_ALONE).filter(({ metrics }) =>
    metrics.some((metric) => !metric.primary && differs(metric)),
  ).length;
  assert.ok(differing <= limitOf(500), `${differing} of 500 differ`);
});

void test("a true 10 % shift of request p99 is found in most experiments of 10 runs", () => {
  const found = different(200, 10, slowTail).filter((comparison) => comparison.metrics.some(differs)).length;
  assert.ok(found >= 160, `${found} of 200 found`);
});

void test("a shift of 20 % of the work, such as -n 6 against -n 5, is found practically always with 6 runs", () => {
  const found = different(200, 6, moreWork).filter((comparison) => comparison.outcome === "different").length;
  assert.ok(found >= 190, `${found} of 200 found`);
});
