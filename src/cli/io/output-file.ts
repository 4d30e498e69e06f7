/**
 * Where a command writes its result, checked before the work starts. A file is replaced as a whole at the end
 * (replace-file.ts); a pipe, a device and standard output are written as they are.
 *
 * Nothing here may block: a thread that hangs in open(2) of a pipe without a reader cannot be interrupted, and keeps the
 * process from leaving.
 */
// `promises` of node:fs is loaded when it is used, node:fs/promises at once.
import { closeSync, constants, fstatSync, openSync, promises, realpathSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { resolve } from "node:path";
import { UsageError, UserError } from "../../errors.js";
import { codeOf, fileReason } from "../../file-reason.js";
import type { Io, TextSink } from "./command.js";
import { canReplace, plainFileAt, replaceFile } from "./replace-file.js";

/** Where a result goes; written once, whole. */
export interface OutputFile {
  /** Rejects with UserError. */
  readonly write: (text: string) => Promise<void>;
}

const WRITE_AT_ONCE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

/** Where there is no room, the directory is in order. */
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

const failed = (path: string, thrown: unknown): UserError =>
  new UserError(
    `cannot write to "${path}": ${fileReason(thrown, "write")}`,
    FULL.has(codeOf(thrown))
      ? "Free some space, or write elsewhere."
      : "Name a file in an existing, writable directory.",
    { cause: thrown },
  );

/** Writes to a pipe that somebody reads, however slowly. */
const writePipe = (fd: number, text: string): Promise<void> =>
  new Promise((done, fail) => {
    const pipe = new Socket({ fd, readable: false, writable: true });
    pipe.on("error", fail);
    pipe.end(text, () => done());
  });

const writeDescriptor = async (fd: number, text: string): Promise<void> => {
  if (fstatSync(fd).isFIFO()) return writePipe(fd, text);
  // Opened once more, without O_NONBLOCK: a terminal would refuse what it cannot take at once.
  const file = await promises.open(`/proc/self/fd/${fd}`, "w");
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
    closeSync(fd);
  }
};

const isFileOfSeveralNames = (path: string): boolean => {
  const there = statSync(path, { throwIfNoEntry: false });
  return there?.isFile() === true && there.nlink > 1;
};

/** Where a path leads, symbolic links followed as far as there is a file. */
const placeOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};

/**
 * Refuses to write two results over each other.
 *
 * @param outputs the option's name and the file it names; null and `-` are passed over
 */
export const refuseSameFile = (outputs: readonly (readonly [option: string, path: string | null])[]): void => {
  const taken = new Map<string, string>();
  for (const [option, path] of outputs) {
    if (path === null || path === "-") continue;
    const place = placeOf(path);
    const other = taken.get(place);
    if (other !== undefined)
      throw new UsageError(`cannot write both ${other} and ${option} to "${path}": give each its own file`);
    taken.set(place, option);
  }
};

/**
 * Refuses to write a result over what it is made from: the runs of hours would be gone.
 *
 * @param output the option's name and the file it names; null and `-` are passed over
 */
export const refuseInput = (
  output: readonly [option: string, path: string | null],
  inputs: readonly string[],
): void => {
  const [option, path] = output;
  if (path === null || path === "-") return;
  const place = placeOf(path);
  if (inputs.some((input) => placeOf(input) === place))
    throw new UsageError(`cannot write ${option} to "${path}": it is one of the files that are read`);
};

/** Writes to what is there, whatever it is; opened now. */
const openInPlace = (path: string): ((text: string) => Promise<void>) => {
  const fd = openSync(path, WRITE_AT_ONCE, 0o666);
  return (text) => writeDescriptor(fd, text);
};

/** A file of several names or another owner's: opened and emptied only when there is something to write. */
const writeInPlace = async (path: string, text: string): Promise<void> => openInPlace(path)(text);

const writerTo = (path: string): ((text: string) => Promise<void>) => {
  const file = plainFileAt(path);
  if (file !== null && canReplace(file)) return async (text) => replaceFile(file, text);
  if (file === null && !isFileOfSeveralNames(path)) return openInPlace(path);
  closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  return (text) => writeInPlace(path, text);
};

/**
 * Makes sure that a file can be written, and keeps what is in it until it is.
 *
 * @throws UserError when it cannot be written
 */
export const openFile = (path: string): OutputFile => {
  try {
    const write = writerTo(path);
    return {
      write: async (text) => {
        try {
          await write(text);
        } catch (error) {
          throw failed(path, error);
        }
      },
    };
  } catch (error) {
    throw failed(path, error);
  }
};

/**
 * Makes sure, before the work, that a file can be written after it; leaves nothing behind, whatever becomes of the work.
 *
 * @throws UserError when it cannot be written
 */
export const refuseUnwritable = (path: string): void => {
  try {
    const file = plainFileAt(path);
    if (file === null || !canReplace(file)) closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    throw failed(path, error);
  }
};

/**
 * Refuses to work for a report that has nowhere to go.
 *
 * @param name of the stream, for the message
 * @throws UserError where the stream was closed before the program started
 */
export const refuseClosed = ({ isClosed }: Pick<TextSink, "isClosed">, name: string): void => {
  if (isClosed === true)
    throw new UserError(
      `cannot write the report: ${name} is closed`,
      "Leave it open, or send it to /dev/null if nobody is to read it.",
    );
};

/**
 * Opens what an option names: a file, `-` for standard output; null is no output at all.
 *
 * @throws UserError when it cannot be written, before anything has run
 */
export const openOutput = (path: string | null, io: Pick<Io, "stdout">): OutputFile | null => {
  if (path === null) return null;
  if (path !== "-") return openFile(path);
  if (io.stdout.isClosed)
    throw new UserError(
      'cannot write to "-": standard output is closed',
      "Name a file, or leave standard output open.",
    );
  return { write: async (text) => io.stdout.write(text) };
};
