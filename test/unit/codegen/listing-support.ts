/** Listings for the tests of src/codegen: saved ones, and short ones written out in a test. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { BuildFacts, ProductLoopFacts } from "../../../src/codegen/build-facts.js";
import { codegenFacts } from "../../../src/codegen/codegen-facts.js";
import { objdumpListing } from "../../../src/codegen/listings/objdump-listing.js";
import { v8Listing } from "../../../src/codegen/listings/v8-listing.js";

/** Text of a file in test/fixtures/codegen; tests run in the repository's root. */
export const savedListing = (name: string): string => readFileSync(resolve("test/fixtures/codegen", name), "utf8");

/** What objdump prints for functions given by name and `address: instruction` lines. */
export const objdumpText = (
  functions: Readonly<Record<string, readonly string[]>>,
  format = "elf64-x86-64",
): string => {
  const parts = Object.entries(functions).map(([name, lines]) => {
    const first = lines[0]?.split(":")[0] ?? "0";
    return [`${first.padStart(16, "0")} <${name}>:`, ...lines.map((line) => `    ${line.replace(": ", ":\t")}`)].join(
      "\n",
    );
  });
  return [`x.so:     file format ${format}`, "", "Disassembly of section .text:", "", parts.join("\n\n"), ""].join(
    "\n",
  );
};

/** Facts about an objdump listing. */
export const factsOf = (text: string): BuildFacts => codegenFacts(objdumpListing(text, "x.so"), "x.so", "objdump");

/** Facts about the only product loop of an objdump listing. */
export const onlyLoopOf = (text: string): ProductLoopFacts => onlyLoop(factsOf(text));

/** The only product loop of a build. */
export const onlyLoop = (facts: BuildFacts): ProductLoopFacts => {
  const [loop, ...others] = facts.loops;
  if (loop === undefined || others.length > 0) throw new Error(`${facts.loops.length} loops, not one`);
  return loop;
};

/** Index of do_some_math in the module that the saved V8 listings are of. */
export const SAVED_NAMES: ReadonlyMap<number, string> = new Map([[16, "do_some_math"]]);

/** Facts about a saved V8 listing. */
export const savedV8Facts = (name: string): BuildFacts =>
  codegenFacts(v8Listing(savedListing(name), SAVED_NAMES, name), name, "v8");

/** A loop as any C compiler makes it; what is not given is that of one clean product per turn. */
export const loopFacts = (given: Partial<ProductLoopFacts> = {}): ProductLoopFacts => ({
  functionName: "do_some_math",
  offset: 0x60,
  productsPerTurn: 1,
  scalarMultiplies: 1,
  vectorMultiplies: 0,
  elementLoads: 2,
  otherLoads: 0,
  resultStores: 1,
  otherStores: 0,
  boundsChecks: 0,
  interruptChecks: 0,
  mix: {
    instructions: 8,
    loads: 2,
    stores: 1,
    multiplies: 1,
    sumAdds: 1,
    addressArithmetic: 2,
    moves: 0,
    compares: 1,
    branches: 1,
  },
  chains: [
    { carries: "sum", length: 1 },
    { carries: "address", length: 1 },
    { carries: "address", length: 1 },
  ],
  result: "stored in the loop",
  live: true,
  ...given,
});

/** A build with the given loops. */
export const buildFacts = (build: string, loops: readonly ProductLoopFacts[]): BuildFacts => ({
  build,
  tool: "objdump",
  architecture: "x86-64",
  loops,
});
