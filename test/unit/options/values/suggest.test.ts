import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestName, remedyFor } from "../../../../src/options/values/suggest.js";
import { UnknownNameError } from "../../../../src/options/values/unknown-name.js";

const known = ["--runtime", "--rps", "--cache_footprint", "--no-locking", "-L", "ab", "sweep"];

for (const [wrong, near] of [
  ["--runtme", "--runtime"],
  ["--run", "--runtime"],
  ["--RPS", "--rps"],
  ["--cache-footprint", "--cache_footprint"],
  ["--nolocking", "--no-locking"],
  ["-l", "-L"],
  ["swep", "sweep"],
  ["sewep", "sweep"],
  ["--rsp", "--rps"],
  ["-x", undefined],
  ["--frobnicate", undefined],
  ["", undefined],
] as const)
  void test(`"${wrong}" ${near === undefined ? "is near nothing" : `probably means ${near}`}`, () => {
    assert.equal(nearestName(wrong, known), near);
  });

for (const [wrong, remedy] of [
  ["--hlep", "Did you mean --help?"],
  ["-h", "Write -h as a word of its own, before any --."],
  ["-q", "Flags come after --."],
] as const)
  void test(`the remedy for "${wrong}" is "${remedy}"`, () => {
    const error = new UnknownNameError("unknown", wrong, known, "Flags come after --.");
    assert.equal(remedyFor(error, ["--help", "-h"]), remedy);
  });
