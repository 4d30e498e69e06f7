import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestName } from "../../../src/options/suggest.js";

const known = ["--runtime", "--rps", "--cache_footprint", "--no-locking", "-L", "ab", "sweep"];

for (const [wrong, near] of [
  ["--runtme", "--runtime"],
  ["--run", "--runtime"],
  ["--RPS", "--rps"],
  ["--cache-footprint", "--cache_footprint"],
  ["--nolocking", "--no-locking"],
  ["-l", "-L"],
  ["swep", "sweep"],
  ["-x", undefined],
  ["--frobnicate", undefined],
  ["", undefined],
] as const)
  void test(`"${wrong}" ${near === undefined ? "is near nothing" : `probably means ${near}`}`, () => {
    assert.equal(nearestName(wrong, known), near);
  });
