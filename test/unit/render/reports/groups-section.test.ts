/** The groups of workers on a page about runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHTML } from "linkedom";
import type { RunResult } from "../../../../src/model/result/run-result.js";
import { renderHtml } from "../../../../src/render/reports/html-report.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";
import { fullRateResult } from "../../../helpers/fakes/full-result.js";

const rowsOf = (result: RunResult): readonly (readonly string[])[] => {
  const { document } = parseHTML(renderHtml({ kind: "run", runs: [result] }));
  return [...document.querySelectorAll("#groups tr")].map((row) =>
    [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim()),
  );
};

void test("each group has a row with what it asked for, its latencies and its rate", () => {
  const rows = rowsOf(fullRateResult());
  assert.deepEqual(rows[0]?.slice(0, 4), ["group", "workers", "attributes", "wakeup p50 (µs)"]);
  assert.deepEqual(
    rows.slice(1).map((row) => [...row.slice(0, 4), row.at(-1)]),
    [
      ["short", "1", "batch,slice=500,uclamp=0-512", "37", "35"],
      ["rest", "1", "as this process", "745", "15"],
    ],
  );
});

void test("runs without groups have no such section", () => {
  assert.deepEqual(rowsOf(fakeResult()), []);
});
