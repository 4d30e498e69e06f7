/** Reads what `objdump -d --no-show-raw-insn` prints, for x86-64 (AT&T or Intel syntax) and aarch64. */
import { UserError } from "../../errors.js";
import { arm64Instruction } from "../instructions/arm64-instruction.js";
import type { Architecture, Instruction, Listing, MachineFunction } from "../instructions/instruction.js";
import { type X86Syntax, x86Instruction } from "../instructions/x86-instruction.js";

const FUNCTION = /^(?:0x)?[0-9a-f]+ <(.+)>:$/;
const INSTRUCTION = /^\s*([0-9a-f]+):\s+(.+)$/;
/** Encoded bytes, in a listing made without --no-show-raw-insn: two digits each, or one word on aarch64. */
const RAW_BYTES = /^(?:(?:[0-9a-f]{2} )+\s*|[0-9a-f]{8}\s+)(?=\S)/;

const architectureOf = (text: string, source: string): Architecture => {
  const format = /file format (\S+)/.exec(text)?.[1];
  if (format === undefined) {
    throw new UserError(`cannot read the listing of "${source}": no line says "file format", as objdump prints it`);
  }
  if (format === "elf64-x86-64") return "x86-64";
  if (format === "elf64-littleaarch64") return "aarch64";
  throw new UserError(`cannot read the listing of "${source}": format "${format}", expected x86-64 or aarch64 ELF`);
};

/**
 * Reads a disassembly.
 *
 * @param source name of the binary, for messages
 * @throws UserError when the text is not a disassembly of a known architecture
 */
export const objdumpListing = (text: string, source: string): Listing => {
  const architecture = architectureOf(text, source);
  const syntax: X86Syntax = /%[a-z]/.test(text) ? "att" : "intel";
  const read = (address: number, line: string): Instruction =>
    architecture === "x86-64" ? x86Instruction(address, line, syntax) : arm64Instruction(address, line);
  const functions: MachineFunction[] = [];
  let instructions: Instruction[] = [];
  for (const line of text.split("\n")) {
    const name = FUNCTION.exec(line.trim())?.[1];
    if (name !== undefined) {
      instructions = [];
      functions.push({ name, instructions });
      continue;
    }
    const [, address, printed] = INSTRUCTION.exec(line) ?? [];
    if (address === undefined || printed === undefined || functions.length === 0) continue;
    instructions.push(read(Number.parseInt(address, 16), printed.replace(RAW_BYTES, "")));
  }
  if (functions.every((item) => item.instructions.length === 0)) {
    throw new UserError(`cannot read the listing of "${source}": it has no instruction`);
  }
  return { architecture, functions };
};
