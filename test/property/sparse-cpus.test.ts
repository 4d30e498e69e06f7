import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { cpuMask } from "../../src/platform/cpu-mask.js";
import { formatCpuList, parseCpuList } from "../../src/options/values/cpu-list.js";
import { resolvePinning } from "../../src/options/run/pinning.js";
import { cpuIdsOf } from "../../src/platform/cpus/cpu-ids.js";

/** CPU ids of a machine with gaps, far beyond the 1,024 of a fixed-size mask. */
const sparseIds = fc
  .uniqueArray(fc.integer({ min: 0, max: 8191 }), { minLength: 1, maxLength: 64 })
  .map((ids) => ids.toSorted((a, b) => a - b));

const bitsOf = (mask: Uint8Array): readonly number[] =>
  [...mask].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte & (1 << bit)) !== 0).map((bit) => at * 8 + bit),
  );

void test("a mask has the bits of its CPUs and no other", () => {
  fc.assert(
    fc.property(sparseIds, (ids) => {
      const mask = cpuMask(ids, 1024);
      assert.deepEqual(bitsOf(mask), ids);
    }),
  );
});

void test("what the user writes and what the kernel writes name the same CPUs", () => {
  fc.assert(
    fc.property(sparseIds, (ids) => {
      const text = formatCpuList(ids);
      assert.deepEqual(parseCpuList(text), cpuIdsOf(text));
    }),
  );
});

void test("auto pinning gives each message thread a CPU of its own and the workers all others that are allowed", () => {
  fc.assert(
    fc.property(sparseIds, fc.integer({ min: 1, max: 63 }), (ids, messageThreads) => {
      fc.pre(messageThreads < ids.length);
      const { messageCpus, workerCpus } = resolvePinning(messageThreads, "auto", null, {
        allowedCpus: ids,
        refusalOf: () => null,
      });
      const taken = (messageCpus ?? []).flat();
      assert.equal(taken.length, messageThreads);
      assert.deepEqual(
        [...taken, ...(workerCpus ?? [])].toSorted((a, b) => a - b),
        ids,
      );
    }),
  );
});
