/** x86-64 instruction text, in AT&T, Intel and V8's own syntax, to an Instruction. */
import { at } from "../../at.js";
import { CONSTANT, type Instruction, type MemoryOperand, type Operand, type RegisterOperand } from "./instruction.js";
import { splitOperands } from "./operand-text.js";

/** The three ways of writing x86-64: AT&T has the destination last, V8 has widths in the mnemonic only. */
export type X86Syntax = "att" | "intel" | "v8";

const PREFIX =
  /^(?:rex(?:\.[wrxb]+)?|lock|rep[nz]*e?|notrack|bnd|data16|cs|ds|es|fs|gs|ss|addr32|\{(?:vex|evex)\d?\})\s+/i;
const SIZED = new Set(
  (
    "mov movabs add sub lea imul mul cmp test xor and or not neg shl shr sar sal rol ror inc dec push pop " +
    "adc sbb xchg xadd cmpxchg div idiv bt mulx"
  ).split(" "),
);
const SUFFIX_BITS: ReadonlyMap<string, number> = new Map([
  ["b", 8],
  ["w", 16],
  ["l", 32],
  ["q", 64],
]);
const POINTER_BITS: ReadonlyMap<string, number> = new Map([
  ["BYTE", 8],
  ["WORD", 16],
  ["DWORD", 32],
  ["QWORD", 64],
  ["XMMWORD", 128],
  ["YMMWORD", 256],
  ["ZMMWORD", 512],
]);
const VECTOR_BITS: ReadonlyMap<string, number> = new Map([
  ["x", 128],
  ["y", 256],
  ["z", 512],
]);
const LEGACY = /^(r|e)?(ax|bx|cx|dx|si|di|bp|sp|ip)$/;
const LEGACY_BYTE = /^(?:([abcd])[lh]|(si|di|bp|sp)l)$/;
const NUMBERED = /^r(8|9|1[0-5])([bwdl])?$/;
const VECTOR = /^([xyz])mm(\d+)$/;
const NUMBERED_BITS: ReadonlyMap<string, number> = new Map([
  ["b", 8],
  ["l", 8],
  ["w", 16],
  ["d", 32],
]);

const register = (text: string): RegisterOperand | null => {
  const name = text.replace(/^%/, "").replace(/\{.*$/, "");
  const legacy = LEGACY.exec(name);
  if (legacy !== null) {
    const bits = legacy[1] === "r" ? 64 : legacy[1] === "e" ? 32 : 16;
    return { kind: "register", name: `r${legacy[2]}`, vector: false, bits };
  }
  const byte = LEGACY_BYTE.exec(name);
  if (byte !== null) return { kind: "register", name: `r${byte[2] ?? `${byte[1]}x`}`, vector: false, bits: 8 };
  const numbered = NUMBERED.exec(name);
  if (numbered !== null) {
    const bits = NUMBERED_BITS.get(numbered.at(2) ?? "") ?? 64;
    return { kind: "register", name: `r${numbered[1]}`, vector: false, bits };
  }
  const vector = VECTOR.exec(name);
  if (vector === null) return null;
  return { kind: "register", name: `v${vector[2]}`, vector: true, bits: VECTOR_BITS.get(at(vector, 1)) ?? 128 };
};

const memory = (inside: string, bits: number | null): MemoryOperand => {
  const names = inside.split(/[^%A-Za-z0-9]+/).flatMap((word) => register(word)?.name ?? []);
  return { kind: "memory", registers: names, writesBack: false, bits };
};

const operand = (text: string): Operand => {
  const known = register(text);
  if (known !== null) return known;
  const bracket = /\[(.*)\]/.exec(text);
  if (bracket !== null) {
    const size = /^([A-Z]+) PTR/.exec(text);
    return memory(at(bracket, 1), POINTER_BITS.get(size?.[1] ?? "") ?? null);
  }
  const parentheses = /\((.*)\)/.exec(text);
  if (parentheses !== null) return memory(at(parentheses, 1), null);
  // AT&T writes an absolute address as a bare number (with a segment before it), a constant with a dollar sign.
  if (/^%[c-gs]s:/.test(text)) return memory("", null);
  return CONSTANT;
};

const stripPrefixes = (text: string): string => {
  let rest = text.trim();
  while (PREFIX.test(rest)) rest = rest.replace(PREFIX, "");
  return rest;
};

const isJumpOrCall = (mnemonic: string): boolean => /^(?:j[a-z]+|callq?|loop[a-z]*)$/.test(mnemonic);

const targetOf = (rest: string): number | null => {
  const direct = /^(?:0x)?([0-9a-f]+)(?:\s|$)/.exec(rest);
  return direct === null ? null : Number.parseInt(at(direct, 1), 16);
};

const withoutSuffix = (mnemonic: string): { readonly base: string; readonly bits: number | null } => {
  if (SIZED.has(mnemonic)) return { base: mnemonic, bits: null };
  const base = mnemonic.slice(0, -1);
  const bits = SUFFIX_BITS.get(mnemonic.slice(-1));
  return bits !== undefined && SIZED.has(base) ? { base, bits } : { base: mnemonic, bits: null };
};

/** Reads one instruction, such as `REX.W imulq rcx,rsi` (v8) or `imul (%rsi),%rdx` (att). */
export const x86Instruction = (address: number, text: string, syntax: X86Syntax): Instruction => {
  const bare = stripPrefixes(text.replace(/\s+#.*$/, "").replace(/\s*;;.*$/, ""));
  const [printed = "", rest = ""] = bare.split(/\s+(.*)/s, 2);
  const mnemonic = printed.toLowerCase();
  if (isJumpOrCall(mnemonic)) {
    return { address, mnemonic, bits: null, operands: [], target: targetOf(rest), text: bare };
  }
  const listed = splitOperands(rest).map(operand);
  const operands = syntax === "att" ? listed.toReversed() : listed;
  const { base, bits } = withoutSuffix(mnemonic);
  // A vector move between a vector and a general register is `movq` too: keep its name.
  const vector = operands.some((item) => item.kind === "register" && item.vector);
  const known = operands.flatMap((item) => (item.kind === "constant" || item.bits === null ? [] : [item.bits]));
  return {
    address,
    mnemonic: vector ? mnemonic : base,
    bits: bits ?? (known.length === 0 || syntax === "v8" ? null : Math.max(...known)),
    operands,
    target: null,
    text: bare,
  };
};
