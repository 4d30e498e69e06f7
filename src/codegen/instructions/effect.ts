/** What an instruction does, reduced to what finding a product loop needs. */
import type { MemoryOperand, Operand } from "./instruction.js";

/**
 * Kinds of instruction. `copy` passes a value on, `add` sums its sources, `multiply` is a scalar integer product (plus
 * `addend`), `vector-multiply` an integer product of vectors, `vector` any other work on vectors, `other` makes a value
 * that has nothing to do with its sources' (shifts, masks, sign extensions).
 */
export type Operation =
  | "copy"
  | "add"
  | "multiply"
  | "vector-multiply"
  | "vector"
  | "other"
  | "nothing"
  | "branch"
  | "jump"
  | "call"
  | "return"
  | "trap";

/** An instruction's effect on registers and memory. */
export interface Effect {
  readonly operation: Operation;
  /** Operands whose values go into the result. */
  readonly sources: readonly Operand[];
  /** Summand of a multiply-add. */
  readonly addend: Operand | null;
  /** Registers that take the result. */
  readonly writes: readonly string[];
  /** Registers changed besides, to values that do not matter here. */
  readonly clobbers: readonly string[];
  /** Memory read. */
  readonly loads: readonly MemoryOperand[];
  /** Memory written, one entry per value. */
  readonly stores: readonly { readonly place: MemoryOperand; readonly value: readonly Operand[] }[];
  /** Registers read, those of addresses included. */
  readonly reads: readonly string[];
}

/** Registers an operand reads: itself, or those of its address. */
export const registersOf = (operand: Operand): readonly string[] => {
  if (operand.kind === "register") return [operand.name];
  return operand.kind === "memory" ? operand.registers : [];
};

const memoryOf = (operands: readonly Operand[]): readonly MemoryOperand[] =>
  operands.filter((operand) => operand.kind === "memory");

/** Builds an effect from its sources and destination; `extra` are destinations besides the first. */
export const effectOf = (
  operation: Operation,
  sources: readonly Operand[],
  destination: Operand | null,
  more: { readonly addend?: Operand; readonly extra?: readonly Operand[]; readonly clobbers?: readonly string[] } = {},
): Effect => {
  const read = more.addend === undefined ? sources : [...sources, more.addend];
  const destinations = destination === null ? [] : [destination, ...(more.extra ?? [])];
  const places = memoryOf(destinations);
  return {
    operation,
    sources,
    addend: more.addend ?? null,
    writes: destinations.flatMap((operand) => (operand.kind === "register" ? [operand.name] : [])),
    clobbers: more.clobbers ?? [],
    loads: memoryOf(read),
    stores: places.map((place) => ({ place, value: read })),
    reads: [...read, ...places].flatMap(registersOf),
  };
};

/** An instruction that touches no register or memory that matters. */
export const controlEffect = (operation: Operation, sources: readonly Operand[] = []): Effect =>
  effectOf(operation, sources, null);
