/** Asks a machine who it is and whether it can run an experiment, before anything is run anywhere. */
import type { Machine } from "./machine.js";
import { UserError } from "../errors.js";
import { quoteOutput } from "../experiment/surroundings.js";
import { joinWords } from "../options/values/shell-words.js";
import { answerIn, type MachineAnswer } from "./answer.js";
import type { Link, LinkEnd, OpenLink } from "./link.js";
import { ownWordsIn } from "./own-words.js";
import { plainWord } from "./plain-words.js";

/** A machine that says nothing for so long does not answer. */
const PATIENCE_MSEC = 60_000;

/** What runs on a machine: our command there, what it is asked to do, and the words of the experiment. */
export const remoteCommand = (
  { prefix }: Machine,
  program: readonly string[],
  task: readonly string[],
  words: readonly string[],
): readonly string[] => [...prefix, ...program, "on", ...task, ...words.map(plainWord)];

/** What a machine is asked with. */
export interface Asking {
  /** Our command there. */
  readonly program: readonly string[];
  /** The experiment's command line, from `ab` on. */
  readonly words: readonly string[];
  /** Our own version. */
  readonly version: string;
  readonly open: OpenLink;
  readonly signal: AbortSignal;
}

const IS_MISSING = /not found|no such file or directory/i;

/** Why a machine gave no answer, from how its command ended. */
const noAnswer = ({ name, prefix }: Machine, program: readonly string[], { exitCode, stderr }: LinkEnd): UserError => {
  const ours = joinWords(program);
  const start = joinWords(prefix);
  if (stderr.includes('unknown command "on"'))
    return new UserError(
      `${name} has an older schbench-ts that does not know how to run a part of an experiment`,
      "Install the same version there, or name another program with --on-command.",
    );
  const own = ownWordsIn(stderr);
  if (own !== null) return new UserError(`${name} cannot run this experiment: ${own.message}`, own.remedy);
  if (exitCode === 127 || (IS_MISSING.test(stderr) && stderr.includes(program.at(-1) ?? "")))
    return new UserError(
      `there is no "${ours}" on ${name}: "${start}" started nothing`,
      `Install schbench-ts there, or give its path with --on-command.\n${quoteOutput(stderr)}`,
    );
  return new UserError(
    `${name} does not answer: "${start}" ended with ${exitCode === null ? "a signal" : `exit code ${exitCode}`}`,
    `It must start a command there without asking for anything, as in: ${start} true\n${quoteOutput(stderr)}`,
  );
};

const readAll = async ({ lines }: Link): Promise<string> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all.join("\n");
};

/**
 * Asks one machine.
 *
 * @throws UserError that names the machine, and says whether it does not answer, has no schbench-ts, another version of it, or
 *   cannot run the experiment
 */
export const askMachine = async (machine: Machine, asking: Asking): Promise<MachineAnswer> => {
  const { program, words, version, open, signal } = asking;
  const link = await open(remoteCommand(machine, program, ["check"], words));
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    link.cut();
  }, PATIENCE_MSEC);
  signal.addEventListener("abort", link.cut, { once: true });
  // Its input ends at once: that the end arrives is part of the question.
  link.letGo();
  try {
    const [stdout, end] = await Promise.all([readAll(link), link.ended]);
    signal.throwIfAborted();
    if (isSilent)
      throw new UserError(
        `${machine.name} does not answer: "${joinWords(machine.prefix)}" has done nothing for ${PATIENCE_MSEC / 1000} s`,
        quoteOutput(end.stderr),
      );
    const answer = answerIn(stdout, machine.name, version);
    if (answer === null || end.exitCode !== 0) throw noAnswer(machine, program, end);
    return answer;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", link.cut);
  }
};
