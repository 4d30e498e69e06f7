import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { holm } from "../../../../src/stats/significance/multiple-testing.js";

const close = (actual: readonly number[], expected: readonly number[]): void => {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, index) =>
    assert.ok(Math.abs(value - (expected[index] ?? Number.NaN)) < 1e-12, actual.join(" ")),
  );
};

void describe("Holm's correction", () => {
  void it("adjusts the textbook example (0.01, 0.04, 0.03, 0.005) as R's p.adjust does", () => {
    close(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
  });

  void it("leaves a single p alone and copes with none", () => {
    close(holm([0.04]), [0.04]);
    close(holm([]), []);
  });

  void it("never lowers a p, never exceeds 1, and keeps the order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }), (ps) => {
        const adjusted = holm(ps);
        ps.forEach((p, i) => {
          assert.ok((adjusted[i] ?? 0) >= p && (adjusted[i] ?? 2) <= 1);
          ps.forEach((q, j) => {
            if (p < q) assert.ok((adjusted[i] ?? 2) <= (adjusted[j] ?? 0));
          });
        });
      }),
    );
  });
});
