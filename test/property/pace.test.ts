/** The schedule of paced arrivals, of all message threads together. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { instantiate } from "../helpers/engines.js";

const exported = instantiate(new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true }));
const call = (name: string, ...args: number[]): number => {
  const body = exported[name];
  assert.ok(typeof body === "function", name);
  return Number(body(...args));
};
const START_NSEC = 5e12;
const SEC = 1e9;
const due = (index: number, threads: number, rate: number, slot: number): number =>
  call("due_nsec", START_NSEC, index, threads, rate, slot);
const firstAfter = (index: number, threads: number, rate: number, nsec: number): number =>
  call("first_slot_after", START_NSEC, index, threads, rate, nsec);

/** Due times of all threads from each one's own first slot on, ascending. */
const arrivals = (rate: number, firstSlots: readonly number[], slots: number): readonly number[] =>
  firstSlots
    .flatMap((first, index) => Array.from({ length: slots }, (_, k) => due(index, firstSlots.length, rate, first + k)))
    .toSorted((a, b) => a - b);

const threads = fc.integer({ min: 1, max: 16 });
const rates = fc.integer({ min: 1, max: 1_000_000 });

void describe("paced arrivals", () => {
  test("begin with the start of the clock and are one interval apart, whatever the number of threads", () => {
    for (const count of [1, 2, 3, 7]) {
      const firstSlots = Array.from({ length: count }, () => 0);
      const offsets = arrivals(50, firstSlots, 4).map((nsec) => Math.round((nsec - START_NSEC) / 1e6));
      assert.deepEqual(
        offsets,
        Array.from({ length: 4 * count }, (_, k) => 20 * k),
      );
    }
  });

  test("of a new goal are even again although each thread hears of it at another moment", () => {
    fc.assert(
      fc.property(
        rates,
        fc.array(fc.integer({ min: 0, max: 50_000_000 }), { minLength: 1, maxLength: 8 }),
        (rate, heard) => {
          const firstSlots = heard.map((late, index) => firstAfter(index, heard.length, rate, START_NSEC + SEC + late));
          const lastBegin = Math.max(...firstSlots.map((first, index) => due(index, heard.length, rate, first)));
          const all = arrivals(rate, firstSlots, 2 + Math.ceil((rate * 0.06) / heard.length)).filter(
            (nsec) => nsec >= lastBegin,
          );
          const even = all.slice(0, heard.length);
          even.forEach((nsec, k) => assert.ok(Math.abs(nsec - lastBegin - (k * SEC) / rate) < 1e-3 * (SEC / rate) + 2));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("are due before a moment up to the slot that is named, and not before it from there on", () => {
    fc.assert(
      fc.property(threads, rates, fc.integer({ min: 0, max: 100_000 }), (count, rate, sec) => {
        for (const nsec of [START_NSEC + sec * SEC, START_NSEC + sec * 1e6 + 1 / 3]) {
          const index = sec % count;
          const slot = call("first_slot_at", START_NSEC, index, count, rate, nsec);
          assert.ok(due(index, count, rate, slot) >= nsec, `slot ${slot} is due before`);
          assert.ok(slot === 0 || due(index, count, rate, slot - 1) < nsec, `slot ${slot - 1} is not`);
        }
      }),
    );
  });

  test("of all threads in whole seconds are the rate times the seconds", () => {
    fc.assert(
      fc.property(threads, rates, fc.integer({ min: 1, max: 3600 }), (count, rate, sec) => {
        const slots = Array.from({ length: count }, (_, index) =>
          call("first_slot_at", START_NSEC, index, count, rate, START_NSEC + sec * SEC),
        );
        assert.equal(
          slots.reduce((sum, slot) => sum + slot, 0),
          rate * sec,
        );
      }),
    );
  });

  test("go on after the moment that is named, and not later than a round of the threads after it", () => {
    fc.assert(
      fc.property(threads, rates, fc.double({ min: 0, max: 1e12, noNaN: true }), (count, rate, after) => {
        const index = count - 1;
        const slot = firstAfter(index, count, rate, START_NSEC + after);
        const roundNsec = (count * SEC) / rate;
        const nsec = due(index, count, rate, slot) - START_NSEC - after;
        assert.ok(nsec > -0.01, `${nsec}`);
        assert.ok(
          nsec <= roundNsec * 1.001 + (slot === 0 ? (index * SEC) / rate : 0) + 0.01,
          `${nsec} of ${roundNsec}`,
        );
      }),
    );
  });
});
