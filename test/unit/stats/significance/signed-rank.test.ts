import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../../../../src/at.js";
import { labelledRandom } from "../../../../src/stats/random.js";
import { pairedCentre, pairsForBound } from "../../../../src/stats/significance/signed-rank.js";

void test("the centre is the median of the Walsh averages, and one wild pair hardly moves it", () => {
  assert.equal(pairedCentre([1, 2, 3]).estimate, 2);
  assert.equal(pairedCentre([5]).estimate, 5);
  const calm = pairedCentre([1, 2, 3, 4, 5, 6, 7, 8, 9]).estimate;
  const wild = pairedCentre([1, 2, 3, 4, 5, 6, 7, 8, 900]).estimate;
  assert.equal(calm, 5);
  assert.ok(Math.abs(wild - calm) < 1, `${wild}`);
});

void test("the bounds are those of the textbook: of ten pairs at 5 % one side leaves out ten of 55 averages", () => {
  // P(T ≤ 10) = 43/1024 = 0.042 and P(T ≤ 11) = 54/1024 = 0.053: the 11th average from each end.
  const values = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
  const averages = values.flatMap((a, i) => values.slice(i).map((b) => (a + b) / 2)).toSorted((a, b) => a - b);
  const centre = pairedCentre(values);
  assert.equal(centre.lower(0.05), at(averages, 10));
  assert.equal(centre.upper(0.05), at(averages, 44));
});

void test("the bounds of six pairs are exact, where the normal approximation would leave out one average less", () => {
  // P(T ≤ 2) = 3/64 = 0.047 and P(T ≤ 3) = 5/64: the third of 1, 1.5, 2, 2.5, … and of 32, 24, 20, 18, …
  const centre = pairedCentre([1, 2, 4, 8, 16, 32]);
  assert.equal(centre.lower(0.05), 2);
  assert.equal(centre.upper(0.05), 20);
});

void test("too few pairs bound nothing", () => {
  assert.equal(pairsForBound(0.05), 5);
  assert.equal(pairsForBound(0.025), 6);
  assert.equal(pairsForBound(0.5), 1);
  assert.equal(pairedCentre([1, 2, 3, 4]).lower(0.05), -Infinity);
  assert.equal(pairedCentre([1, 2, 3, 4]).upper(0.05), Infinity);
  assert.equal(pairedCentre([1, 2, 3, 4, 5]).lower(0.05), 1);
  assert.equal(pairedCentre([1, 2, 3, 4, 5]).upper(0.05), 5);
});

void test("a bound misses the centre as often as it says, with few pairs and with many", () => {
  const random = labelledRandom(1, "signed rank");
  for (const [pairs, repeats] of [
    [6, 2000],
    [10, 2000],
    [60, 400],
  ] as const) {
    let missed = 0;
    for (let repeat = 0; repeat < repeats; repeat++) {
      // Symmetric about 0, with tails far heavier than normal.
      const values = Array.from({ length: pairs }, () => (random.uniform() - 0.5) / random.uniform());
      if (pairedCentre(values).lower(0.05) > 0) missed++;
    }
    const limit = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / repeats);
    assert.ok(missed / repeats <= limit, `${pairs} pairs: ${missed} of ${repeats}`);
    assert.ok(missed / repeats >= 0.01, `${pairs} pairs: ${missed} of ${repeats}`);
  }
});
