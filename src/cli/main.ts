/**
 * The command line from its first word to the exit code: finds the command, loads it and shows what it throws. Errors
 * are one line and, if there is one, a line with the remedy; a wrong command line also points at the help.
 *
 * Upstream counterpart: main and print_usage; there, help goes to stderr and ends with exit code 1.
 */
import { EXIT, type ExitCode, interruptionCode, messageOf, UsageError, UserError } from "../errors.js";
import { UnknownNameError } from "../options/values/unknown-name.js";
import type { Io } from "./io/command.js";
import { commandBook, COMMANDS, type CommandEntry, RUN_ENTRY } from "./command-list.js";
import { explainFault } from "./system-fault.js";
import { oneVisibleLine } from "./io/visible-text.js";
import { GLOBAL_SPELLINGS, takeGlobalOptions } from "./options/global-options.js";

/** What a command line means: the command that its first word names, or a run if it names none. */
interface Meaning {
  readonly named: CommandEntry | null;
  readonly argv: readonly string[];
}

const meaningOf = (words: readonly string[], commands: readonly CommandEntry[]): Meaning => {
  const named = commands.find(({ name }) => name === words[0]) ?? null;
  return { named, argv: named === null ? words : words.slice(1) };
};

/**
 * A first word that looks like a command but is none gets a message about commands, not about stray arguments; one that
 * is an option without its dashes (`explain`) is told so.
 */
const refuseUnknownCommand = async (word: string | undefined, commands: readonly CommandEntry[]): Promise<void> => {
  if (word === undefined || !/^[A-Za-z]/.test(word)) return;
  const names = commands.filter(({ hidden }) => hidden !== true).map(({ name }) => name);
  const { runOptions } = await import("../options/run/run-table.js");
  throw new UnknownNameError(
    `unknown command "${word}": allowed is one of ${names.join(", ")}`,
    word,
    names,
    runOptions.some(({ long }) => long.some((name) => name === word)) ? `Did you mean --${word}?` : undefined,
  );
};

const dispatch = async (
  { named, argv }: Meaning,
  help: boolean,
  io: Io,
  commands: readonly CommandEntry[],
): Promise<ExitCode> => {
  if (named === null) await refuseUnknownCommand(argv[0], commands);
  if (help && named?.name !== "help") {
    const { helpCommandOf } = await import("./commands/help-command.js");
    return helpCommandOf(commandBook).run(named === null ? [] : [named.name], io);
  }
  const { command } = await (named ?? RUN_ENTRY).load();
  return command.run(argv, io);
};

const remedyOf = async (error: UserError): Promise<string | undefined> => {
  if (!(error instanceof UnknownNameError)) return error.remedy;
  // An error must be shown even where no further file can be opened.
  const suggest = await import("../options/values/suggest.js").catch(() => null);
  return suggest === null ? undefined : suggest.remedyFor(error, GLOBAL_SPELLINGS);
};

/**
 * The lines about an error: message, remedy, a pointer to the help for a wrong command line, a stack only with --debug.
 *
 * @param command name of the command that was meant; null for a plain run
 */
export const errorText = async (cause: unknown, debug: boolean, command: string | null): Promise<string> => {
  const thrown = explainFault(cause);
  const lines = [`schbench-ts: ${oneVisibleLine(messageOf(thrown))}`];
  const remedy = thrown instanceof UserError ? await remedyOf(thrown) : undefined;
  if (remedy !== undefined) lines.push(remedy);
  if (thrown instanceof UsageError) lines.push(`See schbench-ts ${command === null ? "" : `${command} `}--help.`);
  else if (!(thrown instanceof UserError) && !debug)
    lines.push("This is a bug in schbench-ts; --debug shows where it happened.");
  if (debug && cause instanceof Error && cause.stack !== undefined) lines.push(cause.stack);
  return `${lines.join("\n")}\n`;
};

/** Whether what was thrown is only the echo of the interruption, as an aborted wait throws it. */
const isInterruption = (thrown: unknown, signal: AbortSignal): boolean =>
  signal.aborted && (thrown === signal.reason || (thrown instanceof Error && thrown.name === "AbortError"));

/**
 * Runs a command line.
 *
 * @param argv without the interpreter and the script
 * @param commands what the first word may name
 * @returns the exit code; never throws
 */
export const main = async (
  argv: readonly string[],
  io: Io,
  commands: readonly CommandEntry[] = COMMANDS,
): Promise<ExitCode> => {
  const { help, version, debug, rest } = takeGlobalOptions(argv);
  const meaning = meaningOf(rest, commands);
  try {
    if (version) {
      const { versionText } = await import("./version.js");
      io.stdout.write(versionText());
      return EXIT.ok;
    }
    return await dispatch(meaning, help, io, commands);
  } catch (thrown) {
    if (isInterruption(thrown, io.interrupted)) return interruptionCode(io.interrupted);
    io.stderr.write(await errorText(thrown, debug, meaning.named?.name ?? null));
    return io.interrupted.aborted ? interruptionCode(io.interrupted) : EXIT.failure;
  }
};
