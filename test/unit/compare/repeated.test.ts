import assert from "node:assert/strict";
import { test } from "node:test";
import { compareSubjects } from "../../../src/compare/compare.js";
import { compareGrid } from "../../../src/compare/grid.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const runs = (first: number, count = 6): readonly RunResult[] =>
  Array.from({ length: count }, (_, index) =>
    fakeResult(
      { requestUsec: [first + index] },
      { startedAt: `2026-12-01T12:00:${String(first + index).padStart(2, "0")}.000Z` },
    ),
  );
const [BASE, NEW] = [runs(10), runs(20)];

void test("runs given twice to one subject count once, with a warning, and change no figure", () => {
  const once = compareSubjects([
    { name: "base", runs: BASE },
    { name: "new", runs: NEW },
  ]);
  const twice = compareSubjects([
    { name: "base", runs: [...BASE, ...BASE] },
    { name: "new", runs: NEW },
  ]);
  assert.deepEqual(twice.metrics, once.metrics);
  assert.deepEqual(twice.warnings[0], {
    code: "repeated-runs",
    message: "base: 6 of 12 runs are there more than once: each is counted once",
    cure: "Name each file once, and compare runs of their own.",
  });
});

void test("a run on both sides counts for the base alone", () => {
  const compared = compareSubjects([
    { name: "base", runs: BASE },
    { name: "new", runs: [...NEW, ...BASE.slice(0, 2)] },
  ]);
  assert.deepEqual(
    compared.subjects.map((subject) => subject.runs),
    [6, 6],
  );
  assert.match(compared.warnings[0]?.message ?? "", /^new: 2 of 8 runs are there in base, too: each is counted once$/);
});

void test("a subject compared with itself is refused: it has no run of its own", () => {
  assert.throws(
    () =>
      compareSubjects([
        { name: "base", runs: BASE },
        { name: "copy", runs: BASE },
      ]),
    {
      name: "UserError",
      message: 'cannot judge "copy": it has no run of its own, all 6 are in "base"',
    },
  );
});

/** One setting of a grid. */
const cell = (name: string, base: readonly RunResult[], patched: readonly RunResult[]) => ({
  name,
  values: [name.slice(2)],
  subjects: [
    { name: "base", runs: base },
    { name: "new", runs: patched },
  ],
});

void test("in a grid a run belongs to one cell", () => {
  const grid = compareGrid(["t"], [cell("t=1", BASE, NEW), cell("t=2", [...runs(30), ...BASE.slice(0, 1)], runs(40))]);
  assert.deepEqual(
    grid.cells.map(({ subjects }) => subjects.map((subject) => subject.runs)),
    [
      [6, 6],
      [6, 6],
    ],
  );
  assert.equal(grid.warnings[0]?.code, "repeated-runs");
});
