/**
 * The text of a file that a command was given, or of standard input.
 *
 * A pipe is waited for without blocking a thread in open(2): such a wait could not be interrupted.
 */
import { constants, createReadStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { UserError } from "../../errors.js";
import { codeOf, fileReason } from "../../file-reason.js";
import { collectText } from "./collect-text.js";
import type { Io } from "./command.js";

/** The name of standard input on a command line. */
export const STDIN = "-";

const streamOf = (path: string): Readable => {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(fd).isFIFO()) return new Socket({ fd, readable: true, writable: false });
  return isatty(fd) ? new ReadStream(fd) : createReadStream(path, { fd });
};

/** What is thrown to the user for what reading a file threw; an interruption stays what it is. */
export const readFault = (path: string, thrown: unknown, interrupted: AbortSignal): unknown =>
  thrown instanceof UserError || interrupted.aborted
    ? thrown
    : new UserError(
        `cannot read "${path}": ${fileReason(thrown, "read")}`,
        codeOf(thrown) === "EISDIR" ? "Name the files in it." : undefined,
        { cause: thrown },
      );

/**
 * The bytes of a file, chunk by chunk; `-` is standard input.
 *
 * @throws the system's error for a file that cannot be opened or read (see readFault); AbortError when interrupted
 */
export const openBytes = (path: string, io: Pick<Io, "stdin" | "interrupted">): AsyncIterable<Uint8Array> =>
  path === STDIN ? io.stdin() : addAbortSignal(io.interrupted, streamOf(path));

/**
 * Reads a file as UTF-8 text; `-` is standard input.
 *
 * @throws UserError for a file that cannot be read; AbortError when interrupted
 */
export const readInput = async (path: string, io: Pick<Io, "stdin" | "interrupted">): Promise<string> => {
  try {
    return await collectText(openBytes(path, io), path);
  } catch (error) {
    throw readFault(path, error, io.interrupted);
  }
};
