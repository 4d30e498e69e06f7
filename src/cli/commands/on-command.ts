/**
 * `schbench-ts on`: the other end of `--on`. Another schbench-ts has started it on this machine, through ssh or the like, and reads
 * what it writes. `on check ab …` checks everything and answers; `on run N ab …` makes the runs after the first N.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, type ExitCode, UsageError, UserError } from "../../errors.js";
import { schedule } from "../../experiment/schedule.js";
import { ANSWER_FORMAT, type MachineAnswer } from "../../fleet/answer.js";
import { ALIVE_MSEC } from "../../fleet/conduct.js";
import { HOLD } from "../../fleet/link.js";
import { wordOf } from "../../fleet/plain-words.js";
import { readMachineHere } from "../../platform/machine-here.js";
import { hostFiles } from "../../platform/files.js";
import { conductExperiment, type OpenExperiment } from "../experiment/conduct-experiment.js";
import { type ExperimentWorld, hostWorld } from "../experiment/experiment-world.js";
import { STREAM, streamFiles } from "../fleet/stream-store.js";
import { threadsHere } from "../fleet/threads-here.js";
import type { Command, Io } from "../io/command.js";
import { readInput, STDIN } from "../io/read-input.js";
import { planAb, readAb } from "./ab-command.js";

/** An input that is connected and held open ends when we are told so, or when who started us is gone. */
const HELD_MSEC = 3000;

const refuse = (): UsageError =>
  new UsageError(
    "on is the other end of --on: schbench-ts starts it on other machines",
    "Run an experiment there: schbench-ts ab --on 'ssh HOST' --subject a --subject b -- -r 10",
  );

/** What is asked for: `check`, or `run` after so many runs; then the command line of an experiment. */
const readTask = ([task, ...words]: readonly string[]) => {
  const after = task === "run" ? Number(words[0]) : 0;
  const [command, ...argv] = (task === "run" ? words.slice(1) : words).map(wordOf);
  if ((task !== "run" && task !== "check") || !Number.isInteger(after) || after < 0 || command !== "ab") throw refuse();
  return { task, after, line: readAb(argv) } as const;
};

const openStream = (line: ReturnType<typeof readAb>, world: ExperimentWorld, io: Io): Promise<OpenExperiment> =>
  conductExperiment(planAb(line).plan, [], { ...line.options, store: STREAM }, world, io);

const answer = async (line: ReturnType<typeof readAb>, world: ExperimentWorld, io: Io): Promise<ExitCode> => {
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

const makeRuns = async (
  line: ReturnType<typeof readAb>,
  after: number,
  world: ExperimentWorld,
  io: Io,
): Promise<ExitCode> => {
  const held: Io = { ...io, interrupted: heldSignal(io) };
  const alive = setInterval(() => io.stdout.write("\n"), ALIVE_MSEC);
  try {
    const experiment = await openStream(line, { ...world, storeFiles: streamFiles(io.stdout) }, held);
    return (await experiment.run(schedule(experiment.header).slice(after))) ?? EXIT.ok;
  } finally {
    clearInterval(alive);
  }
};

/** The command in a given world. */
export const onCommandIn = (world: ExperimentWorld): Command => ({
  name: "on",
  summary: "the other end of --on, started on other machines",
  run: async (argv, io) => {
    try {
      const { task, after, line } = readTask(argv);
      return await (task === "check" ? answer(line, world, io) : makeRuns(line, after, world, io));
    } catch (thrown) {
      // It was written for another command, and elsewhere: nothing here is to be looked up.
      throw thrown instanceof UsageError ? new UserError(thrown.message, thrown.remedy, { cause: thrown }) : thrown;
    }
  },
});

/** `schbench-ts on`. */
export const onCommand: Command = onCommandIn(hostWorld);
