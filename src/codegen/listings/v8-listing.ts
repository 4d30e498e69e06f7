/**
 * Reads what V8 prints with `--print-wasm-code`: for each WebAssembly function a head (name, index, compiler) and lines
 * of address, offset, encoding and instruction.
 */
import { UserError } from "../../errors.js";
import { arm64Instruction } from "../instructions/arm64-instruction.js";
import type { Architecture, Instruction, Listing, MachineFunction } from "../instructions/instruction.js";
import { x86Instruction } from "../instructions/x86-instruction.js";

const HEAD = /^--- WebAssembly code ---$/;
const END = /^--- End code ---$/;
const INSTRUCTION = /^0x([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+(.+)$/;

interface RawFunction {
  name: string;
  index: number | null;
  compiler: string;
  lines: { readonly address: number; readonly code: string; readonly text: string }[];
}

const rawFunctions = (text: string, source: string): readonly RawFunction[] => {
  const found: RawFunction[] = [];
  let current: RawFunction | null = null;
  for (const printed of text.split("\n")) {
    const line = printed.trimEnd();
    if (HEAD.test(line)) {
      current = { name: "", index: null, compiler: "", lines: [] };
      found.push(current);
    } else if (END.test(line)) current = null;
    else if (current !== null) {
      const [, field, value = ""] = /^(name|index|compiler): (.*)$/.exec(line) ?? [];
      if (field === "name") current.name = value;
      else if (field === "index") current.index = Number.parseInt(value, 10);
      else if (field === "compiler") current.compiler = value;
      const [, address, code = "", instruction = ""] = INSTRUCTION.exec(line) ?? [];
      if (address !== undefined) {
        current.lines.push({ address: Number.parseInt(address, 16), code, text: instruction });
      }
    }
  }
  if (current !== null) {
    throw new UserError(`cannot read the listing of "${source}": it is cut off in function "${current.name}"`);
  }
  return found;
};

/** Every aarch64 instruction is one word of 4 bytes; among x86-64 ones some are not. */
const architectureOf = (functions: readonly RawFunction[]): Architecture =>
  functions.every((item) => item.lines.every((line) => line.code.length === 8)) ? "aarch64" : "x86-64";

/**
 * Reads a V8 listing. Code of the baseline compiler (Liftoff) is left out: the engine never runs it.
 *
 * @param names names of functions by index, which win over `wasm-function[3]`
 * @param source name of the build, for messages
 * @throws UserError when the text is cut off or no optimised function is in it
 */
export const v8Listing = (text: string, names: ReadonlyMap<number, string>, source: string): Listing => {
  const raw = rawFunctions(text, source).filter((item) => item.compiler !== "Liftoff" && item.index !== null);
  if (raw.every((item) => item.lines.length === 0)) {
    throw new UserError(
      `cannot read the listing of "${source}": no optimised WebAssembly function in it`,
      "Use a node built with V8's disassembler, as the release builds of nodejs.org are.",
    );
  }
  const architecture = architectureOf(raw);
  const read = (address: number, line: string): Instruction =>
    architecture === "x86-64" ? x86Instruction(address, line, "v8") : arm64Instruction(address, line);
  const functions: MachineFunction[] = raw.map((item) => ({
    name: (item.index === null ? undefined : names.get(item.index)) ?? item.name,
    instructions: item.lines.map((line) => read(line.address, line.text)),
  }));
  return { architecture, functions };
};
