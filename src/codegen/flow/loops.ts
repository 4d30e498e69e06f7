/**
 * The loops of a function: strongly connected components, each taken apart again without its head (F. Bourdoncle 1993,
 * "Efficient chaotic iteration strategies with widenings"). Where a loop has one entry these are the natural loops; gcc also
 * makes loops that are entered in their middle, which dominators do not see.
 */
import { at } from "../../at.js";
import { type FlowGraph, reversePostorder } from "./control-flow.js";

/** A loop of a function: its head (where it is entered; the first such block if there are several) and all of its blocks. */
export interface Loop {
  readonly head: number;
  readonly blocks: ReadonlySet<number>;
}

type Predecessors = ReadonlyMap<number, readonly number[]>;

/** Which of the blocks that can be reached lead to a block. */
const predecessorsOf = (graph: FlowGraph, reached: ReadonlySet<number>): Predecessors => {
  const predecessors = new Map<number, number[]>();
  for (const index of reached) {
    for (const successor of graph.blocks[index]?.successors ?? []) {
      const known = predecessors.get(successor);
      if (known === undefined) predecessors.set(successor, [index]);
      else known.push(index);
    }
  }
  return predecessors;
};

/** The strongly connected components among some blocks (Kosaraju), each in the order of the blocks. */
const componentsOf = (
  graph: FlowGraph,
  predecessors: Predecessors,
  blocks: readonly number[],
): readonly (readonly number[])[] => {
  const free = new Set(blocks);
  const order = reversePostorder(graph, blocks, (block) => free.has(block));
  const components: (readonly number[])[] = [];
  for (const first of order) {
    if (!free.delete(first)) continue;
    const component = new Set([first]);
    const open = [first];
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      for (const before of predecessors.get(block) ?? []) {
        if (!free.delete(before)) continue;
        component.add(before);
        open.push(before);
      }
    }
    components.push(blocks.filter((block) => component.has(block)));
  }
  return components;
};

/** Every loop that contains no other. */
export const innermostLoops = (graph: FlowGraph): readonly Loop[] => {
  const reached = reversePostorder(graph);
  const predecessors = predecessorsOf(graph, new Set(reached));
  const before = (block: number): readonly number[] => predecessors.get(block) ?? [];
  const loopsAmong = (blocks: readonly number[]): readonly Loop[] =>
    componentsOf(graph, predecessors, blocks).flatMap((component) => {
      const inside = new Set(component);
      if (!component.some((block) => before(block).some((source) => inside.has(source)))) return [];
      const isEntry = (block: number): boolean =>
        graph.roots.includes(block) || before(block).some((source) => !inside.has(source));
      const head = component.find(isEntry) ?? at(component, 0);
      const nested = loopsAmong(component.filter((block) => block !== head));
      return nested.length > 0 ? nested : [{ head, blocks: inside }];
    });
  return loopsAmong(reached);
};
