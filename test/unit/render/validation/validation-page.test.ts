import assert from "node:assert/strict";
import { test } from "node:test";
import { HAND_WRITTEN, validationPage } from "../../../../src/render/validation/validation-page.js";
import { validationPicture } from "../../../../src/render/validation/validation-picture.js";
import { cellsOf, countsText } from "../../../../src/render/validation/validation-sentences.js";
import type { CellStatus, Validation } from "../../../../src/validate/validation.js";
import { fakeValidation } from "../../../helpers/render/render-validation.js";

const CONTEXT = { command: "schbench-ts validate", causes: [], tables: "tables.md", picture: "images/picture.svg" };
/** Judged by round, as the page shows it. */
const byRound = (ours?: readonly string[]): Validation => {
  const measured = fakeValidation(ours);
  const axes = measured.axes.map((axis) => ({
    ...axis,
    metrics: axis.metrics.map((metric) => ({
      ...metric,
      verdicts: metric.verdicts.map((verdict) => ({
        ...verdict,
        status: verdict.byRound?.kind ?? ("not-judged" as const),
      })),
    })),
  }));
  const counts: Record<CellStatus, number> = { inside: 0, outside: 0, noise: 0, undecided: 0, "not-judged": 0 };
  const validation = { ...measured, policy: "by-round" as const, axes };
  for (const { verdict } of cellsOf(validation)) counts[verdict.status]++;
  return { ...validation, counts, outcome: counts.outside > 0 ? "outside" : "inside" };
};

void test("the page says of each verdict as many as its tables have, and lists every cell outside", () => {
  const validation = byRound();
  const page = validationPage(validation, CONTEXT);
  assert.ok(page.includes(countsText(validation.counts)), page);
  const outside = cellsOf(validation).filter(({ verdict }) => verdict.status === "outside");
  assert.ok(outside.length > 0);
  const [, rows = ""] = page.split("**Cause: not known.**");
  for (const { axis, metric } of outside)
    assert.match(rows, new RegExp(`\\| ${axis.name} +\\| ${metric.label} .*\\*\\*outside, `));
  assert.ok(page.trimEnd().endsWith(HAND_WRITTEN));
});

void test("a cause is told at the cells that it names and at no other", () => {
  const validation = byRound();
  const causes = [{ axes: ["F64"], metrics: ["request-p50"], cause: "the loop of another shape" }];
  const blocks = validationPage(validation, { ...CONTEXT, causes }).split("\n\n");
  const heads = blocks.flatMap((block, at) => (block.includes("the loop of another shape") ? [at] : []));
  assert.equal(heads.length, 1);
  const rows = (blocks[(heads[0] ?? 0) + 1] ?? "").split("\n").slice(2);
  assert.equal(rows.length, 1);
  assert.match(rows[0] ?? "", /^\| F64 +\| request p50 /);
});

void test("the page names the core, since it speaks of no other", () => {
  const validation = byRound();
  const host =
    validation.host === null ? null : { ...validation.host, cpuSignature: "AuthenticAMD family 25 model 17" };
  assert.match(validationPage({ ...validation, host }, CONTEXT), /another core: .*AuthenticAMD family 25 model 17/);
});

void test("the picture has a line for every axis and a mark for every judged cell, named with its verdict", () => {
  const validation = byRound(["native", "v8"]);
  const svg = validationPicture(validation);
  for (const axis of validation.axes) assert.ok(svg.includes(`>${axis.name}</text>`), axis.name);
  const judged = cellsOf(validation).filter(({ verdict }) => verdict.status !== "not-judged");
  assert.equal([...svg.matchAll(/<g class="(?:inside|noise|undecided|outside)"><title>/g)].length, judged.length);
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
});
