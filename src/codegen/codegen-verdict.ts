/** Judges machine code: is the work of a request what upstream's compilers make of it? */
import type { BuildFacts, ProductLoopFacts } from "./build-facts.js";

/** What the published check asks of every product loop. */
export const WANTED = "scalar, not vectorised, one store per product";

/** The verdict on one build. */
export interface CodegenVerdict {
  readonly build: string;
  readonly ok: boolean;
  /** WANTED when it is so, else what is wrong, loop by loop. */
  readonly sentence: string;
  /** What is wrong; empty when ok. */
  readonly faults: readonly string[];
  /** What is unlike the C program's loop and costs time, but changes nothing of the work. */
  readonly notes: readonly string[];
}

/** Where a loop is: `do_some_math+0x60`. */
export const loopName = (loop: ProductLoopFacts): string => `${loop.functionName}+0x${loop.offset.toString(16)}`;

const plural = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun}` : `${count} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;

const faultsOf = (loop: ProductLoopFacts): readonly string[] => {
  const faults: string[] = [];
  const products = loop.productsPerTurn;
  if (loop.vectorMultiplies > 0)
    faults.push(`vectorised (${plural(loop.vectorMultiplies, "vector multiply")} per turn)`);
  if (loop.resultStores === 0) faults.push("stores the sum only after the loop");
  else if (products !== null && loop.resultStores !== products)
    faults.push(`${plural(loop.resultStores, "store")} of the sum for ${plural(products, "product")}`);
  if (!loop.live) faults.push("the sum is never used");
  return faults;
};

const notesOf = (loop: ProductLoopFacts): readonly string[] => {
  const notes: string[] = [];
  const products = loop.productsPerTurn;
  if (loop.boundsChecks > 0) notes.push(`${plural(loop.boundsChecks, "bounds check")} per turn`);
  if (products === null) return notes;
  if (loop.otherLoads >= products && loop.otherLoads > 1)
    notes.push(`${plural(loop.otherLoads, "load")} per turn besides the elements: a base or a register is reloaded`);
  if (loop.elementLoads !== 2 * products)
    notes.push(`${plural(loop.elementLoads, "element load")} for ${plural(products, "product")}`);
  if (loop.scalarMultiplies > products)
    notes.push(`${plural(loop.scalarMultiplies, "multiply")} for ${plural(products, "product")}`);
  return notes;
};

/** The verdict on a build; it is only ok when every one of its product loops is. */
export const codegenVerdict = (facts: BuildFacts): CodegenVerdict => {
  const tell = (about: (loop: ProductLoopFacts) => readonly string[]): readonly string[] =>
    facts.loops.flatMap((loop) => {
      const found = about(loop);
      return found.length === 0 ? [] : [`${loopName(loop)}: ${found.join(", ")}`];
    });
  const faults = tell(faultsOf);
  const ok = faults.length === 0 && facts.loops.length > 0;
  return { build: facts.build, ok, sentence: ok ? WANTED : faults.join("; "), faults, notes: tell(notesOf) };
};
