import assert from "node:assert/strict";
import { test } from "node:test";
import { resolvePinning } from "../../../../src/options/run/pinning.js";

const allowed = { allowedCpus: [0, 1, 4, 5], refusalOf: () => null };

void test("without -M and -W no thread is moved", () => {
  assert.deepEqual(resolvePinning(2, null, null, allowed), {
    messageCpus: null,
    workerCpus: null,
    isAuto: false,
    messageLines: [],
  });
});

void test("-M gives message thread i the i-th CPU of the list, over and over, and leaves the workers alone", () => {
  assert.deepEqual(resolvePinning(3, [1, 4], null, allowed), {
    messageCpus: [[1], [4], [1]],
    workerCpus: null,
    isAuto: false,
    messageLines: [
      "Pinning to message thread index 0 cpu 1",
      "Pinning to message thread index 1 cpu 4",
      "Pinning to message thread index 2 cpu 1",
    ],
  });
});

void test("-W alone moves the message threads too, without saying so line by line", () => {
  assert.deepEqual(resolvePinning(2, null, [4, 5], allowed), {
    messageCpus: [
      [4, 5],
      [4, 5],
    ],
    workerCpus: [4, 5],
    isAuto: false,
    messageLines: [],
  });
});

void test("-M and -W together pin each side to its own list", () => {
  const pinning = resolvePinning(1, [0], [1, 4, 5], allowed);
  assert.deepEqual([pinning.messageCpus, pinning.workerCpus], [[[0]], [1, 4, 5]]);
});

for (const [message, worker] of [
  ["auto", null],
  [null, "auto"],
  ["auto", "auto"],
] as const)
  void test(`-M ${message} -W ${worker} keeps workers off the message threads' CPUs`, () => {
    const pinning = resolvePinning(3, message, worker, allowed);
    assert.deepEqual([pinning.messageCpus, pinning.workerCpus, pinning.isAuto], [[[0], [1], [4]], [5], true]);
  });
