/** aarch64 instruction text, as objdump and V8 print it, to an Instruction. */
import { at } from "../../at.js";
import { CONSTANT, type Instruction, type MemoryOperand, type Operand, type RegisterOperand } from "./instruction.js";
import { splitOperands } from "./operand-text.js";

const GENERAL = /^([xw])(\d+|zr)$/;
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["sp", "sp"],
  ["wsp", "sp"],
  ["fp", "x29"],
  ["lr", "x30"],
  ["ip0", "x16"],
  ["ip1", "x17"],
]);
const VECTOR = /^\{?\s*([vqdshbz])(\d+)(?:[./].*)?$/;
const BRANCH = /^(?:b|bl|b\..+|cbn?z|tbn?z)$/;
/** V8's simulator-era names for conditions, `b.eq` printed as `b.eq`; and objdump's `b.none` comments are cut off. */
const COMMENT = /\s*(?:\/\/|;;).*$/;

const register = (text: string): RegisterOperand | null => {
  const general = GENERAL.exec(text);
  if (general !== null) {
    return { kind: "register", name: `x${general[2]}`, vector: false, bits: general[1] === "x" ? 64 : 32 };
  }
  const alias = ALIASES.get(text);
  if (alias !== undefined) return { kind: "register", name: alias, vector: false, bits: text === "wsp" ? 32 : 64 };
  const vector = VECTOR.exec(text);
  return vector === null ? null : { kind: "register", name: `v${vector[2]}`, vector: true, bits: 128 };
};

const memory = (text: string): MemoryOperand => ({
  kind: "memory",
  registers: text.split(/[^a-z0-9]+/).flatMap((word) => register(word)?.name ?? []),
  writesBack: text.endsWith("!"),
  bits: null,
});

const operandsOf = (text: string): readonly Operand[] => {
  const operands: Operand[] = [];
  for (const part of splitOperands(text)) {
    const last = operands.at(-1);
    if (part.startsWith("[")) operands.push(memory(part));
    else if (part.startsWith("{"))
      for (const name of part.slice(1, -1).split(/[,-]/)) operands.push(register(name.trim()) ?? CONSTANT);
    // What follows the brackets moves the base after the access: `[x1], #8`.
    else if (last?.kind === "memory") operands[operands.length - 1] = { ...last, writesBack: true };
    else operands.push(register(part) ?? CONSTANT);
  }
  return operands;
};

const targetOf = (rest: string): number | null => {
  // The last operand: `cbz x4, 66c <good+0x8c>`, `b #+0x40 (addr 0x7f001040)`.
  const named = /\(addr (0x[0-9a-f]+)\)/.exec(rest);
  if (named !== null) return Number.parseInt(at(named, 1), 16);
  const last = splitOperands(rest.replace(/<.*$/, "")).at(-1) ?? "";
  const direct = /^(?:0x)?([0-9a-f]+)$/.exec(last.trim());
  return direct === null ? null : Number.parseInt(at(direct, 1), 16);
};

/** Reads one instruction, such as `madd x0, x4, x3, x0` or `ldr x4, [x1], #8`. */
export const arm64Instruction = (address: number, text: string): Instruction => {
  const bare = text.replace(COMMENT, "").trim();
  const [printed = "", rest = ""] = bare.split(/\s+(.*)/s, 2);
  const mnemonic = printed.toLowerCase();
  if (BRANCH.test(mnemonic)) {
    const registers = operandsOf(rest).filter((item) => item.kind === "register");
    return { address, mnemonic, bits: null, operands: registers, target: targetOf(rest), text: bare };
  }
  const operands = operandsOf(rest);
  const first = operands[0];
  return {
    address,
    mnemonic,
    bits: first?.kind === "register" ? first.bits : null,
    operands,
    target: null,
    text: bare,
  };
};
