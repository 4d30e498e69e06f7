/** The effects of x86-64 instructions. */
import { type Effect, controlEffect, effectOf } from "./effect.js";
import { CONSTANT, type Instruction, type Operand, type RegisterOperand } from "./instruction.js";

const general = (name: string): RegisterOperand => ({ kind: "register", name, vector: false, bits: 64 });

const COPY = new Set(["mov", "movabs"]);
const SUM = new Set(["add", "xadd", "adc"]);
/** Read both operands, write none but the flags. */
const COMPARE = new Set(["cmp", "test", "bt", "comisd", "ucomisd", "vptest", "ptest"]);
const NOTHING =
  /^(?:nop[wlq]?|endbr64|pause|[lms]fence|leave|c[lqwdb]to|cltq|cqo|cdq|cwd|cdqe|prefetch.*|vzeroupper|data16)$/;
const TRAP = /^(?:ud2[ab]?|ud1|int3|int3l|hlt)$/;
const VECTOR_MULTIPLY = /^v?p(?:mul|madd)/;
const VECTOR_ADD = /^v?padd[bwdq]$/;
const VECTOR_COPY =
  /^v?(?:mov(?:dq[au]\d*|[au]p[sd]|[dq]|nt.*|[lh]p[sd]|s[sd]|ddup)|lddqu|p?broadcast.*|gather.*|pgather.*)$/;

const scalarMultiply = (instruction: Instruction): Effect => {
  const [first = CONSTANT, second, third] = instruction.operands;
  // One operand: rdx:rax = rax · operand. Three: a constant factor.
  if (second === undefined) return effectOf("multiply", [general("rax"), first], general("rax"), { clobbers: ["rdx"] });
  return effectOf("multiply", third === undefined ? [first, second] : [second, third], first);
};

const vectorEffect = (instruction: Instruction, first: Operand, rest: readonly Operand[]): Effect => {
  const { mnemonic } = instruction;
  // Two operands: the destination is a source as well, unless it is only moved. Three (AVX): it is not.
  const sources = VECTOR_COPY.test(mnemonic) || rest.length > 1 ? rest : [first, ...rest];
  if (VECTOR_MULTIPLY.test(mnemonic)) return effectOf("vector-multiply", sources, first);
  if (VECTOR_ADD.test(mnemonic)) return effectOf("add", sources, first);
  return effectOf("vector", sources, first);
};

/** What an x86-64 instruction does. */
export const x86Effect = (instruction: Instruction): Effect => {
  const { mnemonic, operands } = instruction;
  const [first = CONSTANT, ...rest] = operands;
  if (mnemonic.startsWith("jmp")) return controlEffect("jump");
  if (/^(?:j|loop)/.test(mnemonic)) return controlEffect("branch");
  if (/^callq?$/.test(mnemonic)) return controlEffect("call");
  if (mnemonic.startsWith("ret")) return controlEffect("return", [general("rax")]);
  if (TRAP.test(mnemonic)) return controlEffect("trap");
  if (NOTHING.test(mnemonic)) return controlEffect("nothing");
  if (COMPARE.has(mnemonic)) return controlEffect("other", operands);
  if (mnemonic === "push") return controlEffect("other", operands);
  if (mnemonic === "pop") return effectOf("other", [], first);
  if (operands.some((operand) => operand.kind === "register" && operand.vector)) {
    return vectorEffect(instruction, first, rest);
  }
  if (COPY.has(mnemonic)) return effectOf("copy", rest, first);
  if (mnemonic === "lea") {
    const address = rest[0];
    return effectOf("add", address?.kind === "memory" ? address.registers.map(general) : [], first);
  }
  if (mnemonic === "imul" || mnemonic === "mul") return scalarMultiply(instruction);
  if (mnemonic === "mulx") {
    const [high = CONSTANT, low = CONSTANT, factor = CONSTANT] = operands;
    return effectOf("multiply", [general("rdx"), factor], high, { extra: [low] });
  }
  if (SUM.has(mnemonic)) return effectOf("add", [first, ...rest], first);
  if (mnemonic.startsWith("cmov")) return effectOf("add", [first, ...rest], first);
  if (mnemonic.startsWith("set")) return effectOf("other", [], first);
  // `xor eax,eax` reads nothing.
  if (mnemonic === "xor" && rest[0]?.kind === "register" && first.kind === "register" && rest[0].name === first.name) {
    return effectOf("other", [], first);
  }
  if (/^mov[sz]/.test(mnemonic)) return effectOf("other", rest, first);
  return effectOf("other", operands, first);
};
