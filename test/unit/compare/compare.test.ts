import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { UserError } from "../../../src/errors.js";
import { compareSubjects, defaultPrimary } from "../../../src/compare/compare.js";
import type { Comparison, MetricComparison, Verdict } from "../../../src/compare/comparison.js";
import { isMetricId, METRICS, metricOf } from "../../../src/model/metrics/metrics.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { percentileOf } from "../../../src/stats/histogram/percentiles.js";
import { closedLoopPlan, workPlan } from "../../helpers/fakes/fake-plan.js";
import { comparisonMarkdown } from "../../../src/render/comparison/comparison-markdown.js";
import { comparisonTable } from "../../../src/render/comparison/comparison-table.js";
import { fromSparse, histogramOf, mergeHistograms } from "../../../src/stats/histogram/plat.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

/** Runs whose requests all take the given times. */
const requestRuns = (...usec: readonly number[]): readonly RunResult[] =>
  usec.map((value) => fakeResult({ requestUsec: Array.from({ length: 2000 }, () => value) }));

const LOW = requestRuns(5000, 5016, 5032, 5048, 5064, 5080);
const HIGH = requestRuns(5500, 5516, 5532, 5548, 5564, 5580);

const compared = (base: readonly RunResult[], candidate: readonly RunResult[], options = {}): Comparison =>
  compareSubjects(
    [
      { name: "base", runs: base },
      { name: "new", runs: candidate },
    ],
    options,
  );

const metricIn = (comparison: Comparison, id: string): MetricComparison => {
  const metric = comparison.metrics.find((candidate) => candidate.id === id);
  assert.ok(metric !== undefined, `no ${id}`);
  return metric;
};
const verdictIn = (comparison: Comparison, id: string): Verdict | undefined =>
  metricIn(comparison, id).pairs[0]?.verdict;
const codes = (comparison: Comparison): readonly string[] => comparison.warnings.map((warning) => warning.code);

const ratedRuns = (...values: readonly number[]): readonly RunResult[] =>
  values.map((averageRps) => fakeResult({ averageRps }));
const wakeupRuns = (usec: number): readonly RunResult[] =>
  Array.from({ length: 6 }, () => fakeResult({ wakeupUsec: [usec] }));
/** So many runs of each rate. */
const manyRates = (...values: readonly (readonly [times: number, rate: number])[]) =>
  ratedRuns(...values.flatMap(([times, rate]) => Array.from({ length: times }, () => rate)));
const ratePair = (base: readonly RunResult[], candidate: readonly RunResult[], confidence: number) =>
  metricIn(
    compared(base, candidate, { primaryMetric: "average-rps", metrics: [], confidence, resamples: 0 }),
    "average-rps",
  ).pairs[0];
const ratedSubject = (rates: readonly number[], name: string) => ({ name, runs: ratedRuns(...rates) });
const withoutRequests = (runs: readonly RunResult[], index: number) =>
  runs.map((run, place) => (place === index ? { ...run, request: null } : run));
const startedAtHour = (runs: readonly RunResult[], hour: number): readonly RunResult[] =>
  runs.map((run, index) => ({ ...run, startedAt: `2026-01-01T${hour}:0${index}:00Z` }));
/** Six runs in which request p50 rises from run to run and every other metric moves on its own. */
const unrelatedRuns = (from: number): readonly RunResult[] =>
  Array.from({ length: 6 }, (_, index) => {
    const run = from + index + 1;
    const table = (seed: number) => ({
      unit: "usec" as const,
      samples: 5000,
      min: 1,
      max: 9000,
      percentiles: [20, 50, 90, 99, 99.9].map((percentile, place) => ({
        percentile,
        value: 1000 + (seed === 0 && percentile === 50 ? run * 50 : ((run * (17 + 6 * place + 31 * seed)) % 101) * 10),
        samples: 1000,
      })),
      buckets: null,
    });
    return fakeResult(
      { averageRps: (run * 71) % 103 },
      {
        request: table(0),
        wakeup: table(1),
        response: table(2),
        rps: table(3),
        schedDelay: { messageUsec: 1, workerUsec: (run * 45) % 107 },
      },
    );
  });
