/** Carries out an experiment for a command: opens its file, shows progress, and says how to go on after an interruption. */
import { resolve } from "node:path";
import { EXIT, type ExitCode, interruptionCode, UsageError } from "../../errors.js";
import { checkSubjects } from "../../experiment/check-subjects.js";
import {
  EXPERIMENT_VERSION,
  type ExperimentHeader,
  measuredResults,
  type RunRecord,
  type Slot,
  withOrigin,
} from "../../experiment/record.js";
import { checkOrigin } from "../../experiment/origin.js";
import { openSlots, runExperiment, subjectsOf } from "../../experiment/runner.js";
import { bootOf, schedule } from "../../experiment/schedule.js";
import { schedulerDoubts } from "../../experiment/scheduler-doubts.js";
import { openStore } from "../../experiment/store.js";
import type { Whereabouts } from "../../experiment/whereabouts.js";
import { secondsLeft } from "../../experiment/time-left.js";
import { type LiveRuns, liveTable } from "../../render/comparison/live-table.js";
import { progressOn } from "../../render/progress.js";
import type { Io } from "../io/command.js";
import { refuseClosed } from "../io/output-file.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import { checkWritable } from "../output/write-report.js";

/** An experiment whose file is open. */
export interface OpenExperiment {
  readonly header: ExperimentHeader;
  /** Every run that is stored, in the order of landing. */
  readonly records: () => readonly RunRecord[];
  /**
   * Runs the slots that are not done yet; null: all are done, else the exit code of the interruption.
   *
   * @param note said below the table on a terminal: what is known of looks
   */
  readonly run: (slots?: readonly Slot[], note?: string) => Promise<ExitCode | null>;
}

const slotName = ({ subject, cell, round }: Slot, header: ExperimentHeader): string =>
  [
    subject,
    ...(header.cells.length > 1 ? [cell] : []),
    ...(header.runsPerBoot === undefined ? [] : [`boot ${bootOf(header, round)}`]),
    round < 1 ? "warm-up" : `round ${round}`,
  ].join(", ");

/** The runs so far under the setting of a run. */
const liveRuns = (
  { subjects, cells, judgement }: ExperimentHeader,
  records: readonly RunRecord[],
  { cell }: Slot,
  note: string,
): LiveRuns => ({
  setting: cells.length > 1 ? cell : null,
  subjects: subjects.map(({ name }) => ({ name, runs: measuredResults(records, name, cell) })),
  asked: judgement ?? {},
  note,
});

/** Where the number of runs is fixed. */
const NOT_JUDGED = "Nothing is judged before the last run: to stop because of this table makes false alarms.";

/** A name for what keeps an experiment that was not given one, without an ending. */
export const experimentName = ({ kind, startedAt }: Pick<ExperimentHeader, "kind" | "startedAt">): string =>
  `schbench-${kind}-${startedAt.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}`;

/** What an experiment consists of. */
export type ExperimentPlan = Omit<ExperimentHeader, "format" | "version" | "startedAt">;

/** The header of an experiment that begins now. */
export const headerOf = (plan: ExperimentPlan, nowMsec: number): ExperimentHeader => ({
  format: "schbench-ts/experiment",
  version: EXPERIMENT_VERSION,
  ...plan,
  startedAt: new Date(nowMsec).toISOString(),
});

/**
 * Opens an experiment: its file, whose runs are not repeated, and what is written at its end. What would keep one of its
 * runs from being made, or its findings from being written, is found here.
 *
 * @param written option and file of what is written at the end
 * @throws UserError
 */
export const conductExperiment = async (
  plan: ExperimentPlan,
  written: readonly (readonly [option: string, path: string | null])[],
  options: { readonly store: string | null; readonly quiet: boolean; readonly elsewhere: boolean },
  world: ExperimentWorld,
  io: Io,
): Promise<OpenExperiment> => {
  const asked = headerOf(plan, world.nowMsec());
  if (options.store === "-" && plan.kind === "validate")
    throw new UsageError('cannot keep the runs in "-": they are kept in a file', "Name one with -o FILE.");
  // A validation may write files only.
  if (plan.kind !== "validate") refuseClosed(io.stdout, "standard output");
  checkWritable(written, options.store, world);
  const path = options.store ?? `${experimentName(asked)}.ndjson`;
  const keeping = { store: path === "-" ? null : resolve(path) };
  const here = { ...world, placeOf: (where: Whereabouts) => world.placeOf(where, keeping) };
  const store = await openStore(path, asked, world.storeFiles, (known) =>
    checkSubjects(subjectsOf(asked, openSlots(schedule(asked), known)), asked.cells, here, io.interrupted),
  );
  const { header } = store;
  const isHere = (name: string): boolean =>
    header.subjects.some((subject) => subject.name === name && subject.place === undefined);
  if (!options.elsewhere && openSlots(schedule(header), store.records).length > 0)
    checkOrigin(
      path,
      store.records.flatMap(({ slot, origin }) => (isHere(slot.subject) ? [origin] : [])),
      world.origin(),
    );
  const records = [...store.records];
  const display = progressOn(io.stderr, options.quiet, world.nowMsec);
  for (const note of store.notes) display.say(note);
  if (options.store === null && !options.quiet) display.say(`runs are kept in ${path}`);
  // A validation has tables of its own, of other figures.
  const hasTable = plan.kind !== "validate" && !options.quiet;
  const lab = {
    ...here,
    append: async (record: RunRecord) => {
      await store.append(record);
      records.push(withOrigin(record));
    },
  };

  const runSlots = async (slots: readonly Slot[], note: string): Promise<ExitCode | null> => {
    const todo = openSlots(slots, records);
    if (records.length > 0 && todo.length < slots.length && todo.length > 0)
      display.say(`${path}: ${slots.length - todo.length} of ${slots.length} runs are done, continuing`);
    const halt = (done: number) =>
      display.say(
        path === "-"
          ? `${done} of ${slots.length} runs were written`
          : `${done} of ${slots.length} runs are in ${path}; the same command with -o ${path} continues the experiment`,
      );
    let done = slots.length - todo.length;
    const announceEnd = () =>
      display.say("interrupted: ending this run and tearing down; interrupt again to leave at once");
    io.interrupted.addEventListener("abort", announceEnd, { once: true });
    try {
      for await (const event of runExperiment(header, records, lab, io.interrupted, slots)) {
        if (event.kind === "run-started") {
          const left = secondsLeft(openSlots(slots, records), header.cells, records);
          const table = io.stderr.isTerminal && hasTable ? liveTable(liveRuns(header, records, event.slot, note)) : [];
          display.begin({ ...event, what: slotName(event.slot, header), leftSec: left, table });
        } else if (event.kind === "run-finished") {
          done = event.number;
          const { slot, excluded } = event.record;
          if (excluded?.code === "sched-ext-changed")
            display.say(`${slotName(slot, header)}: left out, ${excluded.message}`);
        } else if (event.kind === "later") {
          display.say(event.message);
          halt(event.done);
          return EXIT.ok;
        } else {
          halt(event.done);
          return interruptionCode(io.interrupted);
        }
      }
    } catch (thrown) {
      if (done > 0) halt(done);
      throw thrown;
    } finally {
      io.interrupted.removeEventListener("abort", announceEnd);
      display.end();
    }
    for (const doubt of schedulerDoubts(records)) display.say(`warning: ${doubt}`);
    return null;
  };
  return {
    header,
    records: () => records,
    run: (slots = schedule(header), note = NOT_JUDGED) => store.alone(() => runSlots(slots, note)),
  };
};
