import assert from "node:assert/strict";
import { test } from "node:test";
import { matrixBytes, matrixParts, matrixSide } from "../../../../src/options/run/matrix.js";

for (const [kib, side] of [
  [0, 0],
  [1, 6],
  [64, 52],
  [256, 104],
  [1000, 206],
  [1024, 209],
  [4096, 418],
] as const)
  void test(`a footprint of ${kib} KiB holds three matrices of side ${side}`, () => {
    assert.equal(matrixSide(kib), side);
    assert.ok(matrixBytes(side) <= kib * 1024);
    assert.ok(matrixBytes(side + 1) > kib * 1024);
  });

// footprint, percent → private KiB, private side, shared KiB, shared side; operations of 5 and 20, private part
for (const [kib, percent, privateKib, privateSide, sharedKib, sharedSide, of5, of20] of [
  [64, 0, 0, 0, 64, 52, 0, 0],
  [64, 1, 0, 0, 63, 51, 0, 0],
  [64, 30, 19, 28, 44, 43, 1, 6],
  [64, 50, 32, 36, 32, 36, 2, 10],
  [64, 99, 63, 51, 0, 0, 4, 19],
  [64, 100, 64, 52, 0, 0, 5, 20],
  [256, 0, 0, 0, 256, 104, 0, 0],
  [256, 1, 2, 9, 253, 103, 0, 0],
  [256, 30, 76, 56, 179, 87, 1, 6],
  [256, 50, 128, 73, 128, 73, 2, 10],
  [256, 99, 253, 103, 2, 9, 4, 19],
  [256, 100, 256, 104, 0, 0, 5, 20],
  [1000, 0, 0, 0, 1000, 206, 0, 0],
  [1000, 1, 10, 20, 990, 205, 0, 0],
  [1000, 30, 300, 113, 700, 172, 1, 6],
  [1000, 50, 500, 146, 500, 146, 2, 10],
  [1000, 99, 990, 205, 10, 20, 4, 19],
  [1000, 100, 1000, 206, 0, 0, 5, 20],
] as const)
  void test(`${percent} % of ${kib} KiB is ${privateKib} KiB private and ${sharedKib} KiB shared`, () => {
    assert.deepEqual(matrixParts(kib, 5, percent), {
      private: { kib: privateKib, side: privateSide, operations: of5 },
      shared: { kib: sharedKib, side: sharedSide, operations: 5 - of5 },
    });
    assert.equal(matrixParts(kib, 20, percent).private.operations, of20);
  });

void test("without a split all is private", () => {
  assert.deepEqual(matrixParts(256, 5, null), matrixParts(256, 5, 100));
});
