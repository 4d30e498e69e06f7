/** What is timed of every request, thread by thread: a histogram for each. One more is a line here and a field of ThreadData. */
import type { RunPlan } from "../../model/plan/run-plan.js";

interface KindOfTime {
  /** Its field in ThreadData is this with `Stats` behind it; the fields stand in the order of this list. */
  readonly name: string;
  /** In which modes each role keeps one. */
  readonly workers: readonly RunPlan["mode"][];
  readonly messageThreads: readonly RunPlan["mode"][];
}

const TIMES = [
  { name: "wakeup", workers: ["closed-loop", "rate", "pipe"], messageThreads: [] },
  { name: "request", workers: ["closed-loop", "rate"], messageThreads: [] },
  // On a message thread: how late requests were sent.
  { name: "response", workers: ["rate"], messageThreads: ["rate"] },
] as const satisfies readonly KindOfTime[];

/** The name of what is timed. */
export type Kind = (typeof TIMES)[number]["name"];

/** Something for each kind. */
export type ByKind<T> = Readonly<Record<Kind, T>>;

/** All kinds, in the order of the fields of ThreadData. */
export const KINDS: readonly Kind[] = TIMES.map(({ name }) => name);

/** Something for each kind, made one by one in their order. */
export const byKind = <T>(make: (kind: Kind) => T): ByKind<T> => ({
  wakeup: make("wakeup"),
  request: make("request"),
  response: make("response"),
});

const rows: readonly (KindOfTime & { readonly name: Kind })[] = TIMES;

/** Whether threads of a role keep the times of a kind. */
export const isTimed = (kind: Kind, role: "message" | "worker", mode: RunPlan["mode"]): boolean =>
  rows.some((row) => row.name === kind && (role === "worker" ? row.workers : row.messageThreads).includes(mode));
