import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { labelledRandom, seededRandom, shuffled } from "../../../src/stats/random.js";

const draw = (seed: number, label?: string): readonly number[] => {
  const random = label === undefined ? seededRandom(seed) : labelledRandom(seed, label);
  return Array.from({ length: 20 }, () => random.below(1000));
};

void describe("seeded random numbers", () => {
  void it("repeat for the same seed and differ for another", () => {
    assert.deepEqual(draw(7), draw(7));
    assert.notDeepEqual(draw(7), draw(8));
  });

  void it("differ by label under one seed", () => {
    assert.deepEqual(draw(7, "a"), draw(7, "a"));
    assert.notDeepEqual(draw(7, "a"), draw(7, "b"));
  });

  void it("reach every value below the limit, about equally often", () => {
    const random = seededRandom(1);
    const seen = new Uint32Array(6);
    for (let i = 0; i < 60_000; i++) {
      const face = random.below(6);
      seen[face] = (seen[face] ?? 0) + 1;
    }
    for (const count of seen) assert.ok(Math.abs(count - 10_000) < 500, `${count} of 10,000`);
  });

  void it("shuffle without losing or doubling anything, and leave the argument alone", () => {
    const items = [1, 2, 3, 4, 5, 6, 7];
    const order = shuffled(items, seededRandom(3));
    assert.deepEqual(
      order.toSorted((a, b) => a - b),
      items,
    );
    assert.notDeepEqual(order, items);
    assert.deepEqual(items, [1, 2, 3, 4, 5, 6, 7]);
  });
});
