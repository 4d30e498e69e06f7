/** assembly/memory/record.ts: the histogram that a thread writes is the one that its twin in TypeScript makes of the same values. */
import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { histogramOf, PLAT_NR } from "../../../../src/stats/histogram/plat.js";
import { engineLayout, instantiate, testMemory } from "../../../helpers/engines.js";

const STATS = 64;

/** What the module leaves of so many values in a histogram of its own. */
const recorded = (values: readonly number[]) => {
  const memory = testMemory(STATS + engineLayout.sizeOf("Stats"));
  memory.write(STATS, "Stats.min", engineLayout.constant("NO_MINIMUM"));
  const { add_lat: addLat } = instantiate(memory.memory);
  assert.ok(typeof addLat === "function");
  for (const value of values) addLat(STATS, value);
  const plat = (STATS + engineLayout.field("Stats.plat").offset) / 4;
  return {
    min: memory.read(STATS, "Stats.min"),
    max: memory.read(STATS, "Stats.max"),
    counts: [...memory.u32.subarray(plat, plat + PLAT_NR)],
  };
};

test("a thread counts every value once, in the bucket of the twin, and keeps the extremes", () => {
  const usec = fc.oneof(fc.nat(1000), fc.integer({ min: 0, max: 0x7fffffff }));
  fc.assert(
    fc.property(fc.array(usec, { minLength: 1, maxLength: 50 }), (values) => {
      const { counts, min, max } = histogramOf(values);
      assert.deepEqual(recorded(values), { counts: [...counts], min, max });
    }),
    { numRuns: 200 },
  );
});

test("a histogram without a value has no minimum, and one of a single value has it at both ends", () => {
  assert.equal(recorded([]).min, engineLayout.constant("NO_MINIMUM"));
  assert.deepEqual([recorded([7]).min, recorded([7]).max], [7, 7]);
  assert.deepEqual([recorded([9, 7, 8]).min, recorded([9, 7, 8]).max], [7, 9]);
});
