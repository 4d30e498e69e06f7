/**
 * What the machine executes in a turn of a loop: its instructions by what they are for, and the chains of instructions that
 * each wait for the one before, from turn to turn. Two loops that agree in both cost the same on a core; a time agrees on one
 * core only.
 */
import type { Step } from "./flow/program.js";
import type { ValueFlow } from "./flow/value-flow.js";

/** Instructions of a turn, each counted once, except that an access to memory inside another instruction counts as well. */
export interface InstructionMix {
  readonly instructions: number;
  readonly loads: number;
  readonly stores: number;
  readonly multiplies: number;
  /** Additions of products to a sum. */
  readonly sumAdds: number;
  /** Everything else that computes: pointers, indices, shifts, sign extensions. */
  readonly addressArithmetic: number;
  /** From register to register, or of a constant. */
  readonly moves: number;
  /** Compares and tests. */
  readonly compares: number;
  readonly branches: number;
}

/** A value that a turn makes of what the turn before made of it. */
export interface Chain {
  /** Sum: products are added up in it. */
  readonly carries: "sum" | "address";
  /** Instructions of one turn that wait for each other. */
  readonly length: number;
}

const isControl = ({ effect }: Step): boolean => effect.operation === "branch" || effect.operation === "jump";

const isCompare = ({ effect }: Step): boolean =>
  effect.operation === "other" && effect.writes.length === 0 && effect.stores.length === 0;

const isMove = ({ effect }: Step): boolean =>
  effect.operation === "copy" && effect.loads.length === 0 && effect.stores.length === 0;

const isArithmetic = ({ effect }: Step): boolean =>
  (effect.operation === "add" || effect.operation === "other") && effect.writes.length > 0;

/** The mix of the steps of a turn. */
export const instructionMix = (steps: readonly Step[], flow: Pick<ValueFlow, "summing">): InstructionMix => {
  const count = (wanted: (step: Step, at: number) => boolean): number => steps.filter(wanted).length;
  const accesses = (of: (step: Step) => number): number => steps.reduce((sum, step) => sum + of(step), 0);
  return {
    instructions: count(({ effect }) => effect.operation !== "nothing"),
    loads: accesses(({ effect }) => effect.loads.length),
    stores: accesses(({ effect }) => effect.stores.length),
    multiplies: count(({ effect }) => effect.operation === "multiply" || effect.operation === "vector-multiply"),
    sumAdds: flow.summing.size,
    addressArithmetic: count((step, at) => isArithmetic(step) && !flow.summing.has(at)),
    moves: count(isMove),
    compares: count(isCompare),
    branches: count(isControl),
  };
};

/** Length of the longest way from a register's value at the start of a turn to its value at the end; 0: there is none. */
const wayRound = (steps: readonly Step[], register: string): number => {
  const lengths = new Map<string, number>([[register, 0]]);
  for (const { effect } of steps) {
    const waited = effect.reads.flatMap((name) => lengths.get(name) ?? []);
    // A move costs no time where registers are renamed, but it hands the wait on.
    const own = effect.operation === "copy" && effect.loads.length === 0 ? 0 : 1;
    const length = waited.length === 0 ? null : Math.max(...waited) + own;
    for (const name of effect.clobbers) lengths.delete(name);
    for (const name of effect.writes) {
      if (length === null) lengths.delete(name);
      else lengths.set(name, length);
    }
  }
  return lengths.get(register) ?? 0;
};

/** The chains of a loop, through sums first; a register that only keeps its value is none. */
export const loopChains = (steps: readonly Step[], flow: Pick<ValueFlow, "sums">): readonly Chain[] => {
  const written = [...new Set(steps.flatMap(({ effect }) => effect.writes))];
  const chains = written.map((register) => ({
    carries: flow.sums.includes(register) ? ("sum" as const) : ("address" as const),
    length: wayRound(steps, register),
  }));
  // In an order that does not depend on which registers a compiler chose.
  return chains
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => b.carries.localeCompare(a.carries) || b.length - a.length);
};
