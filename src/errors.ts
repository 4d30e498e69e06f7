/**
 * The errors a user can meet, and the exit codes of every command.
 *
 * A message names what failed, the value in quotes and what is allowed; the remedy, where there is one, follows on a
 * line of its own. Only `--debug` shows a stack.
 */

/** What each exit code means; the one list behind the commands, the help and the docs. */
export const EXIT = {
  ok: 0,
  failure: 1,
  different: 2,
  undecided: 3,
  skipped: 125,
  interrupted: 130,
  hungUp: 129,
  terminated: 143,
} as const;

/** An exit code of the command. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error that is the user's to mend: shown as one line and, if given, a line with the remedy. */
export class UserError extends Error {
  override readonly name: string = "UserError";

  /**
   * @param message what failed, with the offending value in quotes and what is allowed
   * @param remedy how to mend it, as a full sentence
   */
  constructor(
    message: string,
    readonly remedy?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A wrong command line: like any user error, but the command also points at `--help`. */
export class UsageError extends UserError {
  override readonly name = "UsageError";
}

/** The engine could not run, or a benchmark thread failed while it ran. */
export class EngineError extends UserError {
  override readonly name = "EngineError";
}

/** Text or JSON that is not a schbench result, is cut off or contradicts itself. */
export class ParseError extends UserError {
  override readonly name = "ParseError";

  /**
   * @param source file name, or `-` for standard input
   * @param line 1-based line number the message is about
   */
  constructor(
    message: string,
    readonly source: string,
    readonly line: number,
  ) {
    super(`${source}:${line}: ${message}`);
  }
}

/** The exit code that an interruption carries as its reason. */
export const interruptionCode = (signal: AbortSignal): ExitCode =>
  [EXIT.terminated, EXIT.hungUp].find((code) => code === signal.reason) ?? EXIT.interrupted;

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
