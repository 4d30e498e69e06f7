import assert from "node:assert/strict";
import { test } from "node:test";
import { PERCENTILES } from "../../../../src/model/metrics/percentile-table.js";
import { percentileName } from "../../../../src/stats/histogram/percentiles.js";

test("a percentile's key has as many digits as the percentile, and the keys of schbench stay", () => {
  assert.deepEqual(PERCENTILES.map(percentileName), ["20.0", "50.0", "90.0", "99.0", "99.9"]);
  assert.deepEqual([99.99, 99.95, 99.999, 100].map(percentileName), ["99.99", "99.95", "99.999", "100.0"]);
});
