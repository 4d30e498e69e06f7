import assert from "node:assert/strict";
import { test } from "node:test";
import type { Comparison, Verdict } from "../../../src/compare/comparison.js";
import { type GateOptions, type GateStatus, judgeGate } from "../../../src/compare/gate.js";
import { METRICS, type MetricId } from "../../../src/model/metrics/metrics.js";

interface Row {
  readonly id: MetricId;
  readonly low: number | null;
  readonly high: number;
  readonly verdict: Verdict;
  readonly primary?: boolean;
}

const NOT_SHOWN: Verdict = { kind: "not-shown", neededRuns: null, neededForRatio: null };
const WORSE: Verdict = { kind: "different", direction: "worse" };
const BETTER: Verdict = { kind: "different", direction: "better" };
const TOO_FEW: Verdict = { kind: "undecided", because: "too-few-runs", neededRuns: 6 };

/** A comparison of which only what a gate looks at is filled in. */
const comparisonOf = (rows: readonly Row[]): Comparison => ({
  format: "schbench-ts/comparison",
  version: 2,
  subjects: [],
  primaryMetric: "request-p99",
  primaryNamed: false,
  seed: 1,
  confidence: 0.95,
  outcome: "not-shown",
  contrasts: [],
  warnings: [],
  metrics: rows.map(({ id, low, high, verdict, primary = false }) => ({
    id,
    label: id,
    unit: "usec",
    better: METRICS.find((metric) => metric.id === id)?.better ?? "lower",
    quantised: true,
    primary,
    weight: 1,
    subjects: [],
    pairs: [
      {
        base: "a",
        candidate: "b",
        difference: null,
        ratio: { value: Math.sqrt((low ?? high) * high), interval: low === null ? null : { low, high } },
        p: 0.01,
        smallestP: 0.001,
        adjustedP: 0.02,
        threshold: 0.01,
        verdict,
      },
    ],
  })),
});

const decide = (row: Omit<Row, "id">, options: Partial<GateOptions> = {}, id: MetricId = "request-p99"): GateStatus =>
  judgeGate(comparisonOf([{ id, primary: true, ...row }]), { failOn: "worse", margin: null, metrics: null, ...options })
    .outcome;

void test("without a margin a gate fails where a difference in its direction is shown, and only there", () => {
  const worse = { low: 1.1, high: 1.2, verdict: WORSE };
  const better = { low: 0.8, high: 0.9, verdict: BETTER };
  assert.equal(decide(worse), "fail");
  assert.equal(decide(better), "pass");
  assert.equal(decide(better, { failOn: "better" }), "fail");
  assert.equal(decide(worse, { failOn: "better" }), "pass");
  assert.equal(decide(worse, { failOn: "different" }), "fail");
  assert.equal(decide(better, { failOn: "different" }), "fail");
  assert.equal(decide({ low: 0.9, high: 1.1, verdict: NOT_SHOWN }), "pass");
  assert.equal(decide({ low: 0.5, high: 2, verdict: TOO_FEW }), "undecided");
  assert.equal(decide({ low: 0.5, high: 2, verdict: TOO_FEW, primary: false }), "pass", "the primary metric decides");
});

void test("with a margin only an interval inside it passes: runs without power never do", () => {
  const within = { margin: 0.1 };
  assert.equal(decide({ low: 0.97, high: 1.08, verdict: NOT_SHOWN }, within), "pass");
  assert.equal(decide({ low: 0.6, high: 1.08, verdict: NOT_SHOWN }, within), "pass", "better by any amount may pass");
  assert.equal(decide({ low: 0.6, high: 1.08, verdict: NOT_SHOWN }, { ...within, failOn: "different" }), "undecided");
  assert.equal(decide({ low: 0.9, high: 1.3, verdict: NOT_SHOWN }, within), "undecided");
  assert.equal(
    decide({ low: 1.02, high: 1.3, verdict: WORSE }, within),
    "undecided",
    "worse, but perhaps by less than the margin",
  );
  assert.equal(decide({ low: 1.15, high: 1.3, verdict: WORSE }, within), "fail");
  assert.equal(
    decide({ low: 1.15, high: 1.3, verdict: NOT_SHOWN }, within),
    "undecided",
    "the corrected test must see it, too",
  );
  assert.equal(decide({ low: null, high: 1, verdict: TOO_FEW }, within), "undecided");
  assert.equal(decide({ low: 1, high: 1.1, verdict: NOT_SHOWN }, within), "pass", "up to the margin is inside it");
  assert.equal(decide({ low: 1.1, high: 1.3, verdict: WORSE }, within), "undecided", "on the margin is not beyond it");
  const negligible: Verdict = { kind: "negligible", because: "noise-threshold" };
  assert.equal(decide({ low: 1.15, high: 1.3, verdict: negligible }, within), "fail", "shown, and beyond the margin");
});

/** The gate on a pair whose interval may have no upper end, or that has no ratio at all. */
const gateOn = (ratio: { readonly low: number; readonly high: number | null } | null, verdict: Verdict) => {
  const { metrics, ...rest } = comparisonOf([{ id: "request-p99", primary: true, low: 1, high: 1, verdict }]);
  const changed = metrics.map((metric) => ({
    ...metric,
    pairs: metric.pairs.map((pair) => ({ ...pair, ratio: ratio === null ? null : { value: 1, interval: ratio } })),
  }));
  return judgeGate({ ...rest, metrics: changed }, { failOn: "worse", margin: 0.1, metrics: null }).outcome;
};