const refused = (run: () => unknown, pattern: RegExp): void =>
  assert.throws(run, (error) => error instanceof UserError && pattern.test(error.message));

void test("runs that do not overlap differ, and lower latencies are better", () => {
  const comparison = compared(LOW, HIGH);
  assert.equal(comparison.primaryMetric, "request-p99");
  assert.equal(comparison.outcome, "different");
  assert.deepEqual(verdictIn(comparison, "request-p99"), { kind: "different", direction: "worse" });
  assert.deepEqual(verdictIn(compared(HIGH, LOW), "request-p99"), { kind: "different", direction: "better" });
  const pair = metricIn(comparison, "request-p99").pairs[0];
  assert.equal(pair?.p, 2 / 924);
  assert.equal(pair?.smallestP, 2 / 924);
  assert.ok(Math.abs((pair?.ratio?.value ?? 0) - 5540 / 5040) < 0.004, String(pair?.ratio?.value));
  assert.ok((pair?.ratio?.interval?.low ?? 0) > 1.05 && (pair?.ratio?.interval?.high ?? 9) < 1.15);
});

void test("a higher rate is better", () => {
  const comparison = compared(ratedRuns(200, 201, 202, 203, 204, 205), ratedRuns(300, 301, 302, 303, 304, 305), {
    primaryMetric: "average-rps",
  });
  assert.deepEqual(verdictIn(comparison, "average-rps"), { kind: "different", direction: "better" });
  assert.equal(comparison.primaryNamed, true);
});

void test("a subject against itself shows nothing, and equal values say so with p = 1", () => {
  const comparison = compared(LOW, LOW);
  assert.equal(comparison.outcome, "not-shown");
  assert.equal(metricIn(comparison, "wakeup-p99").pairs[0]?.p, 1);
});

void test("three runs a side are undecided whatever they say, and the number needed is named", () => {
  const comparison = compared(LOW.slice(0, 3), HIGH.slice(0, 3));
  assert.equal(comparison.outcome, "undecided");
  assert.deepEqual(verdictIn(comparison, "request-p99"), { kind: "undecided", because: "too-few-runs", neededRuns: 6 });
  assert.deepEqual(verdictIn(compared(LOW.slice(0, 3), HIGH.slice(0, 3), { metrics: [] }), "request-p99"), {
    kind: "undecided",
    because: "too-few-runs",
    neededRuns: 4,
  });
  assert.ok(codes(comparison).includes("few-runs"));
});

void test("a sure difference below the noise threshold is negligible, and the threshold can be set", () => {
  const slightly = requestRuns(5096, 5112, 5096, 5112, 5096, 5112);
  assert.deepEqual(verdictIn(compared(LOW, slightly), "request-p99"), {
    kind: "negligible",
    because: "noise-threshold",
  });
  assert.equal(compared(LOW, slightly, { metrics: [] }).outcome, "not-shown");
  assert.equal(compared(LOW, slightly, { noiseThreshold: 0.001 }).outcome, "different");
  assert.equal(compared(LOW, HIGH, { noiseThreshold: 0.2 }).outcome, "not-shown");
});

void test("whole-µs metrics one step apart are negligible, since 3.99 and 4.01 would look so", () => {
  const options = { primaryMetric: "wakeup-p99", noiseThreshold: 0.01 };
  assert.deepEqual(verdictIn(compared(wakeupRuns(4), wakeupRuns(5), options), "wakeup-p99"), {
    kind: "negligible",
    because: "resolution",
  });
  assert.deepEqual(verdictIn(compared(wakeupRuns(4), wakeupRuns(6), options), "wakeup-p99"), {
    kind: "different",
    direction: "worse",
  });
});

