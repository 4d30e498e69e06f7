import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import * as reference from "simple-statistics";
import { mean, median, quantileOfAscending, spread, standardDeviation } from "../../../src/stats/sample.js";

const values = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 2, maxLength: 30 });

void describe("sample summaries", () => {
  void it("agree with simple-statistics", () => {
    fc.assert(
      fc.property(values, (sample) => {
        assert.ok(Math.abs(mean(sample) - reference.mean(sample)) < 1e-6);
        assert.equal(median(sample), reference.median(sample));
        assert.ok(Math.abs(standardDeviation(sample) - reference.sampleStandardDeviation(sample)) < 1e-6);
        assert.equal(spread(sample), reference.max(sample) - reference.min(sample));
      }),
    );
  });

  void it("interpolate quantiles as R does by default (type 7)", () => {
    // R: quantile(c(1, 2, 3, 4), c(0, .1, .25, .5, .9, 1))
    const expected = [1, 1.3, 1.75, 2.5, 3.7, 4];
    const actual = [0, 0.1, 0.25, 0.5, 0.9, 1].map((fraction) => quantileOfAscending([1, 2, 3, 4], fraction));
    actual.forEach((value, index) => assert.ok(Math.abs(value - (expected[index] ?? Number.NaN)) < 1e-12));
  });

  void it("have no scatter for one value", () => {
    assert.equal(standardDeviation([7]), 0);
    assert.equal(median([7]), 7);
  });
});
