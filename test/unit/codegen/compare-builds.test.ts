import assert from "node:assert/strict";
import { test } from "node:test";
import { compareBuilds, type MixFigureId } from "../../../src/codegen/compare-builds.js";
import { renderMixComparison } from "../../../src/codegen/render-codegen.js";
import { buildFacts, loopFacts, objdumpText, onlyLoopOf } from "./listing-support.js";

/** As gcc makes it of the C program's loop. */
const ONE_PRODUCT = objdumpText({
  do_some_math: [
    "10: xor    %ecx,%ecx",
    "12: mov    (%rax),%rdx",
    "15: imul   (%rsi),%rdx",
    "19: add    $0x8,%rax",
    "1d: add    %r8,%rsi",
    "20: add    %rdx,%rcx",
    "23: mov    %rcx,(%rdi)",
    "26: cmp    %r9,%rax",
    "29: jne    12 <do_some_math+0x2>",
    "2b: ret",
  ],
});

void test("a turn is counted by what its instructions are for", () => {
  const { mix } = onlyLoopOf(ONE_PRODUCT);
  assert.deepEqual(mix, {
    instructions: 8,
    loads: 2,
    stores: 1,
    multiplies: 1,
    sumAdds: 1,
    addressArithmetic: 2,
    moves: 0,
    compares: 1,
    branches: 1,
  });
});

void test("what each turn makes of the turn before is a chain: the sum and both pointers, one instruction each", () => {
  const { chains } = onlyLoopOf(ONE_PRODUCT);
  assert.deepEqual(chains, [
    { carries: "sum", length: 1 },
    { carries: "address", length: 1 },
    { carries: "address", length: 1 },
  ]);
});

const LEAN = loopFacts();
const UNROLLED = loopFacts({
  productsPerTurn: 4,
  mix: {
    ...LEAN.mix,
    instructions: 24,
    loads: 9,
    stores: 4,
    multiplies: 4,
    sumAdds: 4,
    addressArithmetic: 5,
  },
  chains: [{ carries: "sum", length: 4 }],
});

const beyondOf = (loops: Parameters<typeof buildFacts>[1]): Partial<Record<MixFigureId, number>> => {
  const [comparison] = compareBuilds(
    [buildFacts("ours", loops)],
    [buildFacts("gcc", [LEAN]), buildFacts("clang", [LEAN])],
  );
  assert.ok(comparison);
  return Object.fromEntries(
    comparison.figures.filter(({ beyond }) => beyond !== 0).map(({ figure, beyond }) => [figure, beyond]),
  );
};

void test("equal loops differ in nothing; an unrolled one is divided by its products, and its rest is left out", () => {
  assert.deepEqual(beyondOf([LEAN]), {});
  assert.deepEqual(beyondOf([LEAN, UNROLLED]), {
    instructions: -2,
    loads: 0.25,
    "address-arithmetic": -0.75,
    compares: -0.75,
    branches: -0.75,
    "address-chain": -1,
  });
});

void test("only builds for the same machine are compared", () => {
  const arm = { ...buildFacts("ours", [LEAN]), architecture: "aarch64" as const };
  assert.deepEqual(compareBuilds([arm], [buildFacts("gcc", [LEAN])]), []);
});

void test("what differs is said in a sentence below the table", () => {
  const text = renderMixComparison(compareBuilds([buildFacts("ours", [UNROLLED])], [buildFacts("gcc", [LEAN])]));
  assert.match(text, /^loads +2\.25 +2 +\+0\.25$/m);
  assert.match(text, /^ours: for one product, beyond gcc: 2 fewer instructions, 0\.25 more loads, /m);
  const same = renderMixComparison(
    compareBuilds([buildFacts("ours", [LEAN])], [buildFacts("gcc", [LEAN])]),
    "markdown",
  );
  assert.match(same, /^\* ours: for one product the hottest loop executes what those of gcc do$/m);
});
