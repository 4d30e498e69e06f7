/** Carries out an experiment for a command: opens its file, shows progress, and says how to go on after an interruption. */
import { type ExitCode, interruptionCode, UsageError } from "../errors.js";
import { type ExperimentHeader, type RunRecord, type Slot } from "../experiment/record.js";
import { openSlots, runExperiment } from "../experiment/runner.js";
import { schedule } from "../experiment/schedule.js";
import { schedulerDoubts } from "../experiment/scheduler-doubts.js";
import { openStore } from "../experiment/store.js";
import type { Cell, Subject } from "../experiment/subject.js";
import { secondsLeft } from "../experiment/time-left.js";
import { parseCommandLine } from "../options/command-line.js";
import { runOptions } from "../options/run-table.js";
import { progressOn } from "../render/progress.js";
import type { Io } from "./command.js";
import type { ExperimentWorld } from "./experiment-world.js";

/** An experiment whose file is open. */
export interface OpenExperiment {
  readonly header: ExperimentHeader;
  /** Every run that is stored, in the order of landing. */
  readonly records: () => readonly RunRecord[];
  /** Runs the slots that are not done yet; null: all are done, else the exit code of the interruption. */
  readonly run: (slots?: readonly Slot[]) => Promise<ExitCode | null>;
}

const placeOf = ({ subject, cell, round }: Slot, header: ExperimentHeader): string =>
  [subject, ...(header.cells.length > 1 ? [cell] : []), round < 1 ? "warm-up" : `round ${round}`].join(", ");

/** A file name for an experiment that was not given one. */
const storeName = (header: ExperimentHeader): string =>
  `schbench-${header.kind}-${header.startedAt.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}.ndjson`;

/** Opens the experiment's file; runs that are in it already are not repeated. */
export const openExperiment = async (
  asked: ExperimentHeader,
  options: { readonly store: string | null; readonly quiet: boolean },
  world: ExperimentWorld,
  io: Io,
): Promise<OpenExperiment> => {
  const path = options.store ?? storeName(asked);
  const store = await openStore(path, asked, world.storeFiles);
  const { header } = store;
  const records = [...store.records];
  const display = progressOn(io.stderr, options.quiet, world.nowMsec);
  for (const note of store.notes) display.say(note);
  if (options.store === null && !options.quiet) display.say(`runs are kept in ${path}`);
  const lab = {
    ...world,
    append: async (record: RunRecord) => {
      await store.append(record);
      records.push(record);
    },
  };

  const run = async (slots: readonly Slot[] = schedule(header)): Promise<ExitCode | null> => {
    const todo = openSlots(slots, records);
    if (records.length > 0 && todo.length < slots.length && todo.length > 0)
      display.say(`${path}: ${slots.length - todo.length} of ${slots.length} runs are done, going on`);
    const halt = (done: number) =>
      display.say(`${done} of ${slots.length} runs are in ${path}; the same command with -o ${path} goes on`);
    let done = slots.length - todo.length;
    const announceEnd = () => display.say("interrupted: ending this run and tearing down; once more leaves at once");
    io.interrupted.addEventListener("abort", announceEnd, { once: true });
    try {
      for await (const event of runExperiment(header, records, lab, io.interrupted, slots)) {
        if (event.kind === "run-started") {
          const left = secondsLeft(openSlots(slots, records), header.cells, records);
          display.begin({ ...event, what: placeOf(event.slot, header), leftSec: left });
        } else if (event.kind === "run-finished") {
          done = event.number;
          const { slot, excluded } = event.record;
          if (excluded?.code === "sched-ext-changed")
            display.say(`${placeOf(slot, header)}: left out, ${excluded.message}`);
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
  return { header, records: () => records, run };
};

/** Options of a run that an experiment sets itself. */
const OWN = ["jsonFile", "htmlFile"] as const;

const runtimeOf = (flags: readonly string[]): number => {
  const { options, given } = parseCommandLine(flags, runOptions);
  for (const id of OWN)
    if (given.has(id))
      throw new UsageError(
        `the benchmark flags of an experiment cannot have --${id === "jsonFile" ? "json" : "html"}: its runs are kept in the experiment's file`,
        "Use -o FILE, --format or --html before the --.",
      );
  if (options.runtimeSec === 0)
    throw new UsageError('-r "0" would never end: an experiment needs a run time', "Give -r SECONDS after the --.");
  return options.runtimeSec;
};

/**
 * The cell with its run time, after checking its flags as our engine will read them. An external program may know flags
 * that we do not: then its run time is unknown, unless one of our engines is a subject too.
 */
export const checkedCell = (cell: Cell, subjects: readonly Subject[]): Cell => {
  const engines = subjects.filter((subject) => subject.launch.kind === "engine");
  const runtimes = engines.map((subject) => runtimeOf([...cell.flags, ...cell.engineFlags, ...subject.flags]));
  if (runtimes.length > 0) return { ...cell, runtimeSec: Math.max(...runtimes) };
  try {
    return { ...cell, runtimeSec: runtimeOf(cell.flags) };
  } catch {
    return cell;
  }
};
