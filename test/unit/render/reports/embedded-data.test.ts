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
import { compareSubjects } from "../../../../src/compare/compare.js";
import type { Comparison } from "../../../../src/compare/comparison.js";
import { compareGrid } from "../../../../src/compare/grid.js";
import type { MetricId } from "../../../../src/model/metrics/metrics.js";
import { renderHtml } from "../../../../src/render/reports/html-report.js";
import { fakeReports, HOSTILE, hostileReports, twoSubjects } from "../../../helpers/render/render-reports.js";
import { fakeRun } from "../../../helpers/render/render-results.js";

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

const manyRuns = (runs: number) =>
  ["a", "b"].map((name, subject) => ({
    name,
    runs: Array.from({ length: runs }, (_, index) =>
      fakeRun({
        seed: 2 * index + subject,
        seconds: 2,
        requestUsec: 4900 + 20 * subject,
        startedAt: new Date(Date.UTC(2026, 0, 1) + (2 * index + subject) * 60_000).toISOString(),
      }),
    ),
  }));

const manyRunsReport = (runs: number, metrics: readonly MetricId[] = ["wakeup-p95", "request-p99"]) => {
  const subjects = manyRuns(runs);
  const comparison = compareSubjects(subjects, { metrics });
  return { subjects, comparison, html: renderHtml({ kind: "comparison", subjects, comparison }) };
};

const judged = (found: Comparison) => found.metrics.map(({ id, pairs }) => [id, pairs]);

void test("a comparison of many runs is judged as before when it is read back, by percentiles named for it, too", () => {
  const { comparison, subjects, html } = manyRunsReport(50);
  const back = subjectsInHtml(html, "c.html");
  const again = compareSubjects(back, { metrics: ["wakeup-p95", "request-p99"] });
  assert.deepEqual(judged(again), judged(comparison));
  assert.deepEqual(again.warnings, comparison.warnings);
  assert.equal(back[0]?.runs[0]?.request?.buckets, null, "the histograms of single runs stay in the store");
  const sum = new Map<number, number>();
  for (const { request } of subjects[0]?.runs ?? [])
    for (const [bucket, count] of request?.buckets ?? []) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  assert.deepEqual(
    back[0]?.merged?.request?.buckets,
    [...sum].toSorted(([a], [b]) => a - b),
    "their sum goes in",
  );
});

/** What the percentile chart says of itself. */
const line = (page: string): string | undefined =>
  page.match(/aria-label="(request latency by percentile\.[^"]*)"/)?.[1];

void test("a report of a report shows the same percentile curves, as far as no single run is needed", () => {
  const { html, comparison } = manyRunsReport(60);
  const again = renderHtml({ kind: "comparison", subjects: subjectsInHtml(html, "c.html"), comparison });
  assert.ok(line(html) !== undefined);
  assert.equal(line(again), line(html));
  assert.ok(again.includes('<td class="number">'), "and its table");
});

void test("of many runs a page shows what they have in common: twice as many runs do not make it much longer", () => {
  const [some, more] = [120, 240].map((runs) => manyRunsReport(runs).html.replace(/<script[\s\S]*$/, ""));
  assert.ok(some !== undefined && more !== undefined);
  assert.ok(more.length < 1.4 * some.length, `${some.length} and ${more.length} characters`);
  assert.match(more, /eight in ten runs/);
});

void test("a grid is read back setting by setting", () => {
  for (const runs of [2, 30]) {
    const cells = ["t=1", "t=2"].map((name, cell) => ({
      name,
      values: [String(cell + 1)],
      subjects: manyRuns(runs).map((subject) => ({
        ...subject,
        runs: subject.runs.map((run) => ({ ...run, jobname: name })),
      })),
    }));
    const grid = compareGrid(["t"], cells);
    const origin = { kernels: "", machine: "", command: "" };
    const back = subjectsInHtml(renderHtml({ kind: "grid", grid, origin, cells }), "g.html");
    assert.deepEqual(
      back.map(({ name, subject, cell }) => [name, subject, cell]),
      [
        ["a, t=1", "a", "t=1"],
        ["b, t=1", "b", "t=1"],
        ["a, t=2", "a", "t=2"],
        ["b, t=2", "b", "t=2"],
      ],
    );
    assert.deepEqual(
      back.map((subject) => subject.runs.map(({ jobname }) => jobname)),
      cells.flatMap(({ name, subjects }) => subjects.map((subject) => subject.runs.map(() => name))),
    );
  }
});

void test("packed runs that were damaged are refused", () => {
  const { html } = manyRunsReport(50);
  for (const [damage, message] of [
    [(text: string) => text.replace(/"packedRuns":"./, '"packedRuns":"!'), /its runs cannot be unpacked/],
    [(text: string) => text.replace('"count":50', '"count":51'), /"a" has 50 of 51 runs/],
    [(text: string) => text.replace('"version":2', '"version":3'), /version 3: this program reads versions 1 and 2/],
  ] as const)
    assert.throws(
      () => subjectsInHtml(damage(html), "c.html"),
      (error) => error instanceof ParseError && message.test(error.message),
    );
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
