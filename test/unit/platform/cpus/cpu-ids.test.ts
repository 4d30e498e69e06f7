import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { formatCpuList } from "../../../../src/options/values/cpu-list.js";
import { cpuIdsOf } from "../../../../src/platform/cpus/cpu-ids.js";

const CASES = [
  ["0", [0]],
  ["0-3", [0, 1, 2, 3]],
  ["0,2,8-11\n", [0, 2, 8, 9, 10, 11]],
  ["4094-4096", [4094, 4095, 4096]],
  ["", []],
  ["\n", []],
  ["(null)", []],
] as const;

for (const [text, ids] of CASES) {
  void test(`the kernel's list ${JSON.stringify(text)} names ${ids.length} CPUs`, () =>
    assert.deepEqual(cpuIdsOf(text), ids));
}

void test("a missing list names no CPU", () => assert.deepEqual(cpuIdsOf(null), []));

void test("any set of CPU ids, however sparse, survives the kernel's notation", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 10_000 }), { maxLength: 200 }), (ids) => {
      const ascending = ids.toSorted((a, b) => a - b);
      assert.deepEqual(cpuIdsOf(formatCpuList(ascending)), ascending);
    }),
  );
});
