import assert from "node:assert/strict";
import { test } from "node:test";
import type { Comparison, Verdict } from "../../../../src/compare/comparison.js";
import { type MetricId, metricOf } from "../../../../src/model/metrics/metrics.js";
import { comparisonMarkdown } from "../../../../src/render/comparison/comparison-markdown.js";
import { comparisonTable } from "../../../../src/render/comparison/comparison-table.js";
import { directionsOf, headlines } from "../../../../src/render/comparison/comparison-headline.js";
import { pipe } from "../comparison-examples.js";

const WORSE: Verdict = { kind: "different", direction: "worse" };
const BETTER: Verdict = { kind: "different", direction: "better" };
const NOTHING: Verdict = { kind: "not-shown", neededRuns: null, neededForRatio: null };
const TOO_FEW: Verdict = { kind: "undecided", because: "too-few-runs", neededRuns: 5 };

type Found = readonly [MetricId, Verdict, number, (readonly [number, number])?];

/** A comparison in which these metrics were looked at; the first is the primary one. */
const comparisonOf = (...found: readonly Found[]): Comparison => ({
  ...pipe,
  subjects: ["five", "six"].map((name) => ({ name, runs: 6, leftOut: 0, traced: false })),
  metrics: found.map(([id, verdict, value, [low, high] = [value, value]], index) => ({
    ...metricOf(id),
    id,
    primary: index === 0,
    weight: index === 0 ? 3 : 1,
    subjects: [],
    pairs: [
      {
        base: "five",
        candidate: "six",
        difference: null,
        ratio: { value, interval: { low, high } },
        p: 0.5,
        smallestP: 0.002,
        adjustedP: 0.5,
        threshold: 0.01,
        verdict,
      },
    ],
  })),
});
const said = (...found: readonly Found[]): string => headlines(comparisonOf(...found)).join("\n");

void test("a primary metric that differs speaks for the others", () => {
  assert.equal(
    said(["request-p99", WORSE, 1.244, [1.053, 1.704]]),
    "six is worse than five: request p99 +24.4% (95 % interval +5.3% to +70.4%).",
  );
  assert.equal(
    said(["request-p99", WORSE, 1.244, [1.053, 1.704]], ["request-p50", WORSE, 1.2], ["average-rps", WORSE, 0.8]),
    "six is worse than five: request p99 +24.4% (95 % interval +5.3% to +70.4%), and 2 more.",
  );
});

void test("where it does not, what differs is named, that with the largest sure change first", () => {
  assert.equal(
    said(
      ["request-p99", NOTHING, 1.1],
      ["request-p90", WORSE, 1.42, [1.01, 1.8]],
      ["average-rps", WORSE, 0.834, [0.8, 0.86]],
      ["request-p50", WORSE, 1.199, [1.159, 1.26]],
      ["rps-p50", WORSE, 0.82, [0.7, 0.95]],
    ),
    "six is worse than five: average rps -16.6% (95 % interval -20.0% to -14.0%), request p50 +19.9%, and 2 more; the primary metric, request p99, shows no difference.",
  );
  assert.match(said(["request-p99", TOO_FEW, 1], ["request-p50", BETTER, 0.9]), /p99, is undecided\.$/);
  assert.match(
    said(["request-p99", { kind: "negligible", because: "resolution" }, 1], ["request-p50", BETTER, 0.9]),
    /^six is better than five: request p50 -10\.0%.*; the primary metric, request p99, differs too little to matter\.$/,
  );
});

void test("differences in both directions are told apart", () => {
  const mixed: readonly Found[] = [
    ["wakeup-p99", WORSE, 1.3],
    ["wakeup-p50", WORSE, 1.5],
    ["rps-p50", BETTER, 1.1],
  ];
  assert.equal(
    said(["request-p99", BETTER, 0.8, [0.7, 0.9]], ...mixed),
    "six is better than five: request p99 -20.0% (95 % interval -30.0% to -10.0%), and 1 more; but worse in wakeup p50 +50.0%, wakeup p99 +30.0%.",
  );
  assert.equal(
    said(["request-p99", NOTHING, 0.9], ...mixed),
    "six differs from five: better in rps p50 +10.0%; worse in wakeup p50 +50.0%, wakeup p99 +30.0%; the primary metric, request p99, shows no difference.",
  );
});

void test("where nothing differs, the number of metrics looked at is told", () => {
  assert.equal(
    said(["request-p99", NOTHING, 1], ["request-p50", NOTHING, 1]),
    "No difference shown between six and five in any of 2 metrics.",
  );
  assert.equal(said(["request-p99", NOTHING, 1]), "No difference shown between six and five in request p99.");
  assert.equal(
    said(["request-p99", TOO_FEW, 1], ["request-p50", NOTHING, 1]),
    "Undecided between six and five in request p99: too few runs, needs 5.",
  );
});

void test("the directions of a candidate are those of its differing metrics", () => {
  assert.deepEqual([...directionsOf(comparisonOf(["request-p99", NOTHING, 1], ["rps-p50", WORSE, 0.9]), 1)], ["worse"]);
  assert.equal(directionsOf(comparisonOf(["request-p99", NOTHING, 1]), 1).size, 0);
});

void test("the legend says what p was corrected for, and what counts more", () => {
  const alone = comparisonTable(comparisonOf(["request-p99", NOTHING, 1]), { colour: false });
  assert.match(alone, /\* primary metric \(the default for this mode\); ~/);
  assert.match(alone, /^p: exact rank test over runs\.$/m);
  assert.match(
    comparisonMarkdown(comparisonOf(["request-p99", NOTHING, 1], ["wakeup-p50", NOTHING, 1])),
    /corrected over all metrics; the primary metric, rates and the faster half of requests count 3 times\./,
  );
});
