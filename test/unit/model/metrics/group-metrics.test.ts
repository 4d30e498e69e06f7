/** Metrics of the groups of workers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareSubjects } from "../../../../src/compare/compare.js";
import { summarizeSweep } from "../../../../src/compare/sweep.js";
import { distributionOf } from "../../../../src/model/metrics/distribution.js";
import { isMetricId, METRICS, metricOf, metricsIn, metricsNamed } from "../../../../src/model/metrics/metrics.js";
import type { GroupResult, RunResult } from "../../../../src/model/result/run-result.js";
import { histogramOf } from "../../../../src/stats/histogram/plat.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";

const group = (name: string, usec: number): GroupResult => ({
  name,
  workers: 2,
  sched: null,
  loops: 10,
  averageRps: usec / 10,
  wakeup: distributionOf(histogramOf([usec, usec, usec]), "usec"),
  request: null,
  response: null,
});

const run = (short: number, rest: number): RunResult =>
  fakeResult({}, { groups: [group("short", short), group("rest", rest)] });

for (const name of ["short.wakeup-p99", "g1.request-p99.9", "a-b.response-p50", "rest.average-rps"])
  void test(`"${name}" is the metric of a group`, () => assert.ok(isMetricId(name)));

for (const name of [
  "short.wakeup",
  "short.wakeup-p101",
  "short.rps-p50",
  "short.sched-delay",
  "Short.wakeup-p99",
  ".wakeup-p99",
  "a.b.wakeup-p99",
  "short-wakeup-p99",
])
  void test(`"${name}" is no metric`, () => assert.ok(!isMetricId(name)));

void test("the metric of a group reads that group alone, and a run without the group has none", () => {
  const metric = metricOf("short.wakeup-p99");
  assert.equal(metric.label, "short.wakeup p99");
  assert.equal(metric.group, "short");
  assert.equal(metric.read(run(7, 500)), 7);
  assert.equal(metricOf("rest.average-rps").read(run(7, 500)), 50);
  assert.equal(metric.read(fakeResult()), null);
});

void test("unasked, the groups that runs have follow the metrics of all workers", () => {
  const ids = metricsIn([fakeResult(), run(7, 500)]).map(({ id }) => id);
  assert.deepEqual(ids.slice(METRICS.length), [
    "short.wakeup-p50",
    "short.wakeup-p99",
    "short.request-p99",
    "short.average-rps",
    "rest.wakeup-p50",
    "rest.wakeup-p99",
    "rest.request-p99",
    "rest.average-rps",
  ]);
  assert.deepEqual(
    metricsNamed(["short.wakeup-p99", "average-rps", "a.average-rps", "short.wakeup-p50"]).map(({ id }) => id),
    ["average-rps", "a.average-rps", "short.wakeup-p50", "short.wakeup-p99"],
  );
});

const subject = (name: string, short: number) => ({
  name,
  runs: Array.from({ length: 8 }, (_, i) => run(short + i, 500 + i)),
});

void test("a comparison judges each group: one that differs, and one that does not", () => {
  const { metrics } = compareSubjects([subject("a", 100), subject("b", 300)], {
    primaryMetric: "short.wakeup-p99",
    resamples: 200,
  });
  const verdictOf = (id: string) => metrics.find((metric) => metric.id === id)?.pairs[0]?.verdict;
  assert.deepEqual(verdictOf("short.wakeup-p99"), { kind: "different", direction: "worse" });
  assert.equal(verdictOf("rest.wakeup-p99")?.kind, "not-shown");
  const merged = metrics.find(({ id }) => id === "short.wakeup-p99")?.subjects.map((one) => one.merged?.value);
  assert.deepEqual(merged, [107, 307], "the merged percentile is that of the group's histograms");
});

void test("a sweep sums up the groups, too", () => {
  const swept = [10, 20].map((short) => ({ subject: "a", values: [`${short}`], runs: [run(short, 500)] }));
  const metric = summarizeSweep(["t"], swept).metrics.find(({ id }) => id === "short.wakeup-p99");
  assert.deepEqual(
    metric?.points.map((point) => point.median),
    [10, 20],
  );
});
