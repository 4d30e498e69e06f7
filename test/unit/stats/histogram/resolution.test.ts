import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { platIndex, platValue } from "../../../../src/stats/histogram/plat.js";
import { resolutionAt } from "../../../../src/stats/histogram/resolution.js";

void describe("the resolution of the histogram", () => {
  void it("is the number of values that share a bucket", () => {
    for (const value of [0, 1, 255, 256, 511, 512, 513, 1023, 1024, 5000, 5021, 65_535, 65_536, 1_000_000]) {
      const bucket = platIndex(value);
      let sharing = 0;
      const around = platValue(bucket);
      for (let v = Math.max(0, around - 5000); v <= around + 5000; v++) if (platIndex(v) === bucket) sharing++;
      assert.equal(resolutionAt(value), sharing, `at ${value}`);
    }
  });
});
