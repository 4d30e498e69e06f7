import assert from "node:assert/strict";
import { test } from "node:test";
import { codegenVerdict } from "../../../src/codegen/codegen-verdict.js";
import { factsOf, loopFacts, objdumpText, onlyLoopOf } from "./listing-support.js";

/** One product per turn, as compilers write it: two loads, multiply, add, store, count. */
const CLEAN = [
  "10: xor    %ecx,%ecx",
  "12: mov    (%rax),%rdx",
  "15: imul   (%rsi),%rdx",
  "19: add    $0x8,%rax",
  "1d: add    %r8,%rsi",
  "20: add    %rdx,%rcx",
  "23: mov    %rcx,(%rdi)",
  "26: cmp    %r9,%rax",
  "29: jne    12 <kernel+0x2>",
  "2b: ret",
] as const;

/** CLEAN with lines replaced; a line replaced by nothing is left out. */
const changed = (changes: Readonly<Record<string, string>>): string => {
  const lines = CLEAN.map((line) => changes[line.split(":")[0] ?? ""] ?? line).filter((line) => line !== "");
  return objdumpText({ kernel: lines });
};

test("a clean loop has one product, two element loads and one store per turn", () => {
  assert.deepEqual(onlyLoopOf(changed({})), loopFacts({ functionName: "kernel", offset: 2 }));
});

test("a sum that is kept in memory (add to the cell) is a store, and a load besides the elements", () => {
  const loop = onlyLoopOf(changed({ "20": "20: add    %rdx,(%rdi)", "23": "" }));
  assert.deepEqual([loop.resultStores, loop.otherLoads, loop.elementLoads], [1, 1, 2]);
});

test("a base that is reloaded from memory on each turn counts as another load", () => {
  const loop = onlyLoopOf(changed({ "12": "12: mov    0x20(%rbx),%r11\n    13:\tmov    (%r11,%rax,1),%rdx" }));
  assert.deepEqual([loop.elementLoads, loop.otherLoads], [2, 1]);
});

test("an element that is loaded into a register first is an element load", () => {
  const text = changed({ "15": "15: mov    (%rsi),%r10\n    16:\timul   %r10,%rdx" });
  const mix = { ...loopFacts().mix, instructions: 9 };
  assert.deepEqual(onlyLoopOf(text), loopFacts({ functionName: "kernel", offset: 2, mix }));
});

test("a store to the stack is not a store of the result", () => {
  const loop = onlyLoopOf(changed({ "23": "23: mov    %rcx,0x8(%rsp)", "2b": "2b: mov    %rcx,%rax\n    2e:\tret" }));
  assert.deepEqual([loop.resultStores, loop.otherStores, loop.result], [0, 1, "used after the loop"]);
});

test("rbp is the stack where a function makes it its frame pointer, and an ordinary register elsewhere", () => {
  const store = "23: mov    %rcx,-0x8(%rbp)";
  assert.equal(onlyLoopOf(changed({ "23": store })).resultStores, 1);
  assert.equal(onlyLoopOf(changed({ "10": "10: mov    %rsp,%rbp", "23": store })).resultStores, 0);
});

test("rbp is an ordinary register where the loop itself moves it on", () => {
  const walking = { "12": "12: mov    (%rbp),%rdx", "19": "19: add    $0x8,%rbp", "26": "26: cmp    %r9,%rbp" };
  assert.equal(onlyLoopOf(changed({ "10": "10: mov    %rsp,%rbp", ...walking })).elementLoads, 2);
});

test("AT&T syntax is recognised by any register", () => {
  const numbered = [
    "12: mov    (%r8),%r10",
    "15: imul   (%r9),%r10",
    "20: add    %r10,%r11",
    "23: mov    %r11,(%r12)",
    "29: jne    12 <kernel>",
    "2b: ret",
  ];
  // Its pointers stand still: no address arithmetic, no chain of addresses, nothing to compare.
  const mix = { ...loopFacts().mix, instructions: 5, addressArithmetic: 0, compares: 0 };
  assert.deepEqual(
    onlyLoopOf(objdumpText({ kernel: numbered })),
    loopFacts({ functionName: "kernel", offset: 0, mix, chains: [{ carries: "sum", length: 1 }] }),
  );
});

test("a sum that is not stored but returned is used after the loop", () => {
  const loop = onlyLoopOf(changed({ "23": "", "2b": "2b: mov    %rcx,%rax\n    2e:\tret" }));
  assert.deepEqual([loop.resultStores, loop.result, loop.live], [0, "used after the loop", true]);
});

test("a sum that is overwritten after the loop is dead", () => {
  const loop = onlyLoopOf(changed({ "23": "", "2b": "2b: xor    %ecx,%ecx\n    2d:\tret" }));
  assert.deepEqual([loop.result, loop.live], ["unused", false]);
});

