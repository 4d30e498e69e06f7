/** Who told an idle CPU that there is a thread for it, and how. */
import { firstIndex } from "./first-index.js";
import type { KickEvent, TraceEvent } from "./trace/trace-events.js";

/** The kicks that each CPU got, ascending. */
export type Kicks = ReadonlyMap<number, readonly KickEvent[]>;

/** Sorts the kicks of a trace by the CPU that they went to. */
export const kicksByTarget = (events: readonly TraceEvent[]): Kicks => {
  const kicks = new Map<number, KickEvent[]>();
  for (const event of events) {
    if (event.kind !== "kick") continue;
    const list = kicks.get(event.targetCpu);
    if (list === undefined) kicks.set(event.targetCpu, [event]);
    else list.push(event);
  }
  return kicks;
};

/** The first kick that a CPU got from one moment to another; null where the trace has none. */
export const firstKick = (
  kicks: Kicks,
  cpu: number,
  { fromNsec, toNsec }: { readonly fromNsec: number; readonly toNsec: number },
): KickEvent | null => {
  const list = kicks.get(cpu) ?? [];
  const kick = list[firstIndex(list, ({ timeNsec }) => timeNsec >= fromNsec)];
  return kick === undefined || kick.timeNsec > toNsec ? null : kick;
};
