/**
 * Natural loops: a back edge leads to a block that dominates its source; the loop is all that reaches the source without
 * passing that head. (Aho, Lam, Sethi, Ullman: Compilers, section 9.6; dominators by Cooper, Harvey and Kennedy 2001.)
 */
import { type FlowGraph, reversePostorder } from "./control-flow.js";

/** A loop of a function: its head and all of its blocks. */
export interface Loop {
  readonly head: number;
  readonly blocks: ReadonlySet<number>;
}

const VIRTUAL_ROOT = -1;

const predecessorsOf = (graph: FlowGraph): ReadonlyMap<number, readonly number[]> => {
  const predecessors = new Map<number, number[]>();
  for (const [index, block] of graph.blocks.entries()) {
    for (const successor of block.successors) {
      const known = predecessors.get(successor);
      if (known === undefined) predecessors.set(successor, [index]);
      else known.push(index);
    }
  }
  return predecessors;
};

/** Immediate dominators of the blocks that can be reached; -1 is above all roots. */
const immediateDominators = (
  order: readonly number[],
  roots: readonly number[],
  predecessors: ReadonlyMap<number, readonly number[]>,
): ReadonlyMap<number, number> => {
  const rank = new Map(order.map((block, index) => [block, index]));
  const rankOf = (block: number): number => rank.get(block) ?? -1;
  const above = new Map<number, number>([[VIRTUAL_ROOT, VIRTUAL_ROOT]]);
  const common = (first: number, second: number): number => {
    let [a, b] = [first, second];
    while (a !== b) {
      if (rankOf(a) > rankOf(b)) a = above.get(a) ?? VIRTUAL_ROOT;
      else b = above.get(b) ?? VIRTUAL_ROOT;
    }
    return a;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const block of order) {
      const known = (predecessors.get(block) ?? []).filter((item) => above.has(item));
      const sources = roots.includes(block) ? [VIRTUAL_ROOT, ...known] : known;
      const [first, ...others] = sources;
      if (first === undefined) continue;
      const dominator = others.reduce(common, first);
      if (above.get(block) === dominator) continue;
      above.set(block, dominator);
      changed = true;
    }
  }
  return above;
};

const loopBlocks = (
  head: number,
  sources: readonly number[],
  predecessors: ReadonlyMap<number, readonly number[]>,
): ReadonlySet<number> => {
  const blocks = new Set([head, ...sources]);
  const open = sources.filter((block) => block !== head);
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    for (const before of predecessors.get(block) ?? []) {
      if (blocks.has(before)) continue;
      blocks.add(before);
      open.push(before);
    }
  }
  return blocks;
};

/** Every natural loop that contains no other. */
export const innermostLoops = (graph: FlowGraph): readonly Loop[] => {
  const order = reversePostorder(graph);
  const reached = new Set(order);
  const predecessors = predecessorsOf(graph);
  const above = immediateDominators(order, graph.roots, predecessors);
  const dominates = (upper: number, lower: number): boolean => {
    let block = lower;
    while (block !== upper && block !== VIRTUAL_ROOT) block = above.get(block) ?? VIRTUAL_ROOT;
    return block === upper;
  };
  const backEdges = new Map<number, number[]>();
  for (const block of order) {
    for (const head of graph.blocks[block]?.successors ?? []) {
      if (!dominates(head, block)) continue;
      const known = backEdges.get(head);
      if (known === undefined) backEdges.set(head, [block]);
      else known.push(block);
    }
  }
  const loops = [...backEdges].map(([head, sources]) => {
    const blocks = loopBlocks(head, sources, predecessors);
    return { head, blocks: new Set([...blocks].filter((block) => reached.has(block))) };
  });
  return loops.filter((loop) => !loops.some((other) => other !== loop && loop.blocks.has(other.head)));
};