test("a sum that is overwritten after the loop and read after that is dead as well", () => {
  const same = changed({ "23": "", "2b": "2b: xor    %ecx,%ecx\n    2d:\tmov    %rcx,%rax\n    30:\tret" });
  assert.equal(onlyLoopOf(same).result, "unused");
  const later = "2b: xor    %ecx,%ecx\n    2d:\tje     31 <x>\n    2f:\tnop\n    31:\tmov    %rcx,%rax\n    34:\tret";
  assert.equal(onlyLoopOf(changed({ "23": "", "2b": later })).result, "unused");
});

test("a sum that is stored at the top of the next turn is stored on each turn", () => {
  const text = changed({ "12": "12: mov    %rcx,(%rdi)\n    13:\tmov    (%rax),%rdx", "23": "" });
  assert.deepEqual([onlyLoopOf(text).resultStores, onlyLoopOf(text).result], [1, "stored in the loop"]);
});

test("a loop that code cannot reach is not found", () => {
  assert.throws(() => factsOf(changed({ "10": "10: ret" })), /no product loop found in "x.so"/);
});

test("a loop that only another function calls or jumps into can be reached", () => {
  const hidden = CLEAN.map((line) => line.replace("10: xor    %ecx,%ecx", "10: ret"));
  for (const enter of ["call", "jmp"]) {
    const text = objdumpText({ kernel: hidden, "kernel.cold": [`40: ${enter}   12 <kernel+0x2>`, "45: ret"] });
    assert.equal(onlyLoopOf(text).productsPerTurn, 1);
  }
  const within = objdumpText({
    kernel: [...hidden, "30: call   12 <kernel+0x2>"],
    main: ["40: jmp    30 <kernel+0x20>"],
  });
  assert.equal(onlyLoopOf(within).productsPerTurn, 1);
});

test("a loop in a function behind a jump table can be reached", () => {
  const loop = onlyLoopOf(changed({ "10": "10: jmp    *%rax" }));
  assert.equal(loop.productsPerTurn, 1);
});

test("a branch to a trap is a bounds check, the way out of the loop is not", () => {
  const text = objdumpText({
    kernel: [...CLEAN.slice(0, 1), "11: cmp    %rbx,%rax", "12: ja     30 <kernel.cold>", ...CLEAN.slice(2)].map(
      (line) =>
        line.startsWith("29:")
          ? "29: jne    11 <kernel+0x1>"
          : line.replace("15: imul", "13: mov    (%rax),%rdx\n    15:\timul"),
    ),
    "kernel.cold": ["30: mov    $0x1,%edi", "35: call   100 <wasm_rt_trap@plt>"],
  });
  assert.deepEqual([onlyLoopOf(text).boundsChecks, onlyLoopOf(text).elementLoads], [1, 2]);
});

test("a branch to ud2 is a bounds check", () => {
  const text = objdumpText({
    kernel: [...CLEAN.slice(0, 7), "26: jb     2c <kernel+0x1c>", "27: cmp    %r9,%rax", ...CLEAN.slice(8), "2c: ud2"],
  });
  assert.equal(onlyLoopOf(text).boundsChecks, 1);
});

test("a way out of the loop that may end in a trap later on is not a bounds check", () => {
  const text = changed({ "2b": "2b: test   %rcx,%rcx\n    2e:\tje     34 <x>\n    30:\tud2\n    34:\tret" });
  assert.equal(onlyLoopOf(text).boundsChecks, 0);
});

test("a hash (one factor is not loaded) and 32-bit products are no product loops", () => {
  assert.throws(() => factsOf(changed({ "12": "12: mov    %rcx,%rdx" })), /no product loop/);
  assert.throws(
    () => factsOf(changed({ "12": "12: mov    (%rax),%edx", "15": "15: imul   (%rsi),%edx" })),
    /no product loop/,
  );
});

test("products that are stored without being summed are no product loop", () => {
  assert.throws(() => factsOf(changed({ "20": "", "23": "23: mov    %rdx,(%rdi)" })), /no product loop/);
});

test("mulx and one-operand mul are scalar multiplies", () => {
  const mulx = changed({ "12": "12: mov    (%rax),%rdx", "15": "15: mulx   (%rsi),%rdx,%r10" });
  assert.equal(onlyLoopOf(mulx).scalarMultiplies, 1);
  const mul = changed({
    "12": "12: mov    (%rbx),%rax",
    "15": "15: mulq   (%rsi)",
    "19": "19: add    $0x8,%rbx",
    "20": "20: add    %rax,%rcx",
    "26": "26: cmp    %r9,%rbx",
  });
  assert.deepEqual([onlyLoopOf(mul).scalarMultiplies, onlyLoopOf(mul).productsPerTurn], [1, 1]);
});

