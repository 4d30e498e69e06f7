/**
 * The site of each run in turn: here for a subject without a place, else the place's, which is entered for the first run of
 * a stay and left before the first run that is not of it. No upstream counterpart.
 */
import type { Arrival, Ending, Laboratory, Place } from "./laboratory.js";
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
  /** Tells every place how the experiment has ended. */
  readonly close: (ending: Ending) => Promise<void>;
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
    close: async (ending) => {
      const places = new Set(
        plan.subjects.flatMap(({ place }): Place[] => (place === undefined ? [] : [lab.placeOf(place)])),
      );
      for (const place of places) await place.close(ending);
    },
    siteFor: async (slot, who, records) => {
      const key = who.place === undefined ? null : stayKey(plan, slot);
      if (key === current.key) return current.arrival;
      await leave();
      if (who.place === undefined) return here;
      const originsOf = (isOwn: boolean): readonly RunOrigin[] =>
        records.flatMap(({ slot: made, origin }) =>
          origin === undefined || (stayKey(plan, made) === key) !== isOwn ? [] : [origin],
        );
      const stay = { subject: who, boot: bootOf(plan, slot.round), others: originsOf(false), own: originsOf(true) };
      current = { key, arrival: await lab.placeOf(who.place).enter(stay, signal) };
      return current.arrival;
    },
  };
};
