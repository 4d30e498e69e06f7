/** A file that a command will write its result to, opened before the work starts. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { messageOf, UserError } from "../errors.js";
import type { Io } from "./command.js";

/** Where a result goes; written once, whole. */
export interface OutputFile {
  readonly write: (text: string) => void;
}

/**
 * Opens a file for writing; `-` is standard output, null is no output at all.
 *
 * @throws UserError when it cannot be written, before anything has run
 */
export const openOutput = (path: string | null, io: Io): OutputFile | null => {
  if (path === null) return null;
  if (path === "-") return { write: (text) => io.stdout.write(text) };
  let fd: number;
  try {
    fd = openSync(path, "w");
  } catch (error) {
    throw new UserError(
      `cannot write to "${path}": ${messageOf(error)}`,
      "Name a file in a directory that is there and writable.",
    );
  }
  return {
    write: (text) => {
      writeFileSync(fd, text);
      closeSync(fd);
    },
  };
};
