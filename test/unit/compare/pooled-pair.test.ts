/** One metric over several blocks: what its strata can show, and which values have no logarithm. */
import assert from "node:assert/strict";
import test from "node:test";
import { logSides, twoSided } from "../../../src/compare/pooled-pair.js";

test("one value that is not positive, on either side of any stratum, leaves no logarithms", () => {
  const fine = { x: [1, 2], y: [3, 4] };
  assert.notEqual(logSides([fine, fine], 2, 0), null);
  for (const bad of [
    { x: [0, 2], y: [3, 4] },
    { x: [1, 2], y: [3, 0] },
    { x: [1, -2], y: [3, 4] },
  ]) {
    assert.equal(logSides([bad], 2, 0), null);
    assert.equal(logSides([fine, bad], 2, 0), null);
  }
  assert.equal(logSides([], 2, 0), null);
});

/** A boot on which everything takes so many times as long. */
const boot = (factor: number) => ({ x: [1, 2, 4].map((v) => v * factor), y: [2, 4, 8].map((v) => v * factor) });

test("what strata have of their own is taken off before they are put together", () => {
  const sides = logSides([boot(1), boot(10)], 2, 0);
  assert.ok(sides !== null);
  for (const side of [sides.x, sides.y])
    for (const i of [0, 1, 2])
      assert.ok(Math.abs((side.at(i) ?? Number.NaN) - (side.at(i + 3) ?? Number.NaN)) < 1e-12, `value ${i}`);
});

test("a stratum in which one side has no value is left out", () => {
  assert.deepEqual(
    twoSided([
      { x: [1, null], y: [null, 2] },
      { x: [null], y: [3] },
    ]),
    [{ x: [1], y: [2] }],
  );
});
