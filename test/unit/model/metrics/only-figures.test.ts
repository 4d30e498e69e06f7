import assert from "node:assert/strict";
import { test } from "node:test";
import { type MetricId, METRICS, metricsNamed } from "../../../../src/model/metrics/metrics.js";
import { onlyFigures } from "../../../../src/model/metrics/only-figures.js";
import { runResult } from "../../../../src/model/result/run-result.js";
import { fakeRun } from "../../../helpers/render/render-results.js";

const OTHERS = ["wakeup-p95", "request-p99.99", "rps-p10"] as const satisfies readonly MetricId[];

void test("without its histograms a run has the same metrics, the percentiles asked for by name among them", () => {
  for (const seed of [1, 2, 3]) {
    const run = fakeRun({ seed, seconds: 3 });
    const figures = onlyFigures(metricsNamed(OTHERS))(run);
    assert.equal(figures.wakeup?.buckets, null);
    for (const metric of [...METRICS, ...metricsNamed(OTHERS)])
      assert.equal(metric.read(figures), metric.read(run), metric.id);
    const [missing] = metricsNamed(["wakeup-p95"]);
    assert.equal(missing?.read(onlyFigures([])(run)), null);
    assert.deepEqual(runResult.parse(figures), figures, "it is a sound result");
  }
});

void test("what many runs have in common is kept once", () => {
  const keep = onlyFigures([]);
  const [one, other, elsewhere] = [{ seed: 1 }, { seed: 2 }, { seed: 3, hostname: "elsewhere" }].map((fake) =>
    keep(fakeRun({ ...fake, seconds: 1 })),
  );
  assert.ok(one !== undefined && other !== undefined && elsewhere !== undefined);
  assert.equal(one.host, other.host);
  assert.equal(one.plan, other.plan);
  assert.equal(elsewhere.host?.hostname, "elsewhere");
  assert.notEqual(one.request, other.request);
});
