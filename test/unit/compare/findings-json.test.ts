/** The keys of a comparison and of a grid, as docs/experiments.md tells them: they stay. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compareSubjects } from "../../../src/compare/compare.js";
import { compareGrid } from "../../../src/compare/grid.js";
import { fakeRun } from "../../helpers/render/render-results.js";

const [, section = ""] = readFileSync("docs/experiments.md", "utf8").split("## Findings as JSON\n");
const [text = ""] = section.split("\n## ");
const documented: ReadonlySet<string> = new Set([...text.matchAll(/`([\w-]+)`/gu)].map(([, word = ""]) => word));

const subjects = ["a", "b"].map((name, subject) => ({
  name,
  runs: Array.from({ length: 6 }, (_, run) =>
    fakeRun({
      seed: 10 * subject + run,
      seconds: 1,
      requestUsec: 4900 + 300 * subject,
      startedAt: new Date(Date.UTC(2026, 0, 1) + (2 * run + subject) * 60_000).toISOString(),
    }),
  ),
}));
const comparison = compareSubjects(subjects);
const grid = compareGrid(
  ["t"],
  [
    { name: "t=1", values: ["1"], subjects: subjects.map((one) => ({ ...one, runs: one.runs.slice(0, 3) })) },
    { name: "t=2", values: ["2"], subjects: subjects.map((one) => ({ ...one, runs: one.runs.slice(3) })) },
  ],
);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Every key in a value, however deep. */
const keysIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]) : [];
};

/** What explains itself, beside what it belongs to. */
const PLAIN = ["low", "high", "from", "because", "neededRuns", "neededForRatio"];

void test("every key of a comparison and of a grid is documented", () => {
  for (const found of [comparison, grid]) {
    const missing = [...new Set(keysIn(found))].filter((key) => !documented.has(key) && !PLAIN.includes(key));
    assert.deepEqual(missing, []);
  }
});

void test("every key that is documented of a comparison, a metric and a pair is there", () => {
  const [metric] = comparison.metrics;
  const [pair] = metric?.pairs ?? [];
  for (const [object, keys] of [
    [comparison, ["format", "version", "subjects", "primaryMetric", "primaryNamed", "seed", "confidence", "outcome"]],
    [comparison, ["contrasts", "metrics", "warnings"]],
    [metric, ["id", "label", "unit", "better", "quantised", "primary", "weight", "subjects", "pairs"]],
    [metric?.subjects[0], ["subject", "values", "median", "merged", "shown"]],
    [pair, ["base", "candidate", "difference", "ratio", "p", "smallestP", "adjustedP", "threshold", "verdict"]],
    [grid, ["format", "version", "varied", "subjects", "cells", "primaryMetric", "primaryNamed", "seed", "confidence"]],
    [grid, ["outcome", "contrasts", "metrics", "warnings"]],
    [grid.metrics[0], ["rows", "overall"]],
    [grid.metrics[0]?.rows[0], ["cell", "subjects", "pairs"]],
    [grid.metrics[0]?.overall[0], ["base", "candidate", "ratio", "cells", "p", "adjustedP", "threshold", "verdict"]],
  ] as const) {
    assert.ok(object !== undefined);
    for (const key of keys) {
      assert.ok(key in object, key);
      assert.ok(documented.has(key), key);
    }
  }
  assert.equal(comparison.version, 2);
  assert.equal(grid.version, 1);
});
