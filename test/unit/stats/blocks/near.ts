import assert from "node:assert/strict";

/** A figure, to within a tolerance. */
export const near = (actual: number | null | undefined, expected: number, tolerance: number): void =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);
