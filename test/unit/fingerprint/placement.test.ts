/** Where workers stand beside their message thread. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { besideShare, placementOf } from "../../../src/fingerprint/placement.js";

void test("the share is that of the workers on the CPU of their own message thread", () => {
  assert.equal(
    besideShare([
      [0, 0],
      [1, 0],
      [1, 1],
      [1, 1],
    ]),
    0.75,
  );
});

void test("a reading in which a thread is missing, or without workers, says nothing", () => {
  assert.equal(besideShare([]), null);
  assert.equal(
    besideShare([
      [0, 0],
      [null, 0],
    ]),
    null,
  );
});

void test("start, mean and end are those of the readings that say something", () => {
  assert.deepEqual(placementOf([null, 0.5, 1, 0, null]), { atStart: 0.5, mean: 0.5, atEnd: 0 });
  assert.deepEqual(placementOf([null]), { atStart: null, mean: null, atEnd: null });
});
