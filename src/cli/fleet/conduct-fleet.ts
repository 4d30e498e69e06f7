/**
 * `--on`: every machine runs the whole experiment, all at the same time. Each is asked first whether it can; then its runs are
 * kept here as they land, in a file of its own.
 */
import { EXIT, interruptionCode, messageOf, UserError } from "../../errors.js";
import { checkOrigin } from "../../experiment/origin.js";
import { type RunRecord, settles } from "../../experiment/record.js";
import { schedule } from "../../experiment/schedule.js";
import { openStore, type Store } from "../../experiment/store.js";
import { type AnsweredMachine, answerDoubts, checkAlike } from "../../fleet/answer.js";
import { askMachine } from "../../fleet/ask.js";
import { conductPart, type Part, runsDone } from "../../fleet/conduct.js";
import { type OpenLink, openLink } from "../../fleet/link.js";
import { type Machine, readMachines } from "../../fleet/machine.js";
import { seedFor } from "../../fleet/node-name.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { progressOn } from "../../render/progress.js";
import { experimentName } from "../experiment/conduct-experiment.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import type { Io } from "../io/command.js";
import { makeFolder, storeOf } from "./fleet-folder.js";
import { type FleetEnd, type FleetLine, readProgram, refuseWith, wordsFor } from "./fleet-line.js";

/** Waits for all, then throws what the first of them threw, and says how many others failed. */
const allOrFirst = async <T>(work: readonly Promise<T>[]): Promise<readonly T[]> => {
  const settled = await Promise.allSettled(work);
  const faults = settled.flatMap((one): unknown[] => (one.status === "rejected" ? [one.reason] : []));
  const [first, ...others] = faults;
  if (first instanceof UserError && others.length > 0)
    throw new UserError(
      first.message,
      [first.remedy, ...others.map((other) => `Also: ${messageOf(other)}`)]
        .filter((text) => text !== undefined)
        .join("\n"),
      { cause: first },
    );
  if (first !== undefined) throw first;
  return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
};

const openPartStore = async (
  { machine, answer }: AnsweredMachine,
  folder: string,
  elsewhere: boolean,
  world: ExperimentWorld,
): Promise<Store> => {
  const path = storeOf(folder, machine.name);
  return openStore(path, answer.header, world.storeFiles, async (known) => {
    const isDone = runsDone(answer.header, known, path) === schedule(answer.header).length;
    if (!elsewhere && !isDone)
      checkOrigin(
        path,
        known.map(({ origin }) => origin),
        answer.origin,
      );
  });
};

/** Counts the runs that land, and says so. */
const landingOn = (parts: readonly Part[], done: ReadonlyMap<string, number>, say: (line: string) => void) => {
  const counts = new Map(done);
  const total = parts.reduce((sum, { store }) => sum + schedule(store.header).length, 0);
  return {
    counts,
    landed: ({ name }: Machine, record: RunRecord): void => {
      if (settles(record)) counts.set(name, (counts.get(name) ?? 0) + 1);
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const round = record.slot.round < 1 ? "warm-up" : `round ${record.slot.round}`;
      const { excluded } = record;
      const why = excluded === null || excluded.code === "warm-up" ? "" : `: left out, ${excluded.message}`;
      say(`[${String(all).padStart(String(total).length)}/${total}] ${name}: ${record.slot.subject}, ${round}${why}`);
    },
  };
};

/** What is missing, by machine. */
const missingLine = (parts: readonly Part[], counts: ReadonlyMap<string, number>, folder: string): string | null => {
  const short = parts.flatMap(({ machine: { name }, store }) => {
    const [has, all] = [counts.get(name) ?? 0, schedule(store.header).length];
    return has < all ? [`${name} has ${has} of ${all} runs`] : [];
  });
  return short.length === 0
    ? null
    : `warning: ${short.join(", ")}; the same command with -o ${folder} makes the missing ones`;
};

/**
 * Runs an experiment on every machine that a command line names.
 *
 * @param table the options of the command
 * @throws UserError before anything is run
 */
export const conductFleet = async (
  line: FleetLine,
  table: OptionTable,
  world: ExperimentWorld,
  io: Io,
  open: OpenLink = openLink,
): Promise<FleetEnd> => {
  refuseWith(line);
  const { options } = line;
  const machines = readMachines(options.on);
  const program = readProgram(options.onCommand);
  const signal = io.interrupted;
  const display = progressOn(io.stderr, options.quiet, world.nowMsec);
  const folder =
    options.store ?? experimentName({ kind: line.command, startedAt: new Date(world.nowMsec()).toISOString() });
  const { version } = world.origin();
  const ask = async (machine: Machine) => {
    const words = wordsFor(line, table, seedFor(options.seed, machine.name));
    return { machine, words, answer: await askMachine(machine, { program, words, version, open, signal }) };
  };
  const answered = await allOrFirst(machines.map(ask));
  checkAlike(answered);
  for (const doubt of answerDoubts(answered)) display.say(`warning: ${doubt}`);
  await makeFolder(folder);
  const parts = await allOrFirst(
    answered.map(async (one): Promise<Part> => {
      const store = await openPartStore(one, folder, options.elsewhere, world);
      for (const note of store.notes) display.say(note);
      return { machine: one.machine, store, words: one.words };
    }),
  );
  if (!options.quiet) display.say(`runs are kept in ${folder}`);
  const done = new Map(
    parts.map(({ machine, store }) => [machine.name, runsDone(store.header, store.records, store.path)]),
  );
  const { counts, landed } = landingOn(parts, done, options.quiet ? () => undefined : display.say);
  const announceEnd = (): void =>
    display.say("interrupted: ending the runs and tearing down; interrupt again to leave at once");
  signal.addEventListener("abort", announceEnd, { once: true });
  const ends = await allOrFirst(
    parts.map(async (part) => {
      const end = await part.store.alone(() => conductPart(part, { program, open, signal, landed }));
      if (end.kind === "lost") {
        display.say(`schbench-ts: ${end.fault.message}`);
        if (end.fault.remedy !== undefined) display.say(end.fault.remedy);
      }
      return end;
    }),
  );
  signal.removeEventListener("abort", announceEnd);
  const missing = missingLine(parts, counts, folder);
  if (missing !== null) display.say(missing);
  return {
    stores: parts.map(({ machine: { name }, store: { path } }) => ({ name, path })),
    exitCode: ends.every(({ kind }) => kind === "done")
      ? null
      : signal.aborted
        ? interruptionCode(signal)
        : EXIT.failure,
    isInterrupted: signal.aborted,
  };
};
