/**
 * One machine instruction in a form that no longer depends on who printed it: objdump (AT&T, Intel, aarch64) or V8.
 *
 * No upstream counterpart: upstream leaves its inner loop to the compiler and does not look at it again.
 */

/** Instruction sets whose listings are understood. */
export type Architecture = "x86-64" | "aarch64";

/** A register under one name for all its widths: `rax` for eax and rax, `x0` for w0, `v3` for xmm3, ymm3 and q3. */
export interface RegisterOperand {
  readonly kind: "register";
  readonly name: string;
  readonly vector: boolean;
  readonly bits: number;
}

/** A place in memory; `registers` form its address. */
export interface MemoryOperand {
  readonly kind: "memory";
  readonly registers: readonly string[];
  /** The address register is moved by the access (aarch64, `[x1, #8]!`). */
  readonly writesBack: boolean;
  /** Width where the syntax names it (`QWORD PTR`). */
  readonly bits: number | null;
}

/** A constant, or anything whose value does not matter here (shift amounts, conditions, labels). */
export interface ConstantOperand {
  readonly kind: "constant";
}

/** What an instruction works on. */
export type Operand = RegisterOperand | MemoryOperand | ConstantOperand;

/** One instruction: operands with the destination first, whatever the syntax. */
export interface Instruction {
  readonly address: number;
  /** Lower case, without prefixes and, on x86, without the size suffix: `movq` and `REX.W movq` are `mov`. */
  readonly mnemonic: string;
  /** Operand width in bits, from the suffix, a register or `QWORD PTR`; null where nothing says it. */
  readonly bits: number | null;
  readonly operands: readonly Operand[];
  /** Address of a direct jump or call; null for all else. */
  readonly target: number | null;
  /** As printed, without address. */
  readonly text: string;
}

/** A function of a listing, in order of addresses. */
export interface MachineFunction {
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** A listing that has been read. */
export interface Listing {
  readonly architecture: Architecture;
  readonly functions: readonly MachineFunction[];
}

export const CONSTANT: ConstantOperand = { kind: "constant" };
