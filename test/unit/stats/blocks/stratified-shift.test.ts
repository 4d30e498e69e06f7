import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { stratifiedFactor } from "../../../../src/stats/blocks/stratified-shift.js";
import { median } from "../../../../src/stats/sample.js";
import { near } from "./near.js";

const side = fc.array(fc.integer({ min: 50, max: 5000 }), { minLength: 2, maxLength: 8 });
const blocks = fc.array(fc.record({ x: side, y: side }), { minLength: 1, maxLength: 5 });

void describe("the factor between two sides in blocks", () => {
  void it("is the median of all quotients in one block, on the scale of logarithms (Hodges and Lehmann)", () => {
    const [x, y] = [
      [10, 12, 15, 21],
      [11, 30, 33],
    ];
    const logs = x.flatMap((a) => y.map((b) => Math.log(b / a)));
    near(stratifiedFactor([{ x, y }], 0.95)?.value, Math.exp(median(logs)), 1e-9);
  });

  void it("does not see what a block multiplies on both sides", () =>
    fc.assert(
      fc.property(blocks, fc.integer({ min: 2, max: 1000 }), (given, factor) => {
        const [first, ...others] = given;
        if (first === undefined) return;
        const plain = stratifiedFactor(given, 0.95);
        const moved = stratifiedFactor(
          [{ x: first.x.map((value) => value * factor), y: first.y.map((value) => value * factor) }, ...others],
          0.95,
        );
        near((moved?.value ?? 0) / (plain?.value ?? 0), 1, 1e-6);
      }),
    ));

  void it("turns with the sides and holds its value in its interval", () =>
    fc.assert(
      fc.property(blocks, (given) => {
        const there = stratifiedFactor(given, 0.95);
        const back = stratifiedFactor(
          given.map(({ x, y }) => ({ x: y, y: x })),
          0.95,
        );
        assert.ok(there !== null && back !== null);
        near(there.value * back.value, 1, 1e-6);
        assert.ok(there.interval.low <= there.value * (1 + 1e-9) && there.value <= there.interval.high * (1 + 1e-9));
      }),
    ));

  void it("says where too few runs know no end", () =>
    assert.deepEqual(stratifiedFactor([{ x: [1], y: [2] }], 0.95)?.interval, { low: 0, high: Infinity }));

  void it("knows no factor from nothing", () => assert.equal(stratifiedFactor([{ x: [0, 0], y: [1, 2] }], 0.95), null));
});
