/**
 * The command line from its first word to the exit code: finds the command, loads it and shows what it throws. Errors
 * are one line and, if there is one, a line with the remedy; a wrong command line also points at the help.
 *
 * Upstream counterpart: main and print_usage; there, help goes to stderr and ends with exit code 1.
 */
import { EXIT, type ExitCode, messageOf, UsageError, UserError } from "../errors.js";
import { UnknownNameError } from "../options/unknown-name.js";
import type { Command, Io } from "./command.js";
import { COMMANDS, type CommandEntry, RUN_ENTRY } from "./command-list.js";
import { takeGlobalOptions } from "./global-options.js";

/** The command that a command line means: the one its first word names, or a run. */
const entryOf = (words: readonly string[]): { entry: CommandEntry; argv: readonly string[] } => {
  const named = COMMANDS.find(({ name }) => name === words[0]);
  return named === undefined ? { entry: RUN_ENTRY, argv: words } : { entry: named, argv: words.slice(1) };
};

/** A first word that looks like a command but is none gets a message about commands, not about stray arguments. */
const refuseUnknownCommand = (word: string | undefined): void => {
  if (word === undefined || !/^[A-Za-z]/.test(word)) return;
  const names = COMMANDS.map(({ name }) => name);
  throw new UnknownNameError(`unknown command "${word}": allowed is one of ${names.join(", ")}`, word, names);
};

const dispatch = async (words: readonly string[], help: boolean, io: Io): Promise<ExitCode> => {
  const { entry, argv } = entryOf(words);
  if (entry === RUN_ENTRY && argv === words) refuseUnknownCommand(words[0]);
  if (help && entry.name !== "help") {
    const { helpCommand } = await import("./help-command.js");
    return helpCommand.run(argv === words ? [] : [entry.name], io);
  }
  const { command }: { command: Command } = await entry.load();
  return command.run(argv, io);
};

const helpHint = (words: readonly string[]) => {
  const { entry, argv } = entryOf(words);
  return argv === words ? "schbench-ts --help" : `schbench-ts ${entry.name} --help`;
};

const remedyOf = async (error: UserError): Promise<string | undefined> =>
  error instanceof UnknownNameError ? (await import("../options/suggest.js")).remedyFor(error) : error.remedy;

/** The lines about an error; a fault of our own asks for a report. */
const errorText = async (thrown: unknown, debug: boolean, words: readonly string[]): Promise<string> => {
  const lines = [`schbench-ts: ${messageOf(thrown)}`];
  const remedy = thrown instanceof UserError ? await remedyOf(thrown) : undefined;
  if (remedy !== undefined) lines.push(remedy);
  if (thrown instanceof UsageError) lines.push(`See ${helpHint(words)}.`);
  else if (!(thrown instanceof UserError) && !debug)
    lines.push("This is a fault in schbench-ts; --debug shows where it happened.");
  if (debug && thrown instanceof Error && thrown.stack !== undefined) lines.push(thrown.stack);
  return `${lines.join("\n")}\n`;
};

/** The exit code that an interruption carries as its reason. */
const interruptionCode = (signal: AbortSignal): ExitCode =>
  signal.reason === EXIT.terminated ? EXIT.terminated : EXIT.interrupted;

/**
 * Runs a command line.
 *
 * @param argv without the interpreter and the script
 * @returns the exit code; never throws
 */
export const main = async (argv: readonly string[], io: Io): Promise<ExitCode> => {
  const { help, version, debug, rest } = takeGlobalOptions(argv);
  try {
    if (version) {
      const { versionText } = await import("./version.js");
      io.stdout.write(versionText());
      return EXIT.ok;
    }
    return await dispatch(rest, help, io);
  } catch (thrown) {
    if (io.interrupted.aborted && !(thrown instanceof UserError) && !debug) return interruptionCode(io.interrupted);
    io.stderr.write(await errorText(thrown, debug, rest));
    return io.interrupted.aborted ? interruptionCode(io.interrupted) : EXIT.failure;
  }
};
