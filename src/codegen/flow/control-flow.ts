/** Basic blocks of a function, which of them can be reached, and which dominate which. */
import type { Program, Routine, Step } from "./program.js";

/** A run of instructions that is entered at its top and left at its end. */
export interface Block {
  readonly start: number;
  /** Index after the last step. */
  readonly end: number;
  /** Blocks of this function that may follow. */
  readonly successors: readonly number[];
}

/** A function's blocks in address order. */
export interface FlowGraph {
  readonly routine: Routine;
  readonly blocks: readonly Block[];
  /** Blocks entered from outside of the function. */
  readonly roots: readonly number[];
}

const ENDS = new Set(["branch", "jump", "return", "trap"]);
const FALLS_THROUGH = new Set(["jump", "return", "trap"]);

const isIndirectJump = (step: Step): boolean => step.effect.operation === "jump" && step.instruction.target === null;

const targetIndex = (program: Program, routine: Routine, step: Step): number | undefined => {
  const { operation } = step.effect;
  if (step.instruction.target === null || operation === "call" || operation === "trap") return undefined;
  const place = program.placeOf(step.instruction.target);
  return place?.routine === routine ? place.index : undefined;
};

const leadersOf = (program: Program, routine: Routine): readonly number[] => {
  const leaders = new Set([0]);
  for (const [index, step] of routine.steps.entries()) {
    if (program.isEntry(step.instruction.address)) leaders.add(index);
    const target = targetIndex(program, routine, step);
    if (target !== undefined) leaders.add(target);
    if (ENDS.has(step.effect.operation) && index + 1 < routine.steps.length) leaders.add(index + 1);
  }
  return [...leaders].toSorted((a, b) => a - b);
};

/** The flow graph of a function; jumps through tables may lead to any block. */
export const flowGraph = (program: Program, routine: Routine): FlowGraph => {
  if (routine.steps.length === 0) return { routine, blocks: [], roots: [] };
  const leaders = leadersOf(program, routine);
  const blockAt = new Map(leaders.map((leader, block) => [leader, block]));
  const blocks = leaders.map((start, block) => {
    const end = leaders[block + 1] ?? routine.steps.length;
    const last = routine.steps[end - 1];
    const successors: number[] = [];
    if (last !== undefined) {
      const target = blockAt.get(targetIndex(program, routine, last) ?? -1);
      if (target !== undefined) successors.push(target);
      if (!FALLS_THROUGH.has(last.effect.operation) && end < routine.steps.length) successors.push(block + 1);
    }
    return { start, end, successors };
  });
  const entered = blocks.flatMap((block, index) => {
    const address = routine.steps[block.start]?.instruction.address ?? -1;
    return index === 0 || program.isEntry(address) ? [index] : [];
  });
  // A stripped binary shows many functions under one name: there, and behind jumps through tables, any block may be entered.
  const isOpen = routine.steps.some(isIndirectJump) || routine.name.startsWith(".");
  const graph = { routine, blocks, roots: entered };
  return isOpen ? { ...graph, roots: [...entered, ...unreached(graph)] } : graph;
};

/**
 * The least set of blocks that, with the roots, reach all: those that nothing leads to, then the first of each cycle.
 * Padding leads nowhere: it stands before functions, but before the heads of loops as well.
 */
const unreached = (graph: FlowGraph): readonly number[] => {
  const isPadding = ({ start, end }: Block): boolean =>
    graph.routine.steps.slice(start, end).every((step) => step.effect.operation === "nothing");
  const code = [...graph.blocks.entries()].filter(([, block]) => !isPadding(block));
  const followed = new Set(code.flatMap(([, block]) => block.successors));
  const indices = code.map(([index]) => index);
  const reached = new Set(reversePostorder(graph));
  const more: number[] = [];
  for (const block of [...indices.filter((index) => !followed.has(index)), ...indices]) {
    if (reached.has(block)) continue;
    more.push(block);
    for (const next of reversePostorder(graph, [block], (item) => !reached.has(item))) reached.add(next);
  }
  return more;
};

/** Blocks in reverse postorder from the roots, or from a given block and within a given set. */
export const reversePostorder = (
  graph: FlowGraph,
  from: readonly number[] = graph.roots,
  within: (block: number) => boolean = () => true,
): readonly number[] => {
  const seen = new Set<number>();
  const order: number[] = [];
  for (const root of from) {
    if (seen.has(root)) continue;
    seen.add(root);
    const stack = [{ block: root, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const successor = graph.blocks[top.block]?.successors[top.next++];
      if (successor === undefined) order.push(stack.pop()?.block ?? root);
      else if (!seen.has(successor) && within(successor)) {
        seen.add(successor);
        stack.push({ block: successor, next: 0 });
      }
    }
  }
  return order.toReversed();
};
