/** A listing with the effect of every instruction, and addresses that can be looked up across functions. */
import { arm64Effect } from "../instructions/arm64-effect.js";
import type { Effect } from "../instructions/effect.js";
import type { Instruction, Listing } from "../instructions/instruction.js";
import { x86Effect } from "../instructions/x86-effect.js";

/** An instruction and what it does. */
export interface Step {
  readonly instruction: Instruction;
  readonly effect: Effect;
}

/** A function as steps. */
export interface Routine {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Where an address is: a routine and an index into its steps. */
export interface Place {
  readonly routine: Routine;
  readonly index: number;
}

/** A whole listing, ready to be searched. */
export interface Program {
  readonly routines: readonly Routine[];
  readonly placeOf: (address: number) => Place | undefined;
  /** Is the address entered from elsewhere: called, or jumped to from another routine? */
  readonly isEntry: (address: number) => boolean;
}

/** Calls that do not come back: libc's, wasm2c's trap, the sanitizers', V8's. A disassembly does not say so itself. */
const NEVER_RETURNS =
  /<(?:abort|_?exit|quick_exit|_?(?:sig)?longjmp|__longjmp_chk|pthread_exit|wasm_rt_trap|__stack_chk_fail|__assert_fail|__ubsan_handle_\w+_abort|__asan_report_\w+)(?:[.@][^>]*)?>|ThrowWasm/;

const withoutReturn = (step: Step): Step =>
  step.effect.operation === "call" && NEVER_RETURNS.test(step.instruction.text)
    ? { ...step, effect: { ...step.effect, operation: "trap" } }
    : step;

/** Prepares a listing. */
export const programOf = (listing: Listing): Program => {
  const effect = listing.architecture === "x86-64" ? x86Effect : arm64Effect;
  const routines = listing.functions.map((item) => ({
    name: item.name,
    steps: item.instructions.map((instruction) => withoutReturn({ instruction, effect: effect(instruction) })),
  }));
  const places = new Map<number, Place>();
  for (const routine of routines) {
    for (const [index, step] of routine.steps.entries()) places.set(step.instruction.address, { routine, index });
  }
  const entries = new Set<number>();
  for (const routine of routines) {
    for (const { instruction, effect: done } of routine.steps) {
      if (instruction.target === null) continue;
      const elsewhere = places.get(instruction.target)?.routine !== routine;
      const isCall = done.operation === "call" || done.operation === "trap";
      if (isCall || elsewhere) entries.add(instruction.target);
    }
  }
  return { routines, placeOf: (address) => places.get(address), isEntry: (address) => entries.has(address) };
};
