import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHTML } from "linkedom";
import { type ChangeMap, changeMap, mapStep } from "../../../src/render/charts/change-map.js";
import { renderHtml } from "../../../src/render/reports/html-report.js";
import { gridReport } from "../../helpers/render/render-reports.js";

void test("a colour is as deep for a loss as for the gain that undoes it", () => {
  assert.deepEqual([1.01, 1.05, 1.16, 1.4, 9].map(mapStep), [1, 2, 3, 4, 4]);
  for (const ratio of [1.01, 1.05, 1.16, 1.4, 9]) assert.equal(mapStep(1 / ratio), mapStep(ratio), `1/${ratio}`);
  // From nothing to something.
  assert.equal(mapStep(null), 4);
});

const cell = (direction: "worse" | null) => ({
  text: direction === null ? "~" : "✗ +20.0 %",
  tooltip: `cell ${direction ?? "without a difference"}`,
  direction,
  ratio: 1.2,
});

const mapOf = (columns: number): ChangeMap => ({
  axis: "t (value of the option)",
  columns: Array.from({ length: columns }, (_, index) => String(index + 1)),
  rows: [
    { label: "request p99", cells: Array.from({ length: columns }, (_, index) => cell(index % 2 ? "worse" : null)) },
  ],
  label: "b against a.",
});

void test("every setting has its cell, with its text and all that is known; what does not fit beside each other goes below", () => {
  for (const width of ["wide", "half", "narrow"] as const) {
    const parts = changeMap(mapOf(25), width).map(({ markup }) => parseHTML(markup).document);
    assert.ok(parts.length > 1);
    const rects = parts.flatMap((part) => [...part.querySelectorAll("rect")]);
    assert.equal(rects.length, 25);
    assert.deepEqual(
      rects.map((rect) => rect.getAttribute("fill")),
      Array.from({ length: 25 }, (_, index) => (index % 2 ? "var(--worse-3)" : "none")),
    );
    const texts = parts.flatMap((part) => [...part.querySelectorAll("text")].map(({ textContent }) => textContent));
    assert.equal(texts.filter((text) => text === "✗ +20.0 %").length, 12);
    assert.equal(texts.filter((text) => text === "~").length, 13);
    assert.equal(parts.flatMap((part) => [...part.querySelectorAll("rect > title")]).length, 25);
    const spoken = parts.map((part) => part.querySelector("svg")?.getAttribute("aria-label") ?? "").join(" ");
    for (const column of mapOf(25).columns) assert.match(spoken, new RegExp(`\\b${column} (?:~|✗)`));
  }
});

void test("a grid's report has a map, and beside every curve the change", () => {
  const { document } = parseHTML(renderHtml(gridReport()));
  const colours = [...document.querySelectorAll("#map .wide rect")].map((rect) => rect.getAttribute("fill"));
  // Five metrics under three settings and over all of them.
  assert.equal(colours.length, 5 * 4);
  for (const colour of ["none", "var(--worse-2)", "var(--changed-4)"]) assert.ok(colours.includes(colour), colour);
  const titles = [...document.querySelectorAll("#curves h3")].map(({ textContent }) => textContent);
  assert.deepEqual(titles.slice(0, 4), [
    "request p99 against t",
    "request p99: change against t",
    "wakeup p99 against t",
    "wakeup p99: change against t",
  ]);
  assert.equal(titles.length, 10);
});