void test("a base of 0 has no ratio but can still be judged", () => {
  const pair = metricIn(compared(wakeupRuns(0), wakeupRuns(9)), "wakeup-p99").pairs[0];
  assert.equal(pair?.ratio, null);
  assert.equal(pair?.threshold, null);
  assert.deepEqual(pair?.verdict, { kind: "different", direction: "worse" });
});

void test("a base that is sometimes 0 has a ratio without an upper end, and is not called different", () => {
  const options = { primaryMetric: "average-rps", metrics: [] };
  const pair = metricIn(compared(manyRates([6, 0], [14, 10]), manyRates([20, 1]), options), "average-rps").pairs[0];
  assert.ok((pair?.p ?? 1) <= 0.05, `p = ${pair?.p}`);
  assert.deepEqual(pair?.ratio, { value: 0.1, interval: { low: 0.1, high: null } });
  assert.equal(pair?.verdict.kind, "not-shown");
});

void test("every figure of a comparison survives JSON", () => {
  const comparison = compared(wakeupRuns(0), wakeupRuns(7));
  assert.deepEqual(JSON.parse(JSON.stringify(comparison)), comparison);
});

void test("a change from 0 is printed in the metric's unit beside the verdict", () => {
  const comparison = compared(wakeupRuns(0), wakeupRuns(7), { primaryMetric: "wakeup-p99" });
  const row = comparisonTable(comparison, { colour: false })
    .split("\n")
    .find((line) => line.startsWith("wakeup p99 *"));
  assert.match(row ?? "", /\+7µs +worse/);
  assert.match(comparisonMarkdown(comparison), /\*\*\+7µs\*\* .*\*\*worse\*\*/);
  assert.match(comparisonTable(comparison, { colour: false }), /^new is worse than base: wakeup p99 \+7µs/);
});

void test("no scatter plans nothing", () => {
  const pair = metricIn(
    compared([...wakeupRuns(3), ...wakeupRuns(3)], [...wakeupRuns(3), ...wakeupRuns(3)]),
    "wakeup-p99",
  );
  assert.deepEqual(pair.pairs[0]?.verdict, { kind: "not-shown", neededRuns: null, neededForRatio: null });
});

void test("a plan never asks for as many runs as there are, or fewer", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 300, max: 320 }), fc.integer({ min: 300, max: 330 })), {
        minLength: 2,
        maxLength: 14,
      }),
      (rates) => {
        const [base, candidate] = [ratedRuns(...rates.map(([a]) => a)), ratedRuns(...rates.map(([, b]) => b))];
        const verdict = verdictIn(
          compared(base, candidate, { primaryMetric: "average-rps", metrics: [] }),
          "average-rps",
        );
        if (verdict?.kind === "not-shown" || verdict?.kind === "undecided")
          assert.ok((verdict.neededRuns ?? Infinity) > rates.length, JSON.stringify(verdict));
      },
    ),
  );
});

void test("the smallest p is one that these values could have, and a rounding does not make too few runs of enough", () => {
  const tied = ratePair(ratedRuns(9000, 9000, 9000), ratedRuns(1000, 1000, 1000, 1000), 0.95);
  assert.equal(tied?.p, 1 / 35);
  assert.equal(tied?.smallestP, 1 / 35);
  // 1 − 0.9 is 0.09999999999999998, and three runs a side reach 0.1.
  assert.equal(ratePair(ratedRuns(1, 2, 3), ratedRuns(4, 5, 6), 0.9)?.verdict.kind, "different");
  assert.equal(ratePair(ratedRuns(1, 2, 4), ratedRuns(3, 5, 6), 0.9)?.verdict.kind, "not-shown");
});

