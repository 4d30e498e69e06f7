/**
 * The site of each run in turn: here for a subject without a place, else the place's, which is entered for the first run of
 * a stay and left before the first run that is not of it. No upstream counterpart.
 */
import type { Arrival, Laboratory } from "./laboratory.js";
import type { RunOrigin } from "../model/result/run-origin.js";
import type { RunRecord, Slot } from "./record.js";
import { bootOf, type Plan } from "./schedule.js";
import type { Subject } from "./subject.js";

/** Where an experiment is at the moment. */
export interface Stays {
  /** Goes where a run belongs, unless it is there already. */
  readonly siteFor: (slot: Slot, who: Subject, records: readonly RunRecord[]) => Promise<Arrival>;
  /** Leaves the place it is at, if any. */
  readonly leave: () => Promise<void>;
}

const stayKey = (plan: Plan, { subject, round }: Slot): string => JSON.stringify([subject, bootOf(plan, round)]);

/** Begins here. */
export const beginStays = (plan: Plan, lab: Laboratory, signal: AbortSignal): Stays => {
  const here: Arrival = { kind: "there", site: lab, leave: async () => undefined };
  let current: { readonly key: string | null; readonly arrival: Arrival } = { key: null, arrival: here };
  const leave = async (): Promise<void> => {
    const { arrival } = current;
    current = { key: null, arrival: here };
    if (arrival.kind === "there") await arrival.leave();
  };
  return {
    leave,
    siteFor: async (slot, who, records) => {
      const key = who.place === undefined ? null : stayKey(plan, slot);
      if (key === current.key) return current.arrival;
      await leave();
      if (who.place === undefined) return here;
      const others = records.flatMap(({ slot: made, origin }): readonly RunOrigin[] =>
        origin === undefined || stayKey(plan, made) === key ? [] : [origin],
      );
      const boot = bootOf(plan, slot.round);
      current = { key, arrival: await lab.placeOf(who.place).enter({ subject: who, boot, others }, signal) };
      return current.arrival;
    },
  };
};
