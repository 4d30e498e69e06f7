import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ParseError } from "../../../../src/errors.js";
import {
  embedData,
  isHtmlReport,
  resultsInHtml,
  subjectsInHtml,
} from "../../../../src/render/reports/embedded-data.js";
import { withoutCourse } from "../../../../src/model/without-course.js";
import { renderHtml } from "../../../../src/render/reports/html-report.js";
import { fakeReports, HOSTILE, hostileReports, twoSubjects } from "../../../helpers/render-reports.js";
import { fakeRun } from "../../../helpers/render-results.js";

const document = (data: unknown): string => `<!doctype html>\n<p>x</p>${embedData(data).markup}</body></html>`;

void test("a property: any JSON value comes back as it was embedded", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(resultsInHtml(document(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

void test("no text can end the block or open another", () => {
  for (const text of [
    ...HOSTILE,
    '<script type="application/json" id="schbench-ts-data">',
    "\u2028\u2029<!--<script>",
  ]) {
    const block = embedData({ [text]: text }).markup;
    assert.equal(block.match(/</g)?.length, 2, "only the block's own two tags");
    assert.deepEqual(resultsInHtml(document({ [text]: text })), { [text]: text });
  }
});

void test("a report that was cut off, or is none, has no data", () => {
  const whole = document({ a: 1 });
  assert.equal(resultsInHtml(whole.slice(0, whole.indexOf("</script>"))), undefined);
  assert.equal(resultsInHtml("<!doctype html><p>hello</p>"), undefined);
  assert.equal(resultsInHtml(""), undefined);
});

void test("an HTML report is told from other files by its first line", () => {
  assert.ok(isHtmlReport(renderHtml({ kind: "run", runs: [] })));
  assert.ok(isHtmlReport("\n<!DOCTYPE html>"));
  assert.ok(!isHtmlReport('{"format":"schbench-ts/run-result"}'));
});

void test("runs and comparisons are read back whole, under the names of their subjects", () => {
  const run = fakeRun({ seed: 3, seconds: 2 });
  assert.deepEqual(subjectsInHtml(renderHtml({ kind: "run", title: "a", runs: [run] }), "a.html"), [
    { name: "a", runs: [run] },
  ]);
  const { comparison } = fakeReports();
  assert.ok(comparison?.kind === "comparison");
  assert.deepEqual(
    subjectsInHtml(renderHtml(comparison), "c.html"),
    twoSubjects().map(({ name, runs }) => ({ name, runs })),
  );
});

void test("a comparison of many runs is read back without their course", () => {
  const { comparison } = fakeReports();
  assert.ok(comparison?.kind === "comparison");
  const runs = Array.from({ length: 50 }, (_, index) => fakeRun({ seed: index, seconds: 2, startedAt: null }));
  const subjects = ["a", "b"].map((name) => ({ name, runs }));
  const back = subjectsInHtml(renderHtml({ ...comparison, subjects }), "c.html");
  assert.deepEqual(
    back.map((subject) => subject.runs),
    subjects.map(() => runs.map(withoutCourse)),
  );
  assert.ok(runs.every((run) => run.seconds.length > 0));
});

void test("hostile names are read back to the letter", () => {
  const { comparison } = hostileReports();
  assert.ok(comparison?.kind === "comparison");
  const back = subjectsInHtml(renderHtml(comparison), "c.html");
  assert.deepEqual(
    back.map(({ name }) => name),
    comparison.subjects.map(({ name }) => name),
  );
  assert.deepEqual(back[0]?.runs, comparison.subjects[0]?.runs);
});

void test("a sweep is read back without its histograms second by second", () => {
  const { sweep } = fakeReports();
  assert.ok(sweep?.kind === "sweep");
  const back = subjectsInHtml(renderHtml(sweep), "s.html");
  assert.deepEqual(
    back.map(({ name }) => name),
    ["-t 1", "-t 2", "-t 4", "-t 8", "-t 16", "-t 32"],
  );
  assert.deepEqual(back[0]?.runs[0]?.request, sweep.cells[0]?.runs[0]?.request);
  assert.equal(back[0]?.runs[0]?.seconds[0]?.request, null);
});

void test("what is not a report of ours is refused with its name", () => {
  for (const text of ["<!doctype html>", document({ format: "other" }), document(3)])
    assert.throws(
      () => subjectsInHtml(text, "x.html"),
      (error) => error instanceof ParseError && /^x\.html:[12]: /.test(error.message),
    );
  const broken = document({
    format: "schbench-ts/report",
    version: 1,
    kind: "run",
    subjects: [{ name: "a", runs: [{}] }],
  });
  assert.throws(
    () => subjectsInHtml(broken, "x.html"),
    /^ParseError: x\.html:2: damaged data of a report: subjects\[0\]\.runs\[0\]\.format is missing/,
  );
});
