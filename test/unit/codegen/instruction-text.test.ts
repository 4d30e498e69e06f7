import assert from "node:assert/strict";
import { test } from "node:test";
import { arm64Instruction } from "../../../src/codegen/instructions/arm64-instruction.js";
import type { Instruction } from "../../../src/codegen/instructions/instruction.js";
import { type X86Syntax, x86Instruction } from "../../../src/codegen/instructions/x86-instruction.js";

/** Operands in short: a register by name, memory as [registers], a constant as #. */
const inShort = ({ mnemonic, bits, operands, target }: Instruction): string => {
  const parts = operands.map((operand) => {
    if (operand.kind === "register") return operand.name;
    return operand.kind === "constant" ? "#" : `[${operand.registers.join("+")}]${operand.writesBack ? "!" : ""}`;
  });
  return `${mnemonic}/${bits ?? "-"} ${parts.join(" ")}${target === null ? "" : `->${target.toString(16)}`}`.trim();
};

const x86: readonly (readonly [X86Syntax, string, string])[] = [
  ["att", "imul   -0x18(%rdi,%rbx,1),%rcx", "imul/64 rcx [rdi+rbx]"],
  ["intel", "imul   rcx,QWORD PTR [rdi+rbx*1-0x18]", "imul/64 rcx [rdi+rbx]"],
  ["v8", "REX.W imulq rcx,[rdi+rbx*1-0x18]", "imul/64 rcx [rdi+rbx]"],
  ["att", "imul   $0x18,%rax,%rdi", "imul/64 rdi rax #"],
  ["att", "imul   %r13d,%r12d", "imul/32 r12 r13"],
  ["v8", "imull r12,rdx", "imul/32 r12 rdx"],
  ["att", "mov    %r13,0x0(%rbp,%r12,8)", "mov/64 [rbp+r12] r13"],
  ["intel", "mov    QWORD PTR [rbp+r12*8+0x0],r13", "mov/64 [rbp+r12] r13"],
  ["v8", "REX.W movq [rbp+r12*8+0x0],r13", "mov/64 [rbp+r12] r13"],
  ["att", "movq   $0x0,(%rdi)", "mov/64 [rdi] #"],
  ["att", "mov    0x6fb5(%rip),%rax        # 8fc0 <x@Base>", "mov/64 rax [rip]"],
  ["att", "lea    0x0(,%rsi,8),%r8", "lea/64 r8 [rsi]"],
  ["att", "vpmuludq %ymm4,%ymm0,%ymm1", "vpmuludq/256 v1 v0 v4"],
  ["att", "movq   %xmm0,%rax", "movq/64 rax v0"],
  ["att", "lock cmpxchg %ecx,(%rdx)", "cmpxchg/32 [rdx] rcx"],
  ["att", "mul    %sil", "mul/8 rsi"],
  ["att", "jne    38b0 <do_some_math+0x60>", "jne/- ->38b0"],
  ["v8", "jnc 0x3093c3d73740  <+0x80>", "jnc/- ->3093c3d73740"],
  ["v8", "call 0x3093c3d732d0  (jump table)", "call/- ->3093c3d732d0"],
  ["att", "jmp    *0x6fcc(%rip)        # 8ff8 <_GLOBAL_OFFSET_TABLE_+0x10>", "jmp/-"],
  ["att", "notrack jmp *%rax", "jmp/-"],
  ["att", "data16 data16 cs nopw 0x0(%rax,%rax,1)", "nopw/- [rax+rax]"],
];

for (const [syntax, text, expected] of x86) {
  test(`x86-64, ${syntax}: "${text}" is read as ${expected}`, () => {
    assert.equal(inShort(x86Instruction(0, text, syntax)), expected);
  });
}

const arm64: readonly (readonly [string, string])[] = [
  ["ldr\tx4, [x1], #8", "ldr/64 x4 [x1]!"],
  ["stp fp, lr, [sp, #-16]!", "stp/64 x29 x30 [sp]!"],
  ["str\tx0, [x6, x5, lsl #3]", "str/64 x0 [x6+x5]"],
  ["madd\tx0, x4, x3, x0", "madd/64 x0 x4 x3 x0"],
  ["mul w0, w1, w2", "mul/32 x0 x1 x2"],
  ["mov\tx5, #0x0                   \t// #0", "mov/64 x5 #"],
  ["b.ne\t618 <good+0x38>  // b.any", "b.ne/- ->618"],
  ["cbz\tx4, 66c <good+0x8c>", "cbz/- x4->66c"],
  ["tbz\tw0, #3, 40", "tbz/- x0->40"],
  ["b.hs #+0x40 (addr 0x7f0010c0)", "b.hs/- ->7f0010c0"],
  ["umlal\tv0.2d, v1.2s, v2.2s", "umlal/128 v0 v1 v2"],
  ["ld1\t{v0.2d, v1.2d}, [x0], #32", "ld1/128 v0 v1 [x0]!"],
];

for (const [text, expected] of arm64) {
  test(`aarch64: "${text.replaceAll("\t", " ")}" is read as ${expected}`, () => {
    assert.equal(inShort(arm64Instruction(0, text)), expected);
  });
}
