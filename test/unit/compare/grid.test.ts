import assert from "node:assert/strict";
import { test } from "node:test";
import { geometricMean } from "simple-statistics";
import { compareGrid, type GridCellRuns } from "../../../src/compare/grid.js";
import { seededRandom } from "../../../src/stats/random.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

/** Runs of requests around a level, with a scatter of 1 %. */
const runsAround = (usec: number, seed: number, count = 7) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const level = usec * (1 + (random.uniform() - 0.5) / 50);
    return fakeResult(
      { requestUsec: [level, level * 1.1, level * 1.2], wakeupUsec: [50], averageRps: 1e6 / level },
      { startedAt: null },
    );
  });
};

/** Cells of a base and a candidate that takes `factor(cell)` times as long. */
const cellsOf = (count: number, factor: (cell: number) => number): readonly GridCellRuns[] =>
  Array.from({ length: count }, (_, cell) => ({
    name: `t=${2 ** cell}`,
    values: [String(2 ** cell)],
    subjects: [
      { name: "base", runs: runsAround(1000 * (cell + 1), 10 + cell) },
      { name: "patched", runs: runsAround(1000 * (cell + 1) * factor(cell), 100 + cell) },
    ],
  }));

void test("a grid names the settings under which a candidate is worse", () => {
  const grid = compareGrid(
    ["t"],
    cellsOf(4, (cell) => (cell >= 2 ? 1.3 : 1)),
  );
  const metric = grid.metrics.find(({ id }) => id === "request-p50");
  assert.deepEqual(
    metric?.rows.map(({ pairs }) => pairs[0]?.verdict.kind === "different"),
    [false, false, true, true],
  );
  assert.equal(grid.outcome, "different");
});

void test("the last row is the geometric mean of the ratios, with an interval around it", () => {
  const grid = compareGrid(
    ["t"],
    cellsOf(3, () => 1.2),
  );
  const metric = grid.metrics.find(({ id }) => id === "request-p50");
  const ratios = (metric?.rows ?? []).map(({ pairs }) => pairs[0]?.ratio?.value ?? Number.NaN);
  const overall = metric?.overall[0];
  assert.ok(Math.abs((overall?.ratio?.value ?? 0) - geometricMean(ratios)) < 1e-12);
  assert.ok((overall?.ratio?.interval?.low ?? 2) < geometricMean(ratios));
  assert.ok((overall?.ratio?.interval?.high ?? 0) > geometricMean(ratios));
  assert.deepEqual(overall?.verdict, { kind: "different", direction: "worse" });
});

void test("a small change everywhere that no setting shows by itself is shown over all of them", () => {
  const random = seededRandom(9);
  const noisy = (usec: number) =>
    Array.from({ length: 6 }, () => fakeResult({ requestUsec: [usec * (1 + (random.uniform() - 0.5) / 2)] }));
  const cells = Array.from({ length: 12 }, (_, cell) => ({
    name: `t=${cell}`,
    values: [String(cell)],
    subjects: [
      { name: "base", runs: noisy(1000) },
      { name: "patched", runs: noisy(1200) },
    ],
  }));
  const metric = compareGrid(["t"], cells, { metrics: [], primaryMetric: "request-p50" }).metrics[0];
  assert.ok(metric?.rows.every(({ pairs }) => pairs[0]?.verdict.kind !== "different"));
  assert.equal(metric?.overall[0]?.verdict.kind, "different");
});

void test("a metric that some settings do not have is judged where it is there", () => {
  const [first, second] = cellsOf(2, () => 1.5);
  assert.ok(first !== undefined && second !== undefined);
  const bare = {
    ...second,
    subjects: second.subjects.map(({ name, runs }) => ({
      name,
      runs: runs.map((run) => ({ ...run, request: null })),
    })),
  };
  const grid = compareGrid(["t"], [first, bare]);
  const metric = grid.metrics.find(({ id }) => id === "request-p50");
  assert.equal(metric?.overall[0]?.cells, 1);
  assert.deepEqual(metric?.rows[1]?.pairs[0]?.verdict, { kind: "undecided", because: "no-data", neededRuns: null });
});

void test("a doubt is said once, with the settings that it holds for", () => {
  const cells = cellsOf(3, () => 1).map((cell, index) => ({
    ...cell,
    subjects: cell.subjects.map(({ name, runs }) => ({
      name,
      runs: runs.map((run) =>
        index === 1 ? { ...run, warnings: [{ code: "steal-time", message: "stolen", cure: "Buy a host." }] } : run,
      ),
    })),
  }));
  const { warnings } = compareGrid(["t"], cells);
  assert.deepEqual(
    warnings.filter(({ code }) => code === "steal-time").map(({ message }) => message),
    ["all 14 runs carry the warning steal-time (t=2)"],
  );
});

void test("cells with different subjects are refused", () => {
  const [first, second] = cellsOf(2, () => 1);
  assert.ok(first !== undefined && second !== undefined);
  const other = { ...second, subjects: second.subjects.map(({ runs }, index) => ({ name: `other ${index}`, runs })) };
  assert.throws(() => compareGrid(["t"], [first, other]), /t=1 has base, patched, t=2 has other 0, other 1/);
});
