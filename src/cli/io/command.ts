/** What a command is, and what it is given: the only door between a command and the world around the process. */
import type { ExitCode } from "../../errors.js";

/** Where text goes; `isTerminal` decides about colour, live status lines and widths. */
export interface TextSink {
  /** Foreign control characters are written out (visible-text.ts). */
  readonly write: (text: string) => void;
  /** Closed before the program started: what is written is lost; left out where it is not. */
  readonly isClosed?: boolean;
  readonly isTerminal: boolean;
  /** Columns of the terminal, 1 or more; undefined where there is none, or it does not know. */
  readonly columns: number | undefined;
}

/** Streams and surroundings of one invocation; a test hands in its own. */
export interface Io {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Standard input, which is there once; throws UserError the second time. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Does what takes long and cannot be looked into, such as judging a thousand runs. A signal ends the process meanwhile, as it ends
   * any other program: so only what leaves nothing behind may be done in it.
   */
  readonly atOnce: <T>(work: () => T) => T;
  /** Aborted by SIGINT or SIGTERM; the reason is the exit code to leave with. */
  readonly interrupted: AbortSignal;
}

/** One command of `schbench-ts`. */
export interface Command {
  readonly name: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** argv without the command's name; throws UserError for what the user must mend. */
  readonly run: (argv: readonly string[], io: Io) => Promise<ExitCode>;
}
