import assert from "node:assert/strict";
import { test } from "node:test";
import { drainPace } from "../../../../src/explain/trace/drain-pace.js";

const MSEC = 1_000_000;

void test("a ring that was due counts as empty at the next look, so that its speed is not taken for negative", () => {
  const pace = drainPace(0);
  assert.deepEqual(pace(0.5, 100 * MSEC), { isDue: true, againMsec: 50 });
  assert.deepEqual(pace(0.25, 200 * MSEC), { isDue: false, againMsec: 50 });
});

void test("a ring that empties by other hands is looked at as late as may be", () => {
  const pace = drainPace(0);
  pace(0.4, 100 * MSEC);
  assert.deepEqual(pace(0.1, 200 * MSEC), { isDue: false, againMsec: 500 });
});
