/** What is known of the machine code of a build: one entry per inner product loop. Data only; see codegen-verdict.ts. */
import type { Chain, InstructionMix } from "./instruction-mix.js";
import type { Architecture } from "./instructions/instruction.js";

/** An inner loop that multiplies loaded values and sums the products. Counts are per turn, on the path without calls. */
export interface ProductLoopFacts {
  /** Function it was found in; the work may be inlined anywhere. */
  readonly functionName: string;
  /** Bytes from the start of that function to the loop's head. */
  readonly offset: number;
  /** Products summed; null when vectorised, where the listing does not say how many lanes count. */
  readonly productsPerTurn: number | null;
  /** Scalar 64-bit multiplies, other than of addresses too. */
  readonly scalarMultiplies: number;
  /** Integer multiplies of vectors. */
  readonly vectorMultiplies: number;
  /** Loads of matrix elements: what the products are made of. Two per product is the least. */
  readonly elementLoads: number;
  /** Any other read of memory: a reloaded base, a spilled register, a stack limit. */
  readonly otherLoads: number;
  /** Stores of the running sum, other than to the stack. */
  readonly resultStores: number;
  /** Any other store, to the stack too. */
  readonly otherStores: number;
  /** Branches out of the loop to code that ends in a trap. */
  readonly boundsChecks: number;
  /** Branches to a slow way round with a call in it: V8's way to interrupt a loop. */
  readonly interruptChecks: number;
  readonly mix: InstructionMix;
  /** Values carried from turn to turn. */
  readonly chains: readonly Chain[];
  /** Where the sum goes: stored on the way, read after the loop, or nowhere. */
  readonly result: "stored in the loop" | "used after the loop" | "unused";
  /** The loop can be reached from the function's start and its sum is used: nothing was removed. */
  readonly live: boolean;
}

/** The inner product loops of one build. */
export interface BuildFacts {
  /** Name of the build in tables: a file, `NAME` of `--reference`, or `V8 11.3 (Node 20.20.2)`. */
  readonly build: string;
  readonly tool: "objdump" | "v8";
  readonly architecture: Architecture;
  /** Never empty: a build in which no loop is found is an error. */
  readonly loops: readonly ProductLoopFacts[];
}
