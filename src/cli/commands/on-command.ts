/**
 * `schbench-ts on`: the other end of `--on`. Another schbench-ts has started it on this machine, through ssh or the like, and reads
 * what it writes. `on check ab …` checks everything and answers; `on run N ab …` makes the runs after the first N; `on keep DIR FILE
 * ab …`, in a queueing system's task, keeps them in a directory that the machines share, if FILE is in it (`-`: in any); `on keep - -
 * ab …` writes them to standard output. In place of `ab` stands any command that takes `--on`.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, type ExitCode, UsageError, UserError } from "../../errors.js";
import { schedule } from "../../experiment/schedule.js";
import { ANSWER_FORMAT, type MachineAnswer } from "../../fleet/answer.js";
import { ALIVE_MSEC } from "../../fleet/conduct.js";
import { HOLD } from "../../fleet/link.js";
import { nodeName, seedFor } from "../../fleet/node-name.js";
import { wordOf } from "../../fleet/plain-words.js";
import { readMachineHere } from "../../platform/machine/machine-here.js";
import { hostFiles } from "../../platform/files.js";
import { conductExperiment, type ExperimentPlan, type OpenExperiment } from "../experiment/conduct-experiment.js";
import { type ExperimentWorld, hostWorld } from "../io/experiment-world.js";
import type { FleetCommand } from "../fleet/fleet-line.js";
import { STREAM, streamFiles } from "../fleet/stream-store.js";
import { threadsHere } from "../fleet/threads-here.js";
import type { Command, Io } from "../io/command.js";
import { readInput, STDIN } from "../io/read-input.js";
import { planAb, readAb } from "./ab-command.js";
import { planSweep, readSweep } from "./sweep-command.js";

/** An input that is connected and held open ends when we are told so, or when who started us is gone. */
const HELD_MSEC = 3000;

const refuse = (): UsageError =>
  new UsageError(
    "on is the other end of --on: schbench-ts starts it on other machines",
    "Run an experiment there: schbench-ts ab --on 'ssh HOST' --subject a --subject b -- -r 10",
  );

type Task =
  | { readonly kind: "check" }
  | { readonly kind: "run"; readonly after: number }
  | { readonly kind: "keep"; readonly folder: string; readonly token: string };

/** A task's own words, and how many there are. */
const readTask = ([task, first = "", second = ""]: readonly string[]): readonly [Task, words: number] => {
  if (task === "check") return [{ kind: "check" }, 1];
  if (task === "keep") return [{ kind: "keep", folder: wordOf(first), token: second }, 3];
  if (task === "run" && /^\d+$/.test(first)) return [{ kind: "run", after: Number(first) }, 2];
  throw refuse();
};

/** An experiment's command line, as the machine here understands it. */
interface FarLine {
  readonly options: { readonly quiet: boolean; readonly elsewhere: boolean; readonly seed: number };
  /** The experiment, with the order of runs that a seed gives. */
  readonly planFor: (seed: number) => ExperimentPlan;
}

/** How each command that takes --on is understood. */
const LINES = {
  ab: (argv) => {
    const line = readAb(argv);
    return {
      options: line.options,
      planFor: (seed) => planAb({ ...line, options: { ...line.options, seed } }).plan,
    };
  },
  sweep: (argv) => {
    const line = readSweep(argv);
    return {
      options: line.options,
      planFor: (seed) => planSweep({ ...line, options: { ...line.options, seed } }).plan,
    };
  },
} as const satisfies Record<FleetCommand, (argv: readonly string[]) => FarLine>;

const isFleetCommand = (word: string | undefined): word is FleetCommand =>
  word !== undefined && Object.hasOwn(LINES, word);

/** The command line of the experiment. */
const readLine = (words: readonly string[]): FarLine => {
  const [command, ...argv] = words.map(wordOf);
  if (!isFleetCommand(command)) throw refuse();
  return LINES[command](argv);
};

