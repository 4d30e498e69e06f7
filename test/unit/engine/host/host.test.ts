import assert from "node:assert/strict";
import test from "node:test";
import { cpuMask } from "../../../../src/platform/cpu-mask.js";
import { v8Flags } from "../../../../src/engine/host/v8-host.js";

test("a mask has bit n of byte n / 8 for CPU n, and what does not fit is an error", () => {
  assert.deepEqual([...cpuMask([0, 1], 8)], [3, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual([...cpuMask([9, 63], 8)], [0, 2, 0, 0, 0, 0, 0, 128]);
  assert.equal(cpuMask([5000], 632)[625], 1);
  assert.throws(() => cpuMask([64], 8), RangeError);
});

test("the baseline compiler is off everywhere, and the inliner where it would miss it", () => {
  const [v20, v22, v24, v26] = ["11.3.244.8", "12.4.254.21", "13.6.233.17", "14.6.202.34"].map(v8Flags);
  for (const flags of [v20, v22, v24, v26]) assert.ok(flags?.includes("--no-liftoff"));
  for (const flags of [v20, v22]) assert.ok(!flags?.includes("--no-wasm-inlining"));
  for (const flags of [v24, v26]) assert.ok(flags?.includes("--no-wasm-inlining"));
});
