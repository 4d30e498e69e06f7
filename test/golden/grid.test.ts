import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { judgeGate } from "../../src/compare/gate.js";
import { compareGrid, type GridCellRuns } from "../../src/compare/grid.js";
import type { RunResult } from "../../src/model/result/run-result.js";
import { gridCsv } from "../../src/render/comparison/grid-csv.js";
import { gridMarkdown } from "../../src/render/comparison/grid-markdown.js";
import { originOf } from "../../src/render/comparison/grid-origin.js";
import { gridText, MAIL_COLUMNS } from "../../src/render/comparison/grid-text.js";
import { displayWidth } from "../../src/render/table.js";
import { gateGithub } from "../../src/render/gate/github.js";
import { gateJunit } from "../../src/render/gate/junit.js";
import { gateTap } from "../../src/render/gate/tap.js";
import { seededRandom } from "../../src/stats/random.js";
import { fakeResult } from "../helpers/fakes/fake-result.js";

const EXPECTED = "test/golden/expected/grid";

const assertGolden = (name: string, text: string): void => {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(EXPECTED, { recursive: true });
    writeFileSync(`${EXPECTED}/${name}`, text);
  }
  assert.equal(text, readFileSync(`${EXPECTED}/${name}`, "utf8"));
};

/** Seven runs around a level; the subjects of a cell differ by a factor. */
const runsAround = (usec: number, seed: number): readonly RunResult[] => {
  const random = seededRandom(seed);
  return Array.from({ length: 7 }, () => {
    const level = usec * (1 + (random.uniform() - 0.5) / 20);
    return fakeResult({
      requestUsec: [level, level * 1.1, level * 1.4].map(Math.floor),
      wakeupUsec: [level / 100, level / 50].map(Math.floor),
      averageRps: 1e6 / level,
    });
  });
};

const FACTORS = [1, 1.01, 1.2, 1.35];

const cellsOf = (names: readonly string[], values: (cell: number) => readonly string[]): readonly GridCellRuns[] =>
  FACTORS.map((factor, cell) => ({
    name: values(cell).join(" "),
    values: values(cell),
    subjects: names.map((name, subject) => ({
      name,
      runs: runsAround(4000 * (cell + 1) * (subject === 0 ? 1 : factor), 10 * cell + subject),
    })),
  }));

const grid = compareGrid(
  ["t"],
  cellsOf(["base", "patched"], (cell) => [String(2 ** cell)]).map((cell) => ({ ...cell, name: `t=${cell.name}` })),
  { metrics: ["request-p50", "average-rps"] },
);
const origin = originOf(
  [],
  "schbench-ts sweep --subject base --subject patched --vary t=1,2,4,8 --runs 7 -- -m 1 -r 10",
);
const mail = { colour: false, columns: MAIL_COLUMNS };

void test("a grid as text", () => assertGolden("grid.txt", gridText(grid, origin, mail)));
void test("a grid as Markdown", () => assertGolden("grid.md", gridMarkdown(grid, origin)));
void test("a grid as CSV", () => assertGolden("grid.csv", gridCsv(grid)));
void test("a grid as JSON", () => assertGolden("grid.json", `${JSON.stringify(grid, null, 2)}\n`));

for (const margin of [null, 0.1]) {
  const gate = judgeGate(grid, { failOn: "worse", margin, metrics: null });
  const name = margin === null ? "gate" : "gate-margin";
  void test(`a gate ${margin === null ? "without a margin" : "with one"} as JUnit`, () =>
    assertGolden(`${name}.xml`, gateJunit(gate)));
  void test(`a gate ${margin === null ? "without a margin" : "with one"} as KTAP`, () =>
    assertGolden(`${name}.tap`, gateTap(gate)));
  void test(`a gate ${margin === null ? "without a margin" : "with one"} as workflow commands`, () =>
    assertGolden(`${name}.github`, gateGithub(gate)));
}

const long = (text: string): string => `${text}-${"x".repeat(90)}`;
const widest = (text: string): number => Math.max(...text.split("\n").map(displayWidth));

void test("a mail has at most 80 columns, however many and long the names are", () => {
  for (const names of [
    ["base", "patched"],
    ["a-rather-long-name-of-a-kernel", "another-long-name-of-a-kernel-6.19-rc1"],
    [long("one"), long("two"), long("three"), long("four")],
  ])
    for (const values of [
      (cell: number) => [String(2 ** cell)],
      (cell: number) => [String(2 ** cell), "4096", "on"],
      (cell: number) => [String(2 ** cell), "y".repeat(70)],
    ]) {
      const varied = values(0).map((_, index) => "tFL".charAt(index));
      const text = gridText(
        compareGrid(varied, cellsOf(names, values), {
          metrics: ["average-rps"],
          primaryMetric: "request-p50",
          resamples: 50,
        }),
        { ...origin, machine: long("a machine with a long name") },
        mail,
      );
      assert.ok(widest(text) <= MAIL_COLUMNS, text);
      for (const name of names) assert.ok(text.replaceAll(/\n */g, "").includes(name), name);
    }
});
