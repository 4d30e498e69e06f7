/** Comparisons as they are printed; UPDATE_GOLDEN=1 writes the expected files anew. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { comparisonMarkdown } from "../../src/render/comparison/comparison-markdown.js";
import { comparisonTable } from "../../src/render/comparison/comparison-table.js";
import { pipe, threeCandidates, tooFew } from "../unit/render/comparison-examples.js";

const FOLDER = "test/golden/expected/comparison";

const matches = (name: string, actual: string): void => {
  const file = `${FOLDER}/${name}`;
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, actual);
  }
  assert.equal(actual, readFileSync(file, "utf8"));
};

for (const [name, comparison] of Object.entries({ "three-candidates": threeCandidates, "too-few": tooFew, pipe })) {
  void test(`${name} prints as a table`, () => matches(`${name}.txt`, comparisonTable(comparison, { colour: false })));
  void test(`${name} prints as Markdown`, () => matches(`${name}.md`, comparisonMarkdown(comparison)));
}

void test("a narrow coloured terminal gets fewer columns and the same verdicts", () => {
  matches("narrow-coloured.txt", comparisonTable(threeCandidates, { colour: true, columns: 72 }));
});
