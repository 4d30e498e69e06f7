import assert from "node:assert/strict";
import test from "node:test";
import { PLAT_NR, platIndex, platValue } from "../../../src/stats/histogram/plat.js";
import { ENGINES, testMemory } from "../../helpers/engines.js";

const MASK = (1n << 64n) - 1n;

/** Naive product of two matrices modulo 2⁶⁴. */
const product = (a: readonly bigint[], b: readonly bigint[], side: number): readonly bigint[] =>
  Array.from({ length: side * side }, (_, cell) => {
    const [row, column] = [Math.floor(cell / side), cell % side];
    let sum = 0n;
    for (let k = 0; k < side; k++) sum += (a[row * side + k] ?? 0n) * (b[k * side + column] ?? 0n);
    return sum & MASK;
  });

/** Numbers with all 64 bits in use, from a small generator of their own. */
const numbers = (count: number, seed: bigint): readonly bigint[] => {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & MASK;
    return state;
  });
};

for (const engine of ENGINES) {
  for (const side of [0, 1, 2, 3, 52, 104]) {
    test(`${engine.name}: every cell of a product of side ${side} is right modulo 2^64`, () => {
      const memory = testMemory(1 << 20);
      const cells = side * side;
      const all = new BigUint64Array(memory.memory.buffer);
      const [a, b] = [numbers(cells, 1n), numbers(cells, 2n)];
      const data = 4096;
      all.set(a, data / 8);
      all.set(b, data / 8 + cells);
      all.fill(77n, data / 8 + 2 * cells, data / 8 + 3 * cells + 1);
      engine.functions(memory).doSomeMath(data, side);
      assert.deepEqual([...all.subarray(data / 8 + 2 * cells, data / 8 + 3 * cells)], product(a, b, side));
      assert.equal(all[data / 8 + 3 * cells], 77n, "nothing behind the matrices is touched");
      assert.deepEqual([...all.subarray(data / 8, data / 8 + cells)], a, "a is read only");
    });
  }

  test(`${engine.name}: the histogram's buckets are those of the TypeScript twin`, () => {
    const { platIndex: index, platValue: value } = engine.functions(testMemory(1 << 16));
    const edges = Array.from({ length: 32 }, (_, bit) => 2 ** bit).flatMap((power) => [power - 1, power, power + 1]);
    for (const usec of [...edges.filter((edge) => edge < 2 ** 32), 511, 512, 513, 1_000_000, 2 ** 32 - 1])
      assert.equal(index(usec), platIndex(usec), `bucket of ${usec}`);
    for (let bucket = 0; bucket < PLAT_NR; bucket++)
      assert.equal(value(bucket), platValue(bucket), `value of ${bucket}`);
  });
}
