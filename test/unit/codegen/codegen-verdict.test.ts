import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProductLoopFacts } from "../../../src/codegen/build-facts.js";
import { WANTED, codegenVerdict } from "../../../src/codegen/codegen-verdict.js";
import { buildFacts, loopFacts } from "./listing-support.js";

const verdictOf = (...loops: readonly Partial<ProductLoopFacts>[]) =>
  codegenVerdict(buildFacts("x", loops.map(loopFacts)));

test("one product and one store per turn are what is wanted, and so are eight and eight", () => {
  const unrolled = { productsPerTurn: 8, scalarMultiplies: 8, elementLoads: 16, resultStores: 8 };
  for (const loops of [[{}], [unrolled], [{}, unrolled]]) {
    assert.deepEqual(verdictOf(...loops), { build: "x", ok: true, sentence: WANTED, faults: [], notes: [] });
  }
});

const FAULTS: readonly (readonly [Partial<ProductLoopFacts>, string])[] = [
  [{ vectorMultiplies: 3, productsPerTurn: null }, "do_some_math+0x60: vectorised (3 vector multiplies per turn)"],
  [{ vectorMultiplies: 1 }, "do_some_math+0x60: vectorised (1 vector multiply per turn)"],
  [{ resultStores: 0, result: "used after the loop" }, "do_some_math+0x60: stores the sum only after the loop"],
  [
    { productsPerTurn: 2, elementLoads: 4, scalarMultiplies: 2 },
    "do_some_math+0x60: 1 store of the sum for 2 products",
  ],
  [{ resultStores: 2 }, "do_some_math+0x60: 2 stores of the sum for 1 product"],
  [
    { resultStores: 0, result: "unused", live: false },
    "do_some_math+0x60: stores the sum only after the loop, the sum is never used",
  ],
];

for (const [facts, sentence] of FAULTS) {
  test(`a fault is told with its place: ${sentence}`, () => {
    const verdict = verdictOf(facts);
    assert.deepEqual([verdict.ok, verdict.sentence, verdict.faults], [false, sentence, [sentence]]);
  });
}

test("one bad loop among good ones spoils the build", () => {
  const verdict = verdictOf({}, { functionName: "worker", offset: 0, vectorMultiplies: 1 }, {});
  assert.deepEqual([verdict.ok, verdict.faults], [false, ["worker+0x0: vectorised (1 vector multiply per turn)"]]);
});

test("a build without a loop is not ok", () => {
  assert.equal(codegenVerdict(buildFacts("x", [])).ok, false);
});

const NOTES: readonly (readonly [Partial<ProductLoopFacts>, string])[] = [
  [{ boundsChecks: 1 }, "1 bounds check per turn"],
  [{ otherLoads: 2 }, "2 loads per turn besides the elements: a base or a register is reloaded"],
  [{ elementLoads: 1 }, "1 element load for 1 product"],
  [{ scalarMultiplies: 2 }, "2 multiplies for 1 product"],
];

for (const [facts, note] of NOTES) {
  test(`what costs time but changes nothing is a note: ${note}`, () => {
    const verdict = verdictOf(facts);
    assert.deepEqual([verdict.ok, verdict.notes], [true, [`do_some_math+0x60: ${note}`]]);
  });
}

test("an interrupt check's load in an unrolled loop is not worth a note", () => {
  const unrolled = { productsPerTurn: 8, scalarMultiplies: 8, elementLoads: 16, resultStores: 8, otherLoads: 2 };
  assert.deepEqual([...verdictOf(unrolled).notes, ...verdictOf({ otherLoads: 1 }).notes], []);
});
