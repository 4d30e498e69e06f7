import assert from "node:assert/strict";
import test from "node:test";
import { array, assert as checkAll, double, nat, property } from "fast-check";
import { UsageError } from "../../../src/errors.js";
import { percentile, shareAbove } from "../../../src/library/percentile.js";
import type { Distribution } from "../../../src/model/result/run-result.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const tableOnly: Distribution = {
  unit: "usec",
  samples: null,
  min: 1,
  max: 9,
  percentiles: [{ percentile: 99, value: 8, samples: null }],
  buckets: null,
};

test("any percentile is the value at which the running count reaches its share", () => {
  checkAll(
    property(
      array(nat({ max: 511 }), { minLength: 1 }),
      double({ min: 0.001, max: 100, noNaN: true }),
      (values, percent) => {
        const sorted = values.toSorted((a, b) => a - b);
        const expected = sorted.find((_, index) => index + 1 >= (percent / 100) * sorted.length);
        assert.equal(percentile(fakeResult({ wakeupUsec: values }), "wakeup", percent), expected);
      },
    ),
  );
});

test("without a histogram only the percentiles of the table are known", () => {
  const result = fakeResult({}, { wakeup: tableOnly, request: null });
  assert.equal(percentile(result, "wakeup", 99), 8);
  assert.equal(percentile(result, "wakeup", 99.5), null);
  assert.equal(percentile(result, "request", 50), null);
  assert.equal(shareAbove(result, "wakeup", "1us"), null);
});

test("percentiles outside of (0, 100] are refused, sample or not", () => {
  for (const percent of [0, -1, 100.1, Number.NaN])
    assert.throws(() => percentile(fakeResult({}, { wakeup: null }), "wakeup", percent), UsageError);
});

test("the share above a limit counts the samples that exceed it", () => {
  const result = fakeResult({ wakeupUsec: [1, 2, 3, 50] });
  assert.equal(shareAbove(result, "wakeup", "3us"), 0.25);
  assert.equal(shareAbove(result, "wakeup", 2), 0.5);
  assert.equal(shareAbove(result, "wakeup", "1ms"), 0);
});

test("phases and intervals have percentiles as results have", () => {
  const { wakeup } = fakeResult({ wakeupUsec: [1, 2, 3] });
  assert.equal(percentile({ wakeup }, "wakeup", 50), 2);
});