const openStream = ({ options, planFor }: FarLine, world: ExperimentWorld, io: Io): Promise<OpenExperiment> =>
  conductExperiment(planFor(options.seed), [], { ...options, store: STREAM }, world, io);

const answer = async (line: FarLine, world: ExperimentWorld, io: Io): Promise<ExitCode> => {
  const held = Promise.race([readInput(STDIN, io), sleep(HELD_MSEC, "", { ref: false })]);
  const { header } = await openStream(
    line,
    { ...world, storeFiles: streamFiles({ ...io.stdout, write: () => {} }) },
    io,
  );
  const here = readMachineHere(hostFiles);
  const origin = world.origin();
  const found: MachineAnswer = {
    format: ANSWER_FORMAT,
    version: origin.version,
    origin,
    cpus: here.allowedCpus.length,
    header,
    threads: threadsHere(header, here),
    isHeld: (await held).includes(HOLD),
  };
  io.stdout.write(`${JSON.stringify(found)}\n`);
  return EXIT.ok;
};

/** Aborted like the io's own signal, and when an input that was held open ends. */
const heldSignal = (io: Io): AbortSignal => {
  const gone = new AbortController();
  void readInput(STDIN, io).then(
    (text) => {
      if (text.includes(HOLD)) gone.abort(EXIT.terminated);
    },
    () => undefined,
  );
  return AbortSignal.any([io.interrupted, gone.signal]);
};

const makeRuns = async (line: FarLine, after: number, world: ExperimentWorld, io: Io): Promise<ExitCode> => {
  const held: Io = { ...io, interrupted: heldSignal(io) };
  const alive = setInterval(() => io.stdout.write("\n"), ALIVE_MSEC);
  try {
    const experiment = await openStream(line, { ...world, storeFiles: streamFiles(io.stdout) }, held);
    return (await experiment.run(schedule(experiment.header).slice(after))) ?? EXIT.ok;
  } finally {
    clearInterval(alive);
  }
};

/** Keeps the runs of this machine in a directory that others share. A task that was started again goes on, also after another boot. */
const keepRuns = async (
  line: FarLine,
  { folder, token }: { readonly folder: string; readonly token: string },
  world: ExperimentWorld,
  io: Io,
): Promise<ExitCode> => {
  const name = nodeName(io.env, world.origin().hostname);
  if (token !== STREAM && (await world.storeFiles.read(join(folder, token))) === null)
    throw new UserError(
      `"${folder}" on ${name} is not the directory of this experiment: it is not shared`,
      "Name a directory with -o that every node sees under the same path.",
    );
  const isStream = folder === STREAM;
  // What is said on standard error would come between the lines where both go to one log.
  const kept = { store: isStream ? STREAM : join(folder, `${name}.ndjson`), quiet: isStream, elsewhere: true };
  // The queueing system's name for it, by which its runs are told from those of others.
  const there = {
    ...world,
    origin: () => ({ ...world.origin(), machine: name }),
    ...(isStream ? { storeFiles: streamFiles(io.stdout) } : {}),
  };
  const plan = line.planFor(seedFor(line.options.seed, name));
  const experiment = await conductExperiment(plan, [], kept, there, io);
  return (await experiment.run()) ?? EXIT.ok;
};

/** The command in a given world. */
export const onCommandIn = (world: ExperimentWorld): Command => ({
  name: "on",
  summary: "the other end of --on, started on other machines",
  run: async (argv, io) => {
    try {
      const [task, words] = readTask(argv);
      const line = readLine(argv.slice(words));
      if (task.kind === "check") return await answer(line, world, io);
      return await (task.kind === "run" ? makeRuns(line, task.after, world, io) : keepRuns(line, task, world, io));
    } catch (thrown) {
      // It was written for another command, and elsewhere: nothing here is to be looked up.
      throw thrown instanceof UsageError ? new UserError(thrown.message, thrown.remedy, { cause: thrown }) : thrown;
    }
  },
});

/** `schbench-ts on`. */
export const onCommand: Command = onCommandIn(hostWorld);
