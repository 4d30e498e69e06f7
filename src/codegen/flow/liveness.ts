/** Is a register read after a loop? Follows every way out until the register is read, overwritten or dropped. */
import { at } from "../../at.js";
import type { FlowGraph } from "./control-flow.js";
import { readsOf } from "./value-flow.js";

/** Is one of the registers read by code that follows, starting at the given blocks? */
export const isUsedAfter = (graph: FlowGraph, from: readonly number[], registers: readonly string[]): boolean =>
  registers.some((register) => {
    const open = [...from];
    const seen = new Set(open);
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      const { start, end, successors } = at(graph.blocks, block);
      let overwritten = false;
      for (const step of graph.routine.steps.slice(start, end)) {
        if (readsOf(step).includes(register)) return true;
        overwritten = step.effect.writes.includes(register) || step.effect.clobbers.includes(register);
        if (overwritten) break;
      }
      if (overwritten) continue;
      for (const next of successors) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    return false;
  });
