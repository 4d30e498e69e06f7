/** A listing to the facts about its inner product loops. */
import { UserError } from "../errors.js";
import type { BuildFacts, ProductLoopFacts } from "./build-facts.js";
import { flowGraph } from "./flow/control-flow.js";
import type { Listing } from "./instructions/instruction.js";
import { innermostLoops } from "./flow/loops.js";
import { productLoopFacts } from "./product-loop.js";
import { type Program, type Routine, programOf } from "./flow/program.js";

const loopsOf = (program: Program, routine: Routine): readonly ProductLoopFacts[] => {
  // Most functions have no multiply at all: spare them the search for loops.
  const multiplies = routine.steps.some(({ effect }) => /multiply/.test(effect.operation));
  if (!multiplies) return [];
  const graph = flowGraph(program, routine);
  return innermostLoops(graph)
    .flatMap((loop) => productLoopFacts(program, graph, loop) ?? [])
    .toSorted((a, b) => a.offset - b.offset);
};

/**
 * Finds the inner product loops of a listing: of every function, since the work may be inlined anywhere.
 *
 * @param build name of the build in tables and messages
 * @throws UserError when there is none: a listing that is not understood is no evidence
 */
export const codegenFacts = (listing: Listing, build: string, tool: BuildFacts["tool"]): BuildFacts => {
  const program = programOf(listing);
  const loops = program.routines.flatMap((routine) => loopsOf(program, routine));
  if (loops.length === 0) {
    throw new UserError(
      `no product loop found in "${build}": none of its ${listing.functions.length} functions has a loop that sums ` +
        "products of two loaded 64-bit integers",
      "Check that this is schbench, built with optimisation, and that its matrix work was not removed.",
    );
  }
  return { build, tool, architecture: listing.architecture, loops };
};
