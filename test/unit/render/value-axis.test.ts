import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { roundStep, spreadLabels, valueAxis } from "../../../src/render/charts/value-axis.js";

const values = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 30 });

void test("values that span much get a logarithmic axis with powers of ten, others a linear one with round steps", () => {
  const wide = valueAxis([3, 4200]);
  assert.equal(wide.type, "log");
  assert.deepEqual(wide.domain, [2, 5000]);
  assert.deepEqual(wide.ticks, [10, 100, 1000]);
  const narrow = valueAxis([4900, 5300]);
  assert.equal(narrow.type, "linear");
  assert.deepEqual(narrow.ticks, [4900, 5000, 5100, 5200, 5300]);
});

void test("two decades get steps of 1, 2 and 5; less than three such steps turn into round linear ones", () => {
  assert.deepEqual(valueAxis([5, 120]).ticks, [5, 10, 20, 50, 100, 200]);
  assert.deepEqual(valueAxis([4900, 7100], { linearUpTo: 1, tight: true }).ticks, [5000, 5500, 6000, 6500, 7000]);
});

void test("a zero on a logarithmic axis is drawn at half a unit", () => {
  const axis = valueAxis([0, 1000]);
  assert.equal(axis.type, "log");
  assert.equal(axis.domain[0], 0.5);
  assert.equal(axis.position(0), 0);
});

void test("an axis is no narrower than was asked, so that noise is not blown up", () => {
  const { domain } = valueAxis([1000, 1001], { leastSpan: 0.1 });
  assert.ok(domain[1] - domain[0] >= 100);
});

void test("a property: every value lies in the domain, ticks ascend within it, position and value are inverse", () => {
  fc.assert(
    fc.property(values, fc.boolean(), (some, fromZero) => {
      const axis = valueAxis(some, { fromZero });
      const [low, high] = axis.domain;
      for (const value of some)
        assert.ok(Math.max(value, axis.type === "log" ? 0.5 : 0) >= low - 1e-9 && value <= high * 1.001);
      assert.deepEqual(
        axis.ticks,
        [...axis.ticks].toSorted((a, b) => a - b),
      );
      for (const tick of axis.ticks) assert.ok(tick >= low * 0.999 - 1e-9 && tick <= high * 1.001 + 1e-9);
      for (const position of [0, 0.25, 1]) assert.ok(Math.abs(axis.position(axis.valueAt(position)) - position) < 1e-9);
    }),
  );
});

void test("round steps are 1, 2, 2.5 or 5 times a power of ten, and not below what was asked", () => {
  assert.deepEqual([0.7, 1.3, 2.2, 3, 7, 83].map(roundStep), [1, 2, 2.5, 5, 10, 100]);
});

void test("a property: labels keep their gap, their order and, where there is room, the bounds", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { maxLength: 10 }), (wanted) => {
      const placed = spreadLabels(wanted, 15, 0, 200);
      const sorted = [...placed].toSorted((a, b) => a - b);
      for (const [i, position] of sorted.entries()) {
        assert.ok(position >= -1e-9 && position <= 200 + 1e-9);
        if (i > 0) assert.ok(position - (sorted[i - 1] ?? 0) >= 15 - 1e-9);
      }
      for (const [i, a] of wanted.entries())
        for (const [j, b] of wanted.entries()) if (a < b) assert.ok((placed[i] ?? 0) < (placed[j] ?? 0));
    }),
  );
});
