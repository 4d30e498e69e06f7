import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import { count } from "../../../../src/model/quantities.js";
import { quick } from "../../../../src/model/result/quick-schema.js";
import { distribution } from "../../../../src/model/result/run-result.js";
import { PLAT_NR } from "../../../../src/stats/histogram/plat.js";

const slow = z.array(z.tuple([count.max(PLAT_NR - 1), count.min(1)]));
const part = fc.oneof(
  fc.integer({ min: -2, max: PLAT_NR + 2 }),
  fc.constantFrom<unknown>(0, 1, -0, 1.5, Number.NaN, Infinity, 2 ** 53, "1", null, undefined, true, [1, 2]),
);
const good = fc.tuple(fc.integer({ min: 0, max: PLAT_NR - 1 }), fc.integer({ min: 1, max: 1000 }));
const buckets = fc.oneof(
  fc.array(good),
  fc.array(fc.oneof({ weight: 5, arbitrary: good }, fc.array(part, { maxLength: 3 }), part)),
  part,
);

void test("the histogram's guard accepts what the schema accepts, and leaves it as it is", () => {
  const { buckets: guarded } = distribution.shape;
  let accepted = 0;
  fc.assert(
    fc.property(buckets, (value) => {
      const [asked, plain] = [guarded.safeParse(value), slow.nullable().safeParse(value)];
      assert.equal(asked.success, plain.success);
      if (!asked.success) return assert.deepEqual(asked.error.issues, plain.error?.issues);
      accepted++;
      return assert.deepEqual(asked.data, value);
    }),
    { numRuns: 2000 },
  );
  assert.ok(accepted > 300);
});

void test("what the guard accepts is not looked at again, what it denies gets the schema's message", () => {
  const seen: unknown[] = [];
  const counted = quick(
    z.number().refine((value) => seen.push(value) > 0),
    (value) => value === 1,
  );
  assert.equal(z.object({ a: counted }).parse({ a: 1 }).a, 1);
  assert.deepEqual(seen, []);
  assert.equal(z.object({ a: counted }).parse({ a: 2 }).a, 2);
  assert.deepEqual(seen, [2]);
  assert.throws(() => z.object({ a: counted }).parse({ a: "x" }), /expected number/);
});
