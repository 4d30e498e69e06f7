/** The boots of an experiment: which subject makes which runs in each, in order. Pure. */
import type { ExperimentHeader, Slot } from "./record.js";
import { bootOf, schedule } from "./schedule.js";

/** All runs that a subject makes in one boot. */
export interface Boot {
  readonly subject: string;
  /** From 1. */
  readonly boot: number;
  readonly slots: readonly Slot[];
}

/** The boots in the order in which they come. */
export const bootsOf = (header: ExperimentHeader): readonly Boot[] => {
  const boots = new Map<string, { readonly subject: string; readonly boot: number; readonly slots: Slot[] }>();
  for (const slot of schedule(header)) {
    const { subject } = slot;
    const boot = bootOf(header, slot.round);
    const key = JSON.stringify([subject, boot]);
    const known = boots.get(key) ?? { subject, boot, slots: [] };
    known.slots.push(slot);
    boots.set(key, known);
  }
  return [...boots.values()];
};