void test("a candidate that differs leaves its part of the level to the others (Holm's step)", () => {
  const judged = (far: readonly number[]) =>
    metricIn(
      compareSubjects(
        [ratedSubject([10, 20, 30, 40], "base"), ratedSubject(far, "far"), ratedSubject([15, 25, 35, 45], "near")],
        {
          primaryMetric: "average-rps",
          metrics: [],
        },
      ),
      "average-rps",
    ).pairs.map(({ verdict }) => verdict.kind);
  // Four runs reach 2/70 = 0.0286: too much for half of 5 %, enough for all of it.
  assert.deepEqual(judged([15, 25, 35, 45]), ["undecided", "undecided"]);
  const uneven = metricIn(
    compareSubjects(
      [
        ratedSubject([10, 20, 30, 40], "base"),
        ratedSubject([100, 101, 102, 103, 104, 105, 106, 107], "far"),
        ratedSubject([15, 25, 35, 45], "near"),
      ],
      {
        primaryMetric: "average-rps",
        metrics: [],
      },
    ),
    "average-rps",
  ).pairs.map(({ verdict }) => verdict.kind);
  assert.deepEqual(uneven, ["different", "not-shown"]);
});

void test("a run without samples leaves the merged value to the others, and is told of", () => {
  const comparison = compared(withoutRequests(LOW, 2), HIGH);
  const [subject] = metricIn(comparison, "request-p50").subjects;
  const others = LOW.filter((_, index) => index !== 2).flatMap((run) => (run.request === null ? [] : [run.request]));
  const merged = mergeHistograms(others.map((one) => fromSparse(one.buckets ?? [], one.min, one.max)));
  assert.equal(subject?.merged?.value, percentileOf(merged, 50));
  assert.deepEqual(
    comparison.warnings.filter(({ code }) => code === "runs-without-samples").map(({ message }) => message),
    ["base: 1 of 6 runs without request latencies: 5 runs count there"],
  );
  assert.ok(
    !codes(
      compared(
        LOW.map((run) => ({ ...run, request: null })),
        HIGH,
        { primaryMetric: "average-rps" },
      ),
    ).includes("runs-without-samples"),
  );
});

void test("what is not shown names the runs that would show it", () => {
  const verdict = verdictIn(
    compared(requestRuns(5000, 5200, 5400, 5100, 5300, 5500), requestRuns(5150, 5350, 5550, 5250, 5450, 5650)),
    "request-p99",
  );
  assert.ok(verdict?.kind === "not-shown", JSON.stringify(verdict));
  assert.ok(verdict.neededRuns !== null && verdict.neededRuns > 6 && verdict.neededRuns < 60, `${verdict.neededRuns}`);
  assert.ok(Math.abs((verdict.neededForRatio ?? 0) - 1.029) < 0.01);
});

void test("a column shows the median over runs, whose ratio is the change; the percentile of all samples together stands beside it", () => {
  const samples = [[1, 2, 3], [10, 20, 30], [100, 200, 300], [7], [8], [9]];
  const runs = samples.map((requestUsec) => fakeResult({ requestUsec }));
  const [subject] = metricIn(compared(runs, runs), "request-p90").subjects;
  assert.equal(subject?.merged?.value, percentileOf(histogramOf(samples.flat()), 90));
  assert.equal(subject?.median?.value, 8.5);
  assert.deepEqual(subject?.shown, { ...subject?.median, from: "median-of-runs" });
});

void test("where a run has only a table there is no percentile of all samples together", () => {
  const tables = LOW.map((run) => ({ ...run, request: run.request && { ...run.request, buckets: null } }));
  const [subject] = metricIn(compared(tables, HIGH), "request-p99").subjects;
  assert.equal(subject?.merged, null);
  assert.equal(subject?.shown?.from, "median-of-runs");
});

