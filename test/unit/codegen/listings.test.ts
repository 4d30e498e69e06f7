import assert from "node:assert/strict";
import { test } from "node:test";
import { codegenFacts } from "../../../src/codegen/codegen-facts.js";
import { codegenVerdict } from "../../../src/codegen/codegen-verdict.js";
import { objdumpListing } from "../../../src/codegen/listings/objdump-listing.js";
import { v8Listing } from "../../../src/codegen/listings/v8-listing.js";
import { SAVED_NAMES, factsOf, objdumpText, onlyLoop, savedListing, savedV8Facts } from "./listing-support.js";

const NODES = [20, 22, 24, 26] as const;

for (const node of NODES) {
  test(`the saved listing of V8 in Node ${node} shows eight products per turn, each stored`, () => {
    const facts = savedV8Facts(`v8-${node}.txt`);
    const { functionName, productsPerTurn, scalarMultiplies, vectorMultiplies, elementLoads, resultStores } =
      onlyLoop(facts);
    assert.equal(functionName, "do_some_math");
    assert.deepEqual([productsPerTurn, scalarMultiplies, vectorMultiplies], [8, 8, 0]);
    assert.deepEqual([elementLoads, resultStores], [16, 8]);
    assert.deepEqual([facts.architecture, codegenVerdict(facts).ok], ["x86-64", true]);
  });

  test(`the saved listing of V8 in Node ${node} has one interrupt check and no bounds check in the loop`, () => {
    const { boundsChecks, interruptChecks, otherStores } = onlyLoop(savedV8Facts(`v8-${node}.txt`));
    assert.deepEqual([boundsChecks, interruptChecks, otherStores], [0, 1, 0]);
  });
}

test("bounds checks that V8 was told to make are counted and noted", () => {
  const facts = savedV8Facts("v8-20-bounds-checks.txt");
  assert.deepEqual([onlyLoop(facts).productsPerTurn, onlyLoop(facts).boundsChecks], [6, 13]);
  assert.match(codegenVerdict(facts).notes.join(), /13 bounds checks per turn/);
});

test("code of the baseline compiler is no evidence", () => {
  assert.throws(() => savedV8Facts("v8-20-liftoff.txt"), /no optimised WebAssembly function/);
});

test("a function that the module does not export keeps V8's name for it", () => {
  const listing = v8Listing(savedListing("v8-20.txt"), new Map(), "saved");
  assert.deepEqual(listing.functions.map((item) => item.name).toSorted(), ["wasm-function[16]", "wasm-function[17]"]);
});

test("a V8 listing that is cut off is an error that names the function", () => {
  const whole = savedListing("v8-20.txt");
  const cut = whole.slice(0, whole.lastIndexOf("\n", whole.indexOf("imulq")));
  assert.throws(() => v8Listing(cut, SAVED_NAMES, "V8"), {
    message: /listing of "V8": it is cut off in function "wasm-function\[16\]"/,
  });
  assert.throws(() => v8Listing("", SAVED_NAMES, "V8"), /no optimised WebAssembly function/);
});

test("a V8 listing without the function that does the work is an error, not a pass", () => {
  const whole = savedListing("v8-20.txt");
  const other = whole.slice(whole.lastIndexOf("--- WebAssembly code ---"));
  const listing = v8Listing(other, SAVED_NAMES, "V8");
  assert.throws(() => codegenFacts(listing, "V8", "v8"), /no product loop found in "V8"/);
});

test("every word of four bytes makes a V8 listing aarch64", () => {
  const text = [
    "--- WebAssembly code ---",
    "name: wasm-function[3]",
    "index: 3",
    "compiler: TurboFan",
    "Instructions (size = 28)",
    "0x7f0010a0     0  aa1f03e0       mov x0, xzr",
    "0x7f0010a4     4  f8616843       ldr x3, [x2, x1]",
    "0x7f0010a8     8  f8656844       ldr x4, [x2, x5]",
    "0x7f0010ac     c  9b030080       madd x0, x4, x3, x0",
    "0x7f0010b0    10  f8276840       str x0, [x2, x7]",
    "0x7f0010b4    14  b5ffff88       cbnz x8, #-0x10 (addr 0x7f0010a4)",
    "0x7f0010b8    18  d65f03c0       ret",
    "",
    "--- End code ---",
  ].join("\n");
  const listing = v8Listing(text, new Map([[3, "do_some_math"]]), "arm");
  assert.equal(listing.architecture, "aarch64");
  assert.deepEqual(listing.functions[0]?.instructions[5]?.target, 0x7f0010a4);
});

test("an objdump listing may carry the encoded bytes", () => {
  const withBytes = ["10: 48 8b 10                mov    (%rax),%rdx", "13: c3                      ret"];
  const [first] = objdumpListing(objdumpText({ kernel: withBytes }), "x").functions[0]?.instructions ?? [];
  assert.deepEqual([first?.mnemonic, first?.text], ["mov", "mov    (%rax),%rdx"]);
});

test("what is no disassembly is refused with the reason", () => {
  assert.throws(() => objdumpListing("", "x"), /no line says "file format"/);
  assert.throws(
    () => objdumpListing("x:  file format pe-x86-64\n", "x"),
    /format "pe-x86-64", expected x86-64 or aarch64/,
  );
  assert.throws(() => objdumpListing(objdumpText({}), "x"), /has no instruction/);
});

test("a listing without a product loop is an error that says what was looked for", () => {
  assert.throws(() => factsOf(objdumpText({ main: ["10: ret"] })), {
    message: /no product loop found in "x\.so": none of its 1 functions has a loop that sums products/,
    remedy: /built with optimisation/,
  });
});
