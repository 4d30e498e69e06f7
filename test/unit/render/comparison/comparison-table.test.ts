import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { test } from "node:test";
import { headlines } from "../../../../src/render/comparison/comparison-headline.js";
import { comparisonMarkdown, escapedMarkdown } from "../../../../src/render/comparison/comparison-markdown.js";
import { comparisonTable } from "../../../../src/render/comparison/comparison-table.js";
import {
  changeText,
  intervalText,
  noteText,
  pairChangeText,
  pText,
  spreadText,
  valueText,
} from "../../../../src/render/comparison/comparison-text.js";
import { alignedRows, displayWidth, padded } from "../../../../src/render/table.js";
import type { PairMetric, Verdict } from "../../../../src/compare/comparison.js";
import { pipe, threeCandidates, tooFew } from "../comparison-examples.js";

const pairWith = (verdict: Verdict): PairMetric => ({
  base: "a",
  candidate: "b",
  difference: null,
  ratio: null,
  p: null,
  smallestP: null,
  adjustedP: null,
  threshold: null,
  verdict,
});

const widthTo = (line: string, end: string): number => displayWidth(line.slice(0, line.indexOf(end) + end.length));
const trimmed = (text: string): string => text.replaceAll(/ +$/gm, "");

void test("values carry their unit", () => {
  assert.equal(valueText(5021, "usec"), "5021µs");
  assert.equal(valueText(6.5, "usec"), "6.50µs");
  assert.equal(valueText(1822.41, "requests/s"), "1822/s");
  assert.equal(valueText(182.24, "ops/s"), "182.2/s");
  assert.equal(valueText(48.23 * 1024 ** 2, "bytes/s"), "48.23MB/s");
});

void test("changes are signed, and a change of nothing has no sign", () => {
  assert.equal(changeText(1.103), "+10.3%");
  assert.equal(changeText(0.9), "-10.0%");
  assert.equal(changeText(1.0001), "0.0%");
  assert.equal(changeText(0.99999), "0.0%");
  assert.equal(changeText(13.344), "+1234%");
});

void test("intervals, spreads and p values are empty where there is none", () => {
  assert.equal(intervalText({ value: 1.1, interval: { low: 0.95, high: 1.2 } }), "[-5.0%, +20.0%]");
  assert.equal(intervalText({ value: 0.1, interval: { low: 0.1, high: null } }), "[-90.0%, ∞)");
  assert.equal(intervalText(null), "");
  assert.equal(spreadText({ value: 100, interval: { low: 97, high: 101 } }), "± 3%");
  assert.equal(spreadText({ value: 100, interval: null }), "");
  assert.equal(spreadText({ value: 0, interval: { low: 0, high: 1 } }), "");
  assert.equal(pText(0.0123), "p=0.012");
  assert.equal(pText(0.0001), "p<0.001");
  assert.equal(pText(null), "");
});

void test("a change from 0 is told in the metric's unit", () => {
  const fromZero = { ...pairWith({ kind: "different", direction: "worse" }), difference: 7 };
  assert.equal(pairChangeText({ unit: "usec" }, fromZero), "+7µs");
  assert.equal(pairChangeText({ unit: "usec" }, { ...fromZero, ratio: { value: 1.5, interval: null } }), "+50.0%");
  assert.equal(pairChangeText({ unit: "usec" }, { ...fromZero, difference: null }), "");
});

void test("a note says why nothing is shown", () => {
  const notes: readonly (readonly [Verdict, string])[] = [
    [{ kind: "different", direction: "worse" }, ""],
    [{ kind: "negligible", because: "resolution" }, "no more than its resolution"],
    [{ kind: "negligible", because: "noise-threshold" }, "within the noise threshold"],
    [{ kind: "not-shown", neededRuns: 14, neededForRatio: 1.05 }, "+5.0% would need 14 runs"],
    [{ kind: "not-shown", neededRuns: null, neededForRatio: null }, ""],
    [{ kind: "undecided", because: "too-few-runs", neededRuns: 4 }, "too few runs, needs 4"],
    [{ kind: "undecided", because: "no-data", neededRuns: null }, "no value on one side"],
  ];
  for (const [verdict, note] of notes) assert.equal(noteText(pairWith(verdict)), note);
});

void test("there is one headline per candidate", () => {
  assert.equal(headlines(threeCandidates).length, 3);
  assert.match(headlines(threeCandidates)[0] ?? "", /^調度\|器_\*v2\* is worse than eevdf: request p99 \+\d/);
  assert.match(headlines(tooFew)[0] ?? "", /^Undecided between new and base in request p50: too few runs, needs 6\.$/);
  assert.match(headlines(pipe)[0] ?? "", /too little to matter/);
});

void test("the columns of a table line up whatever the width of its characters", () => {
  const table = comparisonTable(threeCandidates, { colour: false }).split("\n");
  const from = table.findIndex((line) => line.includes("調度|器") && line.startsWith("metric"));
  const header = table[from] ?? "";
  const first = table[from + 1] ?? "";
  const candidateEnd = widthTo(header, "調度|器_*v2* (6)");
  assert.equal(displayWidth(/^.*?%.*?%/.exec(first)?.[0] ?? ""), candidateEnd);
});

void test("colour changes nothing but the colour", () => {
  const plain = comparisonTable(threeCandidates, { colour: false });
  const coloured = comparisonTable(threeCandidates, { colour: true });
  assert.notEqual(coloured, plain);
  assert.equal(trimmed(stripVTControlCharacters(coloured)), trimmed(plain));
});

void test("a table is no wider than the terminal as long as a column can be spared", () => {
  for (const columns of [90, 80, 72, 64]) {
    const table = comparisonTable(threeCandidates, { colour: false, columns }).split("\n");
    for (const line of table.filter((text) => /^(metric|wakeup|request|rps|average)/.test(text)))
      assert.ok(displayWidth(line) <= columns, `${displayWidth(line)} > ${columns}: ${line}`);
  }
});

void test("every line of a Markdown table has the same cells, with the names escaped", () => {
  const lines = comparisonMarkdown(threeCandidates)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  for (const line of lines) assert.equal(line.split(/(?<!\\)\|/).length, 11, line);
  assert.equal(new Set(lines.slice(0, 12).map(displayWidth)).size, 1);
  assert.equal(escapedMarkdown("a|b_c*\n<d>"), "a\\|b\\_c\\* \\<d\\>");
});

void test("wide, combining and picture characters take the columns that a terminal gives them", () => {
  const widths: readonly (readonly [string, number])[] = [
    ["abc", 3],
    ["µs ± ~", 6],
    ["調度器", 6],
    ["한국", 4],
    ["ｶﾅ", 2],
    ["Ａ", 2],
    ["e\u0301", 1],
    ["👩‍💻", 2],
    ["🚀x", 3],
    ["\u200b", 0],
  ];
  for (const [text, width] of widths) assert.equal(displayWidth(text), width, JSON.stringify(text));
  assert.equal(padded("調", 4), "調  ");
  assert.equal(padded("調", 4, "right"), "  調");
});

void test("rows are padded by column, without blanks at the end", () => {
  const rows = alignedRows([
    [{ text: "a" }, { text: "1", align: "right" }, { text: "" }],
    [{ text: "long" }, { text: "22", align: "right" }, { text: "note" }],
  ]);
  assert.deepEqual(rows, ["a      1", "long  22  note"]);
});