void test("the primary metric and steady ones count three times", () => {
  const weights = compared(LOW, HIGH, { primaryMetric: "request-p99" }).metrics.map(({ id, weight }) => [id, weight]);
  assert.deepEqual(
    weights.filter(([, weight]) => weight === 3).map(([id]) => id),
    ["request-p20", "request-p50", "request-p99", "rps-p50", "average-rps"],
  );
  assert.deepEqual(
    weights.filter(([, weight]) => weight === 1).map(([id]) => id),
    ["wakeup-p50", "wakeup-p90", "wakeup-p99", "wakeup-p99.9", "request-p90", "request-p99.9"],
  );
});

void test("the primary metric alone is not corrected, and several candidates by Holm's method", () => {
  const alone = compared(LOW, HIGH, { metrics: [] });
  assert.equal(metricIn(alone, "request-p99").pairs[0]?.adjustedP, 2 / 924);
});

void test("metrics that say the same cost one correction", () => {
  const pair = metricIn(compared(LOW, HIGH, { primaryMetric: "request-p50", metrics: ["request-p20"] }), "request-p50");
  assert.equal(pair.pairs[0]?.adjustedP, 2 / 924);
});

void test("a difference in any metric is one, also where the primary shows none", () => {
  const comparison = compared(LOW, HIGH, { primaryMetric: "average-rps" });
  assert.equal(verdictIn(comparison, "average-rps")?.kind, "not-shown");
  assert.deepEqual(verdictIn(comparison, "request-p50"), { kind: "different", direction: "worse" });
  assert.equal(comparison.outcome, "different");
});

void test("at six runs a perfect difference in one metric is found among twelve unrelated others", () => {
  const comparison = compared(unrelatedRuns(0), unrelatedRuns(6));
  assert.equal(comparison.metrics.length, 13);
  assert.notEqual(verdictIn(comparison, "request-p99")?.kind, "different");
  assert.equal(metricIn(comparison, "request-p50").pairs[0]?.p, 2 / 924);
  assert.equal(verdictIn(comparison, "request-p50")?.kind, "different");
  for (const { id } of comparison.metrics) assert.notEqual(verdictIn(comparison, id)?.kind, "undecided", id);
});

void test("another candidate halves what the first is judged at, and changes nothing else", () => {
  const alone = metricIn(compared(LOW, HIGH), "request-p50").pairs[0];
  const beside = compareSubjects([
    { name: "base", runs: LOW },
    { name: "new", runs: HIGH },
    { name: "third", runs: LOW },
  ]);
  const pair = metricIn(beside, "request-p50").pairs[0];
  assert.equal(pair?.adjustedP, (alone?.adjustedP ?? 0) * 2);
  assert.deepEqual({ ...pair, adjustedP: null }, { ...alone, adjustedP: null });
});

void test("ranks that differ while the medians may be equal are not called a difference", () => {
  // U = 5: p = 0.041; but the medians, 5096 and 5120, are well within each other's scatter.
  const base = requestRuns(4096, 4112, 4128, 5064, 5080, 5112);
  const candidate = requestRuns(5048, 5096, 5128, 5144, 5160, 5176);
  const pair = metricIn(compared(base, candidate), "request-p99").pairs[0];
  assert.ok((pair?.p ?? 1) <= 0.05, `p = ${pair?.p}`);
  assert.ok((pair?.ratio?.interval?.low ?? 9) <= 1);
  assert.equal(pair?.verdict.kind, "not-shown");
});

void test("fewer metrics mean less correction, and the primary one is always there", () => {
  const few = compared(LOW, HIGH, { metrics: ["request-p50"] });
  assert.deepEqual(
    few.metrics.map((metric) => metric.id),
    ["request-p50", "request-p99"],
  );
  const adjustedIn = (options: object): number =>
    metricIn(compared(unrelatedRuns(0), unrelatedRuns(6), options), "request-p50").pairs[0]?.adjustedP ?? 0;
  assert.ok(adjustedIn({ metrics: ["request-p50"] }) < adjustedIn({}));
});