void test("a base of 0, always or sometimes, passes no margin by accident", () => {
  assert.equal(gateOn({ low: 0.1, high: null }, NOT_SHOWN), "undecided");
  assert.equal(gateOn({ low: 1.2, high: null }, WORSE), "fail");
  assert.equal(gateOn(null, WORSE), "fail");
  assert.equal(gateOn(null, BETTER), "pass");
  assert.equal(gateOn(null, NOT_SHOWN), "undecided");
});

void test("for rates less is worse", () => {
  assert.equal(decide({ low: 0.7, high: 0.8, verdict: WORSE }, { margin: 0.1 }, "average-rps"), "fail");
  assert.equal(decide({ low: 0.95, high: 2, verdict: NOT_SHOWN }, { margin: 0.1 }, "average-rps"), "pass");
});

void test("a margin is judged by the primary metric, or by the metrics that are named and no other", () => {
  const rows: readonly Row[] = [
    { id: "request-p99", primary: true, low: 0.99, high: 1.01, verdict: NOT_SHOWN },
    { id: "wakeup-p99.9", low: 0.5, high: 2, verdict: NOT_SHOWN },
  ];
  const outcome = (metrics: readonly MetricId[] | null): GateStatus =>
    judgeGate(comparisonOf(rows), { failOn: "worse", margin: 0.05, metrics }).outcome;
  assert.equal(outcome(null), "pass");
  assert.equal(outcome(["wakeup-p99.9"]), "undecided");
  const worsePrimary = rows.map((row) => (row.primary === true ? { ...row, low: 1.5, high: 2, verdict: WORSE } : row));
  const named = judgeGate(comparisonOf(worsePrimary), { failOn: "worse", margin: null, metrics: ["wakeup-p99.9"] });
  assert.equal(named.outcome, "pass", "the primary metric is not smuggled in");
  assert.deepEqual(
    named.rows.map(({ metric }) => metric),
    ["wakeup-p99.9"],
  );
});

void test("a gate over nothing is undecided, not green", () => {
  assert.equal(judgeGate(comparisonOf([]), { failOn: "worse", margin: 0.1, metrics: null }).outcome, "undecided");
});

/**
 * D. Lakens 2017 ("Equivalence Tests", Social Psychological and Personality Science 8:355–362): a replication of Eskine 2013 with means 5.25 and 5.22,
 * deviations 0.95 and 0.83, 95 and 89 people, bounds of ±0.43 pooled deviations. Its two one-sided tests reject both bounds at 5 %: equivalent.
 */
void test("decides a published example of two one-sided tests as published", () => {
  const [mean, other] = [5.22, 5.25];
  const error = Math.sqrt(0.95 ** 2 / 95 + 0.83 ** 2 / 89);
  const bound = 0.43 * Math.sqrt((0.95 ** 2 + 0.83 ** 2) / 2);
  const t95 = 1.653;
  // Both one-sided tests of the article: t(182) = 2.69, p = 0.004 for the nearer bound.
  assert.ok(Math.abs((bound - (other - mean)) / error - 2.69) < 0.01);
  const interval = { low: (other - t95 * error) / mean, high: (other + t95 * error) / mean };
  const options = { failOn: "different", margin: bound / mean } as const;
  assert.equal(decide({ ...interval, verdict: NOT_SHOWN }, options), "pass");
  assert.equal(decide({ ...interval, verdict: NOT_SHOWN }, { ...options, margin: (0.5 * bound) / mean }), "undecided");
});

void test("a metric that is named and could not be told by so few runs is undecided, also where it is not the primary one", () => {
  const rows: readonly Row[] = [
    { id: "request-p99", primary: true, low: 0.99, high: 1.01, verdict: NOT_SHOWN },
    { id: "request-p50", low: 1.2, high: 1.5, verdict: TOO_FEW },
  ];
  const outcome = (metrics: readonly MetricId[] | null): GateStatus =>
    judgeGate(comparisonOf(rows), { failOn: "worse", margin: null, metrics }).outcome;
  assert.equal(outcome(["request-p50"]), "undecided");
  assert.equal(outcome(null), "pass");
});

void test("a machine that fails by itself is a row of its own, unless all machines together fail in that metric", () => {
  const overall = comparisonOf([
    { id: "request-p50", low: 1.1, high: 1.2, verdict: WORSE },
    { id: "wakeup-p99", low: 0.9, high: 1.2, verdict: NOT_SHOWN },
  ]);
  const onOneMachine = comparisonOf([{ id: "request-p50", low: 1.1, high: 1.2, verdict: WORSE }]).metrics.flatMap(
    ({ pairs }) => pairs,
  );
  const metrics = overall.metrics.map((metric) => ({ ...metric, blocks: [{ subjects: [], pairs: onOneMachine }] }));
  const { rows } = judgeGate({ ...overall, metrics }, { failOn: "worse", margin: null, metrics: null });
  assert.deepEqual(
    rows.map(({ metric, status }) => `${metric} ${status}`),
    ["request-p50 fail", "wakeup-p99 pass", "wakeup-p99 fail"],
  );
});
