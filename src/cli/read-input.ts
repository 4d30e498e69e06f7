/** The text of a file that a command was given, or of standard input. */
import { readFile } from "node:fs/promises";
import { messageOf, UserError } from "../errors.js";
import type { Io } from "./command.js";

/** The name of standard input on a command line. */
export const STDIN = "-";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/**
 * Reads a file as UTF-8 text; `-` is standard input.
 *
 * @throws UserError for a file that cannot be read
 */
export const readInput = async (path: string, io: Io): Promise<string> => {
  if (path === STDIN) return io.readStdin();
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = codeOf(error);
    throw new UserError(
      `cannot read "${path}": ${REASONS[code] ?? messageOf(error)}`,
      code === "EISDIR" ? "Name the files in it." : undefined,
      { cause: error },
    );
  }
};
