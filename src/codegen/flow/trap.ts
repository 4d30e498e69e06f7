/** Does an address lead to a trap? A branch from a loop to such a place is a bounds check, not the loop's end. */
import type { Program } from "./program.js";

/** How far a trap is looked for: the code before it only prepares an argument or two. */
const MAX_STEPS = 16;

/** Does straight-line code from `address` end in a trap, before a return or a way back? */
export const leadsToTrap = (program: Program, address: number): boolean => {
  let place = program.placeOf(address);
  for (let left = MAX_STEPS; left > 0 && place !== undefined; left--) {
    const { routine, index } = place;
    const step = routine.steps[index];
    if (step === undefined) return false;
    const { effect, instruction } = step;
    if (effect.operation === "trap") return true;
    if (effect.operation === "return" || effect.operation === "branch") return false;
    if (effect.operation === "call") return onlyCallsFollow(routine.steps.slice(index + 1));
    if (effect.operation === "jump") {
      place = instruction.target === null ? undefined : program.placeOf(instruction.target);
    } else place = { routine, index: index + 1 };
  }
  return false;
};

/** V8 puts the calls of its trap stubs, which have no name in the listing, at the end of a function. */
const onlyCallsFollow = (steps: readonly { readonly effect: { readonly operation: string } }[]): boolean =>
  steps.every(
    ({ effect }) => effect.operation === "call" || effect.operation === "nothing" || effect.operation === "trap",
  );
