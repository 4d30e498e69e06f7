/** Comparisons as they are printed; UPDATE_GOLDEN=1 writes the expected files anew. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { judgeGate } from "../../src/compare/gate.js";
import { comparisonCsv, comparisonMail } from "../../src/render/comparison/comparison-mail.js";
import { comparisonMarkdown } from "../../src/render/comparison/comparison-markdown.js";
import { comparisonTable } from "../../src/render/comparison/comparison-table.js";
import { gateGithub } from "../../src/render/gate/github.js";
import { gateJunit } from "../../src/render/gate/junit.js";
import { gateTap } from "../../src/render/gate/tap.js";
import { displayWidth } from "../../src/render/table.js";
import { eightBoots, fleet, pipe, threeCandidates, tooFew, twoBoots } from "../unit/render/comparison-examples.js";

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

const ORIGIN = { kernels: "6.18.1", machine: "Test CPU 9000, 8 CPUs", command: "not known" };

for (const [name, comparison] of Object.entries({ fleet, "two-boots": twoBoots, "eight-boots": eightBoots })) {
  void test(`${name} prints with its blocks in every format`, () => {
    const gate = judgeGate(comparison, { failOn: "worse", margin: null, metrics: null });
    const mail = comparisonMail(comparison, ORIGIN);
    const text = comparisonTable(comparison, { colour: false, columns: 80 });
    matches(`${name}.txt`, comparisonTable(comparison, { colour: false }));
    matches(`${name}-80.txt`, text);
    matches(`${name}.md`, comparisonMarkdown(comparison));
    matches(`${name}.mail`, mail);
    matches(`${name}.csv`, comparisonCsv(comparison));
    matches(`${name}.xml`, gateJunit(gate));
    matches(`${name}.tap`, gateTap(gate));
    matches(`${name}.github`, gateGithub(gate));
    for (const line of mail.split("\n")) assert.ok(displayWidth(line) <= 80, line);
    // What stands above the legend.
    const above = text.split("\n").slice(
      0,
      text.split("\n").findIndex((line) => line.startsWith("*")),
    );
    for (const line of above.slice(1)) assert.ok(displayWidth(line) <= 80, line);
  });
}