test("a vector loop has no count of products and fails the verdict", () => {
  const text = objdumpText({
    kernel: [
      "10: vpxor  %xmm0,%xmm0,%xmm0",
      "14: vmovdqu (%rax),%ymm1",
      "18: vpmuludq (%rsi),%ymm1,%ymm2",
      "1d: vpaddq %ymm2,%ymm0,%ymm0",
      "21: add    $0x20,%rax",
      "25: add    $0x20,%rsi",
      "29: cmp    %r9,%rax",
      "2c: jne    14 <kernel+0x4>",
      "2e: vmovdqu %ymm0,(%rdi)",
      "32: ret",
    ],
  });
  const loop = onlyLoopOf(text);
  assert.deepEqual(
    [loop.productsPerTurn, loop.scalarMultiplies, loop.vectorMultiplies, loop.result],
    [null, 0, 1, "used after the loop"],
  );
  assert.equal(codegenVerdict(factsOf(text)).ok, false);
});

test("an outer loop is not counted beside the inner one", () => {
  const outer = [...CLEAN.slice(0, 9), "2b: cmp    %r10,%r11", "2e: jne    10 <kernel>", "30: ret"];
  assert.equal(factsOf(objdumpText({ kernel: outer })).loops.length, 1);
});

test("a loop that is entered in its middle, as gcc rotates them, is found", () => {
  const entered = CLEAN.map((line) => (line.startsWith("10:") ? "10: jmp    26 <kernel+0x16>" : line));
  assert.deepEqual(onlyLoopOf(objdumpText({ kernel: entered })), loopFacts({ functionName: "kernel", offset: 0x16 }));
});

test("a loop that is entered both at its top and in its middle is found", () => {
  const entered = CLEAN.map((line) => (line.startsWith("10:") ? "10: je     26 <kernel+0x16>" : line));
  const { productsPerTurn, resultStores } = onlyLoopOf(objdumpText({ kernel: entered }));
  assert.deepEqual([productsPerTurn, resultStores], [1, 1]);
});

test("product loops are found in every function of a listing", () => {
  const second = CLEAN.map((line) => `1${line.replace("12 <kernel", "112 <other")}`);
  const loops = factsOf(objdumpText({ kernel: CLEAN, other: second })).loops;
  assert.deepEqual(
    loops.map((loop) => [loop.functionName, loop.offset]),
    [
      ["kernel", 2],
      ["other", 2],
    ],
  );
});

const withoutMix = (given: Parameters<typeof loopFacts>[0]) => {
  const { mix: _, ...rest } = loopFacts(given);
  return rest;
};

test("aarch64: madd with post-indexed loads is one product", () => {
  const text = objdumpText(
    {
      kernel: [
        "10: mov\tx0, #0x0                   \t// #0",
        "18: ldr\tx3, [x2]",
        "1c: add\tx2, x2, x7",
        "20: ldr\tx4, [x1], #8",
        "24: madd\tx0, x4, x3, x0",
        "28: str\tx0, [x6, x5, lsl #3]",
        "2c: cmp\tx1, x8",
        "30: b.ne\t18 <kernel+0x8>  // b.any",
        "34: ret",
      ],
    },
    "elf64-littleaarch64",
  );
  assert.equal(factsOf(text).architecture, "aarch64");
  // The madd multiplies and adds in one; the post-indexed load moves its pointer.
  const { mix, ...rest } = onlyLoopOf(text);
  assert.deepEqual(mix, { ...loopFacts().mix, instructions: 7, addressArithmetic: 1 });
  assert.deepEqual(rest.chains.slice(0, 2), loopFacts().chains.slice(0, 2));
  assert.deepEqual({ ...rest, chains: [] }, withoutMix({ functionName: "kernel", offset: 8, chains: [] }));
});

/** The product loop of an aarch64 function that runs the given lines, from address 14 on, in turn. */
const arm64Loop = (lines: readonly string[]) =>
  onlyLoopOf(
    objdumpText(
      { kernel: ["10: mov\tx0, xzr", ...lines, "30: cbnz\tx8, 14 <kernel+0x4>", "34: ret"] },
      "elf64-littleaarch64",
    ),
  );

test("aarch64: ldp of both elements and a separate add are read, vector products are recognised", () => {
  const scalar = arm64Loop([
    "14: ldp\tx3, x4, [x1], #16",
    "18: mul\tx3, x3, x4",
    "1c: add\tx0, x0, x3",
    "20: str\tx0, [x6]",
  ]);
  assert.deepEqual([scalar.elementLoads, scalar.resultStores, scalar.productsPerTurn], [2, 1, 1]);
  const vector = arm64Loop(["14: ldr\td1, [x1], #8", "18: ldr\td2, [x2], #8", "1c: umlal\tv0.2d, v1.2s, v2.2s"]);
  assert.deepEqual([vector.vectorMultiplies, vector.productsPerTurn], [1, null]);
});

test("aarch64: a loaded address that an access moves on is no factor any more", () => {
  const lines = ["14: ldr\tx3, [x1], #8", "18: ldr\tx4, [x3], #8", "1c: madd\tx0, x3, x4, x0", "20: str\tx0, [x6]"];
  assert.throws(() => arm64Loop(lines), /no product loop/);
});