void test("a primary metric alone is corrected over the candidates by Holm's method", () => {
  const three = [
    { name: "base", runs: LOW },
    { name: "same", runs: LOW },
    { name: "slow", runs: HIGH },
  ];
  const pairs = metricIn(compareSubjects(three, { metrics: [] }), "request-p99").pairs;
  assert.deepEqual(
    pairs.map((pair) => [pair.candidate, pair.verdict.kind]),
    [
      ["same", "not-shown"],
      ["slow", "different"],
    ],
  );
  assert.equal(pairs[1]?.adjustedP, 4 / 924);
  // Among other metrics each candidate has half of the level, whatever is found of the other one.
  const among = metricIn(compareSubjects(three), "request-p99").pairs;
  assert.equal(among[1]?.adjustedP, 4 / 924);
});

void test("the primary metric is chosen by what the runs did, unless it is named", () => {
  const idle = closedLoopPlan({ work: workPlan({ operations: 0, sleepUsec: 0 }) });
  assert.equal(defaultPrimary([fakeResult()]), "request-p99");
  assert.equal(defaultPrimary([fakeResult({}, { plan: idle })]), "wakeup-p99");
  assert.equal(defaultPrimary([fakeResult({}, { plan: closedLoopPlan() })]), "request-p99");
  assert.equal(defaultPrimary([fakeResult({}, { request: null })]), "wakeup-p99");
  assert.equal(defaultPrimary([fakeResult({}, { mode: "pipe" })]), "transfer-ops");
});

void test("the same seed gives the same comparison, another seed other intervals but the same verdicts", () => {
  assert.deepEqual(compared(LOW, HIGH, { seed: 4 }), compared(LOW, HIGH, { seed: 4 }));
  const [one, other] = [
    compared(LOW, HIGH, { seed: 4, resamples: 50 }),
    compared(LOW, HIGH, { seed: 5, resamples: 50 }),
  ];
  assert.notDeepEqual(metricIn(one, "request-p99"), metricIn(other, "request-p99"));
  assert.equal(one.outcome, other.outcome);
});

void test("a run during which the scheduler changed is left out with a warning", () => {
  const environment = {
    stealPercent: null,
    busyPercent: null,
    cpuPressureSomePercent: null,
    schedExtBefore: "scx_simple",
    schedExtAfter: "disabled",
  };
  const comparison = compared([...LOW, fakeResult({ requestUsec: [1] }, { environment })], HIGH);
  assert.deepEqual(comparison.subjects[0], { name: "base", runs: 6, leftOut: 1, traced: false });
  assert.ok(codes(comparison).includes("scheduler-changed"));
});

void test("tracing on one side only is a warning, on both it is none", () => {
  const traced = LOW.map((run) => ({ ...run, explanation: { version: 1 } }));
  assert.ok(codes(compared(traced, HIGH)).includes("traced"));
  assert.ok(codes(compared(HIGH, traced)).includes("traced"));
  assert.ok(!codes(compared(traced, traced)).includes("traced"));
});

void test("runs that were not made in turn are a warning", () => {
  assert.ok(codes(compared(startedAtHour(LOW, 10), startedAtHour(HIGH, 11))).includes("not-in-turn"));
  assert.ok(codes(compared(startedAtHour(LOW, 11), startedAtHour(HIGH, 10))).includes("not-in-turn"));
  assert.ok(!codes(compared(startedAtHour(LOW, 10), startedAtHour(HIGH, 10))).includes("not-in-turn"));
});

void test("the runs' own warnings, interruptions, mixed plans and thin tails are passed on", () => {
  const steal = { code: "steal-time", message: "3 % stolen", cure: "Use another machine." };
  const runs = LOW.map((run, index) => ({
    ...run,
    warnings: index < 2 ? [steal] : [],
    interrupted: index === 0,
    mode: index === 1 ? ("rate" as const) : run.mode,
    request: run.request && { ...run.request, samples: 20 },
  }));
  const found = compared(runs, LOW);
  for (const code of ["steal-time", "interrupted", "mixed-plans", "mixed-modes", "few-tail-samples"])
    assert.ok(codes(found).includes(code), code);
  assert.deepEqual(codes(compared(LOW, HIGH)), []);
});

