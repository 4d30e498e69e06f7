/** What the doctor looks for and what it says: the shapes that all checks share. */
import type { DoctorFacts } from "./facts.js";

/** ok: as it should be. note: know it, and keep it the same in what you compare. bad: numbers would be wrong. */
export type Status = "ok" | "note" | "bad";

/** What one check says about a machine. */
export interface Verdict {
  readonly status: Status;
  /** What it is, as a phrase. */
  readonly what: string;
  /** What it does to a measurement; null where it does nothing. */
  readonly cost: string | null;
  /** How to mend it, as a full sentence; null where there is nothing to mend. */
  readonly remedy: string | null;
}

/** A verdict with the check that came to it. */
export interface Finding extends Verdict {
  /** Stable identifier, such as `steal-time`. */
  readonly id: string;
  readonly title: string;
}

/** One check: a pure function of the facts; null where the question does not arise on this machine. */
export interface Check {
  readonly title: string;
  readonly judge: (facts: DoctorFacts) => Verdict | null;
}

/** Checks by their stable identifier, in the order in which they are shown. */
export type Checks = Readonly<Record<string, Check>>;

/** All is well. */
export const ok = (what: string): Verdict => ({ status: "ok", what, cost: null, remedy: null });

/** Worth knowing: results are sound, but only comparable with results that share it. */
export const note = (what: string, cost: string, remedy: string | null): Verdict => ({
  status: "note",
  what,
  cost,
  remedy,
});

/** Results would say something wrong about the scheduler. */
export const bad = (what: string, cost: string, remedy: string): Verdict => ({ status: "bad", what, cost, remedy });
