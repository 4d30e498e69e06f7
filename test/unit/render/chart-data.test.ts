import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { averagedShares, workerShares } from "../../../src/render/charts/fairness-chart.js";
import { type ForestRow, ratioAxis } from "../../../src/render/charts/forest-chart.js";
import { cellEdges, heatColumns, largestDrawn } from "../../../src/render/charts/heat-columns.js";
import { heatStep } from "../../../src/render/charts/heat-map.js";
import { oddsTick } from "../../../src/render/charts/percentile-chart.js";
import { curveOf, percentileCurves } from "../../../src/render/charts/percentile-curve.js";
import { ratePoints } from "../../../src/render/charts/rps-chart.js";
import { runSeries } from "../../../src/render/charts/run-series.js";
import { optionAxis } from "../../../src/render/charts/sweep-chart.js";
import { drawnCpus, MOST_CPUS } from "../../../src/render/charts/time-line-chart.js";
import { seriesStyle } from "../../../src/render/html/palette.js";
import { histogramOf, toSparse } from "../../../src/stats/histogram/plat.js";
import { fakeExplanation } from "../../helpers/render/render-explanation.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";
import { fakeRun } from "../../helpers/render/render-results.js";

const second = (atSec: number, wakeup: readonly number[] | null) => ({
  atSec,
  rps: 100 + atSec,
  goalPerSec: null,
  busyPercent: null,
  wakeup: wakeup === null ? null : toSparse(histogramOf(wakeup)),
  request: null,
});

void test("a percentile curve begins at the minimum, ends at the maximum at one over one sample, and meets p90 at ten", () => {
  const curve = curveOf(histogramOf(Array.from({ length: 100 }, (_, i) => i + 1)));
  assert.deepEqual(curve[0], { odds: 1, usec: 1 });
  assert.deepEqual(curve.at(-1), { odds: 100, usec: 100 });
  assert.equal(curve.find(({ odds }) => Math.abs(odds - 10) < 1e-9)?.usec, 90);
});

void test("a property: a percentile curve never falls", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 300 }), (values) => {
      const curve = curveOf(histogramOf(values));
      for (const [i, point] of curve.entries()) {
        assert.ok(point.usec >= (curve[i - 1]?.usec ?? 0));
        assert.ok(point.odds >= (curve[i - 1]?.odds ?? 0));
      }
    }),
  );
});

void test("runs are merged by adding histograms; a source with only a table gives the points of its table", () => {
  const runs = [fakeResult({ wakeupUsec: [1, 1, 1, 1] }), fakeResult({ wakeupUsec: [9, 9, 9, 9] })];
  const [merged] = percentileCurves(runSeries([{ name: "a", runs }]), "wakeup");
  assert.equal(merged?.runs.length, 2);
  assert.equal(merged?.firmUpTo, 0.8);
  assert.deepEqual(merged?.merged.at(-1), { odds: 8, usec: 9 });

  const { wakeup } = fakeResult({ wakeupUsec: [5] });
  const tableOnly = fakeResult({}, { wakeup: wakeup === null ? null : { ...wakeup, buckets: null, samples: null } });
  const [table] = percentileCurves(runSeries([{ name: "a", runs: [tableOnly] }]), "wakeup");
  assert.equal(table?.fromTable, true);
  assert.equal(table?.firmUpTo, null);
  assert.deepEqual(
    table?.merged.map(({ odds }) => oddsTick(odds)),
    ["20", "50", "90", "99", "99.9"],
  );
  assert.deepEqual(
    percentileCurves(runSeries([{ name: "a", runs: [fakeResult({}, { wakeup: null })] }]), "wakeup"),
    [],
  );
});

void test("heat-map cells have whole µs as edges, without an empty cell between small numbers", () => {
  assert.deepEqual(cellEdges(20, 10), [0, 1, 2, 3, 4, 6, 7, 8, 10, 13, 16, 20, 26]);
});