void test("what cannot be compared is refused with the reason", () => {
  refused(() => compareSubjects([{ name: "a", runs: LOW }]), /at least two/);
  refused(() => compared(LOW, []), /"new" has no run/);
  refused(
    () =>
      compareSubjects([
        { name: "a", runs: LOW },
        { name: "a", runs: LOW },
      ]),
    /two subjects are called "a"/,
  );
  refused(() => compared(LOW, HIGH, { primaryMetric: "transfer-ops" }), /"transfer-ops": no run has it/);
});

void test("metrics have distinct names, and every one can be found by its name", () => {
  assert.equal(new Set(METRICS.map((metric) => metric.id)).size, METRICS.length);
  for (const metric of METRICS) assert.equal(metricOf(metric.id), metric);
  assert.ok(isMetricId("request-p99"));
  for (const text of [
    "request-p98 ",
    "request-p0",
    "request-p101",
    "request-p099",
    "request-p99.0",
    "sleep-p99",
    "request",
  ])
    assert.ok(!isMetricId(text), text);
});

void test("any percentile of a distribution is a metric, read from the buckets, and null where there are none", () => {
  for (const id of ["wakeup-p95", "request-p99.99", "rps-p20", "response-p100"]) assert.ok(isMetricId(id), id);
  const run = fakeResult({ wakeupUsec: Array.from({ length: 200 }, (_, i) => i + 1) });
  const tabled = { ...run, wakeup: run.wakeup === null ? null : { ...run.wakeup, buckets: null } };
  assert.deepEqual(
    [run, tabled].map((result) => metricOf("wakeup-p95").read(result)),
    [190, null],
  );
  const { label, unit, better, noiseFloor, steady } = metricOf("request-p95");
  assert.deepEqual([label, unit, better, noiseFloor, steady], ["request p95", "usec", "lower", 0.02, false]);
  assert.equal(metricOf("request-p30").steady, true, "the faster half");
  assert.equal(metricOf("rps-p20").better, "higher");
  assert.equal(metricOf("request-p99.99").noiseFloor, metricOf("request-p99.9").noiseFloor);
});

void test("another percentile is judged where it is asked for, at its place in the table", () => {
  const metrics = compared(LOW, HIGH, {
    primaryMetric: "request-p95",
    metrics: ["average-rps", "request-p99", "request-p12.5", "wakeup-p99"],
  }).metrics;
  assert.deepEqual(
    metrics.map(({ id, primary }) => [id, primary]),
    [
      ["wakeup-p99", false],
      ["request-p12.5", false],
      ["request-p95", true],
      ["request-p99", false],
      ["average-rps", false],
    ],
  );
  const unasked = compared(LOW, HIGH, { primaryMetric: "request-p95" }).metrics.map(({ id }) => id);
  assert.equal(unasked.indexOf("request-p95"), unasked.indexOf("request-p90") + 1, "among all others");
});

void test("every metric reads its value from a run that has it, and null from one that has not", () => {
  const full = fakeResult(
    { averageRps: 12.5 },
    {
      response: fakeResult().request,
      transfer: { opsPerSecPerWorker: 10, bytesPerSecPerWorker: 40_960, opsPerSecTotal: 20, bytesPerSecTotal: 81_920 },
      schedDelay: { messageUsec: 2, workerUsec: 11 },
    },
  );
  const empty = fakeResult({ averageRps: null }, { wakeup: null, request: null, rps: null });
  for (const metric of METRICS) {
    assert.ok((metric.read(full) ?? 0) > 0, metric.id);
    assert.equal(metric.read(empty), null, metric.id);
  }
});
