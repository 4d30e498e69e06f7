import assert from "node:assert/strict";
import test from "node:test";
import { UsageError } from "../../../src/errors.js";
import { type Duration, usecOf, usecText } from "../../../src/library/duration.js";

const TABLE: readonly (readonly [Duration, number])[] = [
  [50, 50],
  [0, 0],
  [0.5, 0.5],
  ["50us", 50],
  ["50µs", 50],
  ["1.5ms", 1500],
  ["800ns", 0.8],
  ["2s", 2_000_000],
  ["0us", 0],
];

for (const [duration, usec] of TABLE)
  test(`${typeof duration === "number" ? duration : `"${duration}"`} is ${usec} microseconds`, () => {
    assert.equal(usecOf(duration), usec);
  });

for (const duration of [-1, Number.NaN, Number.POSITIVE_INFINITY, "-5us", "1e3us", "0x10ms"] as const)
  test(`${duration} is no duration`, () => {
    assert.throws(
      () => usecOf(duration),
      (error) => error instanceof UsageError && error.message.startsWith(`invalid duration "${duration}"`),
    );
  });

test("microseconds as text have no more digits than they need", () => {
  assert.deepEqual([50, 0.8, 1 / 3].map(usecText), ["50 us", "0.8 us", "0.333 us"]);
});
