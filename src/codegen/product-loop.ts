/** One innermost loop to facts about its products; null for a loop that is none. */
import { at } from "../at.js";
import type { ProductLoopFacts } from "./build-facts.js";
import { type Block, type FlowGraph, reversePostorder } from "./flow/control-flow.js";
import type { MemoryOperand } from "./instructions/instruction.js";
import { instructionMix, loopChains } from "./instruction-mix.js";
import { isUsedAfter } from "./flow/liveness.js";
import type { Loop } from "./flow/loops.js";
import type { Program, Routine, Step } from "./flow/program.js";
import { leadsToTrap } from "./flow/trap.js";
import { followValues } from "./flow/value-flow.js";

const FRAME_SET_UP =
  /^(?:mov[q]?\s+%rsp,%rbp|mov[q]?\s+rbp,rsp|(?:REX\.W )?movq\s+rbp,rsp|(?:mov|add)\s+(?:x29|fp),\s*sp.*)$/i;

/**
 * Is a place in the routine's own frame? Beside the stack pointer that is a frame pointer where the routine sets one up:
 * never an index, and never changed in the loop.
 */
const stackTest = (routine: Routine, loop: readonly Step[]): ((place: MemoryOperand) => boolean) => {
  const changed = new Set(loop.flatMap(({ effect }) => [...effect.writes, ...effect.clobbers]));
  const framed = routine.steps.some((step) => FRAME_SET_UP.test(step.instruction.text));
  const frame = framed ? ["rbp", "x29"].filter((name) => !changed.has(name)) : [];
  return ({ registers: [first, ...others] }) => {
    if (first === undefined) return false;
    if (first === "sp" || first === "rsp" || others.includes("rsp")) return true;
    return others.length === 0 && frame.includes(first);
  };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Does a block end in a branch of which one way leads to a trap? */
const endsInCheck = (program: Program, routine: Routine, { end }: Block): boolean => {
  const last = routine.steps[end - 1];
  if (last?.effect.operation !== "branch") return false;
  const ways = [last.instruction.target, routine.steps[end]?.instruction.address ?? null];
  return ways.some((way) => way !== null && leadsToTrap(program, way));
};

/** Facts about a loop, or null when it sums no products of loaded values. */
export const productLoopFacts = (program: Program, graph: FlowGraph, loop: Loop): ProductLoopFacts | null => {
  const { routine } = graph;
  const stepsOf = (block: number): readonly Step[] => {
    const { start, end } = at(graph.blocks, block);
    return routine.steps.slice(start, end);
  };
  // A block with a call is the slow way round (V8's interrupt check): rarely run, so it is not counted.
  const isHot = (block: number): boolean =>
    loop.blocks.has(block) && !stepsOf(block).some((step) => step.effect.operation === "call");
  const hot = reversePostorder(graph, [loop.head], isHot).filter(isHot);
  const steps = hot.flatMap(stepsOf);
  const isStack = stackTest(routine, steps);
  const flow = followValues(steps, isStack);
  const count = (wanted: (step: Step) => boolean): number => steps.filter(wanted).length;

  const isVector = flow.vectorProducts.size > 0;
  if (![...flow.products, ...flow.vectorProducts].some((product) => flow.summedProducts.has(product))) return null;
  const products = [...flow.products].filter((product) => flow.summedProducts.has(product)).length;
  const elementLoads = sum([...flow.feedingLoads].map((load) => at(steps, load).effect.loads.length));
  const stores = sum(steps.map((step) => step.effect.stores.length));
  const resultStores = flow.resultStores.size;
  const head = at(routine.steps, at(graph.blocks, loop.head).start).instruction.address;
  const leaving = hot.flatMap((block) => at(graph.blocks, block).successors.filter((next) => !loop.blocks.has(next)));
  const result =
    resultStores > 0 ? "stored in the loop" : isUsedAfter(graph, leaving, flow.sums) ? "used after the loop" : "unused";
  return {
    functionName: routine.name,
    offset: head - at(routine.steps, 0).instruction.address,
    productsPerTurn: isVector ? null : products,
    scalarMultiplies: count(({ effect, instruction }) => effect.operation === "multiply" && instruction.bits === 64),
    vectorMultiplies: count(({ effect }) => effect.operation === "vector-multiply"),
    elementLoads,
    otherLoads: sum(steps.map((step) => step.effect.loads.length)) - elementLoads,
    resultStores,
    otherStores: stores - resultStores,
    boundsChecks: hot.filter((block) => endsInCheck(program, routine, at(graph.blocks, block))).length,
    interruptChecks: sum(
      hot.map((block) => {
        const ways = at(graph.blocks, block).successors;
        return ways.filter((next) => loop.blocks.has(next) && !isHot(next)).length;
      }),
    ),
    mix: instructionMix(steps, flow),
    chains: loopChains(steps, flow),
    result,
    // Loops are only looked for among the blocks that can be reached.
    live: result !== "unused",
  };
};