void test("a property: no sample is lost or made between seconds and heat-map columns, however many are put together", () => {
  const seconds = fc.array(fc.array(fc.nat(100_000), { maxLength: 20 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(seconds, fc.integer({ min: 1, max: 40 }), (all, most) => {
      const run = fakeResult({}, { seconds: all.map((values, i) => second(i + 1, values)) });
      const largest = largestDrawn([run], "wakeup", false) ?? 0;
      const columns = heatColumns([run], "wakeup", cellEdges(largest, 10), most);
      const counted = columns.flatMap(({ cells }) => cells).reduce((sum, cell) => sum + cell.count, 0);
      assert.equal(counted, all.flat().length);
      assert.ok(columns.length <= most + 1);
      assert.equal(columns.at(-1)?.toSec, all.length);
    }),
  );
});

void test("columns of several runs stand in a row and tell their run and its own seconds", () => {
  const runs = [3, 2].map((count) =>
    fakeResult({}, { seconds: Array.from({ length: count }, (_, i) => second(i + 1, [10 * (i + 1)])) }),
  );
  const columns = heatColumns(runs, "wakeup", cellEdges(100, 10), 100);
  assert.deepEqual(
    columns.map(({ run, fromSec, runFromSec, p99Usec }) => [run, fromSec, runFromSec, p99Usec]),
    [
      [0, 0, 0, 10],
      [0, 1, 1, 20],
      [0, 2, 2, 30],
      [1, 3, 0, 10],
      [1, 4, 1, 20],
    ],
  );
  assert.equal(largestDrawn([fakeResult({}, { seconds: [second(1, null)] })], "wakeup", false), null);
});

void test("a second that was joined to those before it, which the main thread missed, keeps its length", () => {
  const run = fakeResult({}, { seconds: [1, 4.5, 5].map((atSec) => second(atSec, [10])) });
  assert.deepEqual(
    heatColumns([run], "wakeup", cellEdges(100, 10), 100).map(({ runFromSec, runToSec }) => [runFromSec, runToSec]),
    [
      [0, 1],
      [1, 4.5],
      [4.5, 5],
    ],
  );
});

void test("the colour scale is logarithmic: one of many is the first step, the largest the last", () => {
  assert.deepEqual(
    [1, 10, 100, 1000].map((count) => heatStep(count, 1000)),
    [1, 3, 5, 7],
  );
  assert.equal(heatStep(1, 1), 7);
});

void test("long runs are drawn as means of several seconds that keep their range", () => {
  const seconds = Array.from({ length: 10 }, (_, i) => ({ ...second(i + 1, null), rps: i === 4 ? 0 : 100 }));
  assert.equal(ratePoints(seconds, 100).length, 10);
  const points = ratePoints(seconds, 4);
  assert.deepEqual(
    points.map(({ atSec }) => atSec),
    [3, 6, 9, 10],
  );
  assert.deepEqual(points[1], { atSec: 6, rps: 200 / 3, lowest: 0, highest: 100 });
});

void test("shares of workers average to 100 %, and means over runs keep every worker", () => {
  const [series] = runSeries([
    { name: "a", runs: [fakeRun({ seed: 1, seconds: 2, workers: 3 }), fakeRun({ seed: 2, seconds: 2, workers: 3 })] },
  ]);
  assert.ok(series !== undefined);
  const shares = workerShares(series);
  assert.equal(shares.length, 6);
  assert.ok(Math.abs(shares.reduce((sum, { sharePercent }) => sum + sharePercent, 0) / 6 - 100) < 1e-9);
  assert.deepEqual(
    averagedShares(shares).map(({ worker, run }) => [worker, run]),
    [
      [0, null],
      [1, null],
      [2, null],
    ],
  );
});

const row = (ratio: number, low: number, high: number, primary = false): ForestRow => ({
  label: "m",
  primary,
  changeText: "",
  intervalText: "",
  tooltip: "",
  ratio,
  interval: { low, high },
  threshold: 0.02,
  verdict: { symbol: "~", word: "not shown", isShown: false },
  style: seriesStyle(0),
});

void test("the axis of a forest plot is symmetric and holds the primary interval; one wild interval does not squash the rest", () => {
  const rows = [row(1.05, 1.03, 1.08, true), row(1.01, 0.98, 1.03), row(0.99, 0.96, 1.02), row(1.1, 0.5, 9)];
  const { low, high, ticks } = ratioAxis(rows);
  assert.ok(Math.abs(low * high - 1) < 1e-9);
  assert.ok(high >= 1.1 && high < 1.3);
  assert.ok(ticks.includes(1) && ticks.every((tick) => tick >= low && tick <= high));
  const wild = ratioAxis([row(3, 0.5, 9, true)]);
  assert.ok(wild.high >= 9 && wild.ticks.includes(4));
});

void test("values of an option stand to scale where they are numbers, evenly where they are words", () => {
  const numbers = optionAxis(["1", "2", "64"]);
  assert.equal(numbers.axis.type, "log");
  assert.equal(numbers.at("64"), 64);
  assert.deepEqual(numbers.axis.domain, [1, 64]);
  assert.equal(optionAxis(["0", "100"]).axis.type, "linear");
  const words = optionAxis(["off", "on"]);
  assert.deepEqual(["off", "on"].map(words.at), [0, 1]);
});

void test("of many CPUs those are drawn that had a part in the wakeup", () => {
  const [wakeup] = fakeExplanation().worst;
  assert.ok(wakeup !== undefined);
  assert.deepEqual(drawnCpus(wakeup), [0, 1, 2, 3]);
  const idle = Array.from({ length: 100 }, (_, i) => ({ cpu: i + 4, spans: [] }));
  const cpus = [...idle, ...wakeup.timeline.cpus.map((lane) => (lane.cpu === 2 ? { ...lane, cpu: 200 } : lane))];
  const drawn = drawnCpus({ ...wakeup, cpuAfter: 200, timeline: { ...wakeup.timeline, cpus } });
  assert.equal(drawn.length, MOST_CPUS);
  assert.ok([0, 3, 200].every((cpu) => drawn.includes(cpu)));
});
