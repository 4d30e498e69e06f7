/** The effects of aarch64 instructions. */
import { type Effect, controlEffect, effectOf } from "./effect.js";
import { CONSTANT, type Instruction, type MemoryOperand, type Operand, type RegisterOperand } from "./instruction.js";

const RESULT: RegisterOperand = { kind: "register", name: "x0", vector: false, bits: 64 };

const isVector = (operand: Operand): boolean => operand.kind === "register" && operand.vector;
const LOAD = /^ld(?!ad|cl|eo|se|sm|um)[a-z0-9]+$/;
const STORE = /^st(?!ad|cl|eo|se|sm|um)[a-z0-9]+$/;
const VECTOR_MULTIPLY = /^[su]?(?:q[a-z]*)?(?:mul|mla|mlal|mull|pmull)2?$/;
const NOTHING = /^(?:nop|bti|hint|isb|dsb|dmb|prfm|yield|paciasp|autiasp|csdb)$/;
const COMPARE = /^(?:cmp|cmn|tst|ccmp|ccmn|fcmp|fcmpe)$/;
const TRAP = /^(?:brk|udf|hlt|unreachable)$/;

/** Loads and stores move one or two registers; the base may be moved along. */
const memoryAccess = (operands: readonly Operand[], isLoad: boolean): Effect | null => {
  const place = operands.find((operand): operand is MemoryOperand => operand.kind === "memory");
  if (place === undefined) return null;
  const values = operands.slice(0, operands.indexOf(place)).filter((operand) => operand.kind !== "constant");
  const clobbers = place.writesBack ? place.registers.slice(0, 1) : [];
  if (isLoad) {
    const [first = CONSTANT, ...extra] = values;
    const effect = effectOf("copy", [place], first, { extra, clobbers });
    return { ...effect, loads: values.map(() => place) };
  }
  const effect = effectOf("copy", values, place, { clobbers });
  return { ...effect, stores: values.map((value) => ({ place, value: [value] })) };
};

const multiply = (mnemonic: string, operands: readonly Operand[]): Effect | null => {
  const [first = CONSTANT, a = CONSTANT, b = CONSTANT, addend = CONSTANT] = operands;
  if (mnemonic === "mul" || mnemonic === "mneg") return effectOf("multiply", [a, b], first);
  return mnemonic === "madd" || mnemonic === "msub" ? effectOf("multiply", [a, b], first, { addend }) : null;
};

const vectorMultiply = (mnemonic: string, operands: readonly Operand[]): Effect | null => {
  // SVE puts a predicate between: `mla z0.d, p0/m, z2.d, z1.d`.
  const [first = CONSTANT, a = CONSTANT, b = CONSTANT] = operands.filter((operand) => operand.kind !== "constant");
  if (mnemonic === "mad") return effectOf("vector-multiply", [first, a], first, { addend: b });
  if (!VECTOR_MULTIPLY.test(mnemonic)) return null;
  return effectOf("vector-multiply", [a, b], first, mnemonic.includes("mla") ? { addend: first } : {});
};

/** What an aarch64 instruction does. */
export const arm64Effect = (instruction: Instruction): Effect => {
  const { mnemonic, operands } = instruction;
  const [first = CONSTANT, ...rest] = operands;
  if (mnemonic === "b") return controlEffect("jump");
  if (mnemonic === "br") return controlEffect("jump", operands);
  if (/^(?:b\..+|cbn?z|tbn?z)$/.test(mnemonic)) return controlEffect("branch", operands);
  if (/^blr?$/.test(mnemonic)) return controlEffect("call", operands);
  if (mnemonic.startsWith("ret")) return controlEffect("return", [RESULT]);
  if (TRAP.test(mnemonic)) return controlEffect("trap");
  if (NOTHING.test(mnemonic)) return controlEffect("nothing");
  if (COMPARE.test(mnemonic)) return controlEffect("other", operands);
  const access = LOAD.test(mnemonic)
    ? memoryAccess(operands, true)
    : STORE.test(mnemonic)
      ? memoryAccess(operands, false)
      : null;
  if (access !== null) return access;
  const hasVector = operands.some(isVector);
  const product = hasVector ? vectorMultiply(mnemonic, operands) : multiply(mnemonic, operands);
  if (product !== null) return product;
  if (mnemonic === "add") return effectOf("add", rest, first);
  if (hasVector) return effectOf("vector", rest, first);
  if (mnemonic === "mov") return effectOf("copy", rest, first);
  return effectOf("other", rest, first);
};
