import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { v8Listing } from "../../src/codegen/listings/v8-listing.js";
import { codegenFacts } from "../../src/codegen/codegen-facts.js";
import { UserError } from "../../src/errors.js";
import { factsOf, objdumpText, onlyLoopOf } from "../unit/codegen/listing-support.js";

/** One product per turn; registers are numbered placeholders, addresses offsets. */
const LOOP: readonly (readonly [number, string])[] = [
  [0x0, "xor    $0,$0"],
  [0x2, "mov    ($1),$2"],
  [0x5, "imul   ($3),$2"],
  [0x9, "add    $8imm,$1"],
  [0xd, "add    $4,$3"],
  [0x10, "add    $2,$0"],
  [0x13, "mov    $0,($5)"],
  [0x16, "cmp    $6,$1"],
  [0x19, "jne    HEAD"],
  [0x1b, "ret"],
];

const REGISTERS = [
  "rax",
  "rbx",
  "rcx",
  "rdx",
  "rsi",
  "rdi",
  "rbp",
  "r8",
  "r9",
  "r10",
  "r11",
  "r12",
  "r13",
  "r14",
  "r15",
];

const written = (registers: readonly string[], base: number): string => {
  const lines = LOOP.map(([offset, text]) => {
    const named = text
      .replace("$8imm", "$0x8")
      .replace(/\$(\d)(?!x)/g, (_, digit: string) => `%${registers[Number(digit)]}`)
      .replace("HEAD", (base + 2).toString(16));
    return `${(base + offset).toString(16)}: ${named}`;
  });
  return objdumpText({ kernel: lines });
};

test("facts depend neither on the registers a compiler chose nor on where the code lies", () => {
  const expected = onlyLoopOf(written(REGISTERS, 0x1000));
  assert.deepEqual([expected.productsPerTurn, expected.elementLoads, expected.resultStores], [1, 2, 1]);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(REGISTERS, { minLength: 7, maxLength: 7 }),
      fc.integer({ min: 0x10, max: 2 ** 47 }),
      (registers, base) => {
        assert.deepEqual(onlyLoopOf(written(registers, base)), expected);
      },
    ),
  );
});

const LINES = fc.array(
  fc.oneof(
    fc.constantFrom(...written(REGISTERS, 0x10).split("\n")),
    fc.string(),
    fc.string().map((text) => `    10:\t${text}`),
    fc.string().map((text) => `0x10     0  90               ${text}`),
    fc.constantFrom(
      "--- WebAssembly code ---",
      "--- End code ---",
      "index: 1",
      "compiler: TurboFan",
      "0000000000000010 <f>:",
    ),
  ),
);

/** Either facts with a loop, or an error that is the user's to read: nothing else. */
const understoodOrRefused = (read: () => { readonly loops: readonly unknown[] }): void => {
  try {
    assert.ok(read().loops.length > 0);
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
  }
};

test("any text is understood or refused, as objdump's and as V8's", () => {
  fc.assert(
    fc.property(LINES, fc.constantFrom("elf64-x86-64", "elf64-littleaarch64"), (lines, format) => {
      const text = lines.join("\n");
      understoodOrRefused(() => factsOf(`x:     file format ${format}\n${text}`));
      understoodOrRefused(() => codegenFacts(v8Listing(text, new Map(), "x"), "x", "v8"));
    }),
  );
});
