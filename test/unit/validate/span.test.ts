import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultPolicy } from "../../../src/validate/policy.js";
import { spanningReferences } from "../../../src/validate/span.js";

const SIX = ["gcc-11", "gcc-12", "clang-13", "clang-14", "clang-16", "clang-19"];

void test("of many builds the first of each compiler spans the envelope, unless others are asked for", () => {
  assert.deepEqual(spanningReferences(SIX, null), ["gcc-11", "clang-13"]);
  assert.deepEqual(spanningReferences(SIX, ["clang-14", "gcc-12"]), ["gcc-12", "clang-14"]);
});

void test("names that say no compiler all span it", () => {
  assert.deepEqual(spanningReferences(["old", "new"], null), ["old", "new"]);
  assert.deepEqual(spanningReferences(["gcc-11", "gcc-12"], null), ["gcc-11", "gcc-12"]);
});

void test("a name that no reference has is refused, with the nearest", () => {
  assert.throws(() => spanningReferences(SIX, ["gcc-1"]), {
    name: "UsageError",
    message: 'no reference "gcc-1" for --envelope: allowed are gcc-11, gcc-12, clang-13, clang-14, clang-16, clang-19',
  });
});

const plan = (rounds: number, ofOneAxis: number | null = null) => ({
  rounds,
  cells: [
    { name: "default", flags: [], engineFlags: [], runtimeSec: 1, rounds: null },
    { name: "A50", flags: [], engineFlags: [], runtimeSec: 1, rounds: ofOneAxis },
  ],
});

void test("it is judged by round where every axis has rounds enough for the number of references", () => {
  assert.equal(defaultPolicy(plan(6), 2), "by-round");
  assert.equal(defaultPolicy(plan(5), 2), "measured");
  assert.equal(defaultPolicy(plan(6, 3), 2), "measured");
  assert.equal(defaultPolicy(plan(6), 6), "measured");
  assert.equal(defaultPolicy(plan(7), 6), "by-round");
});
