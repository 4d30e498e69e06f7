/**
 * Runs an experiment: every slot that is still to do, in order, each stored before the next begins. Yields what happens
 * for the progress display. No upstream counterpart.
 */
import { EXIT, messageOf, UserError } from "../errors.js";
import type { Ending, Laboratory } from "./laboratory.js";
import { type ExperimentHeader, observationOf, type RunRecord, sameSlot, settles, type Slot } from "./record.js";
import { runSlot } from "./run-slot.js";
import { schedule } from "./schedule.js";
import { beginStays } from "./stays.js";
import type { Subject } from "./subject.js";
import { Interrupted } from "./surroundings.js";

/** What happens in the course of an experiment. `number` counts all runs from 1, those of an earlier session included. */
export type ExperimentEvent =
  | { readonly kind: "run-started"; readonly slot: Slot; readonly number: number; readonly total: number }
  | { readonly kind: "run-finished"; readonly record: RunRecord; readonly number: number; readonly total: number }
  /** Stopped from outside: tear-downs are done, the run in progress is not recorded. */
  | { readonly kind: "interrupted"; readonly done: number; readonly total: number }
  /** A place is not ready before this process has ended; the same command goes on then. */
  | { readonly kind: "later"; readonly message: string; readonly done: number; readonly total: number };

const named = <T extends { readonly name: string }>(items: readonly T[], name: string, what: string): T => {
  const found = items.find((item) => item.name === name);
  if (found === undefined) throw new UserError(`the experiment has no ${what} "${name}"`);
  return found;
};

/** The slots of a schedule that no record settles yet. */
export const openSlots = (slots: readonly Slot[], records: readonly RunRecord[]): readonly Slot[] =>
  slots.filter((slot) => !records.some((record) => settles(record) && sameSlot(record.slot, slot)));

/** The subjects of some slots. */
export const subjectsOf = ({ subjects }: ExperimentHeader, slots: readonly Slot[]): readonly Subject[] =>
  subjects.filter(({ name }) => slots.some((slot) => slot.subject === name));

/** A machine that goes down ends this process with a signal, and the experiment goes on after the boot: only a person stops it. */
const isStopped = ({ reason }: AbortSignal): boolean => reason !== EXIT.terminated && reason !== EXIT.hungUp;

/**
 * Runs what is left of an experiment. Throws UserError after the first run that fails (it is recorded), or when a
 * set-up or tear-down fails; ends with `interrupted` when the signal is aborted, with `later` when a place says so.
 *
 * @param slots the runs to do, default: the header's schedule
 */
export async function* runExperiment(
  header: ExperimentHeader,
  records: readonly RunRecord[],
  lab: Laboratory,
  signal: AbortSignal,
  slots: readonly Slot[] = schedule(header),
): AsyncGenerator<ExperimentEvent, void> {
  const total = slots.length;
  const todo = openSlots(slots, records);
  let done = total - todo.length;
  const made = [...records];
  const stays = beginStays(header, lab, signal);
  let ending: Ending | null = null;
  const stop = (): void => {
    if (isStopped(signal)) ending = { how: "stopped", message: "" };
  };
  try {
    for (const slot of todo) {
      if (signal.aborted) {
        stop();
        yield { kind: "interrupted", done, total };
        return;
      }
      yield { kind: "run-started", slot, number: done + 1, total };
      const who = named(header.subjects, slot.subject, "subject");
      const what = named(header.cells, slot.cell, "cell");
      const arrival = await stays.siteFor(slot, who, made);
      if (arrival.kind === "later") {
        yield { ...arrival, done, total };
        return;
      }
      const { record, failure } = await runSlot(
        slot,
        who,
        what,
        { ...lab, ...arrival.site },
        { watch: observationOf(header), signal },
      );
      await lab.append(record);
      made.push(record);
      if (failure !== null) throw failure;
      yield { kind: "run-finished", record, number: ++done, total };
    }
    ending = { how: "done", message: "" };
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) {
      ending = { how: "failed", message: messageOf(thrown) };
      throw thrown;
    }
    stop();
    yield { kind: "interrupted", done, total };
  } finally {
    await stays.leave();
    if (ending !== null) await stays.close(ending);
  }
}
