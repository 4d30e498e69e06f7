/** The promises of the judging, tested on simulated experiments: how often it cries wolf, how often it sees the wolf. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareSubjects } from "../../../src/experiment/compare.js";
import type { Comparison } from "../../../src/experiment/comparison.js";
import { seededRandom } from "../../../src/stats/random.js";
import type { RunResult } from "../../../src/report/run-result.js";
import { drawn, simulatedPool } from "./compare-simulated-runs.js";

const random = seededRandom(20_261_130);
const plain = simulatedPool(random, 200);
const slowTail = simulatedPool(random, 100, { requestTail: 1.1 });
const moreWork = simulatedPool(random, 100, { requests: 1.2 });

const experiment = (base: readonly RunResult[], candidate: readonly RunResult[]): Comparison =>
  compareSubjects(
    [
      { name: "base", runs: base },
      { name: "new", runs: candidate },
    ],
    // Verdicts do not rest on the intervals; without them this is quick.
    { resamples: 0 },
  );

const experiments = (
  count: number,
  runs: number,
  base: readonly RunResult[],
  candidate: readonly RunResult[],
): Comparison[] =>
  Array.from({ length: count }, () => experiment(drawn(random, base, runs), drawn(random, candidate, runs)));

const someOtherDiffers = (comparison: Comparison): boolean =>
  comparison.metrics.some(
    (metric) => !metric.primary && metric.pairs.some((pair) => pair.verdict.kind === "different"),
  );

const significant = (comparison: Comparison): boolean =>
  comparison.metrics.some((metric) => metric.primary && metric.pairs.some((pair) => (pair.adjustedP ?? 1) <= 0.05));

void test("of 2,000 experiments on identical subjects at most the nominal 5 % differ", () => {
  const all = Array.from({ length: 2000 }, () => {
    const runs = drawn(random, plain, 12);
    return experiment(runs.slice(0, 6), runs.slice(6));
  });
  // 5 % of 2,000 is 100; three standard errors of a binomial with p = 0.05 are 3·√(2000·0.05·0.95) = 29.
  const limit = 100 + 29;
  const differing = all.filter((comparison) => comparison.outcome === "different").length;
  const others = all.filter(someOtherDiffers).length;
  const bySignificance = all.filter(significant).length;
  assert.ok(differing <= limit, `${differing} of 2,000 differ by the primary metric`);
  assert.ok(others <= limit, `${others} of 2,000 differ in some other metric`);
  assert.ok(bySignificance <= limit, `${bySignificance} of 2,000 are significant`);
  // The test is not just asleep: the exact level with six runs is 4.1 %.
  assert.ok(bySignificance >= 41, `${bySignificance} of 2,000 are significant`);
});

void test("a true 10 % shift of request p99 is found in most experiments of 10 runs", () => {
  const found = experiments(200, 10, plain, slowTail).filter((comparison) =>
    comparison.metrics.some(
      (metric) =>
        metric.id === "request-p99" &&
        metric.pairs.some(({ verdict }) => verdict.kind === "different" && verdict.direction === "worse"),
    ),
  ).length;
  assert.ok(found >= 160, `${found} of 200 found`);
});

void test("a shift of 20 % of the work, such as -n 6 against -n 5, is found practically always with 6 runs", () => {
  const found = experiments(200, 6, plain, moreWork).filter((comparison) => comparison.outcome === "different").length;
  assert.ok(found >= 196, `${found} of 200 found`);
});
