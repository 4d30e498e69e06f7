/** The sentence about a program that cannot be started. Pure. */
import { UserError } from "./errors.js";
import { codeOf, fileReason } from "./file-reason.js";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program",
  ENOTDIR: "there is no such program",
  EACCES: "it is not executable",
  ENOEXEC: "it is not a program for this machine",
};

/** Why a program was not started, as the end of a sentence. */
const startReason = (error: unknown): string => REASONS[codeOf(error)] ?? fileReason(error, "read");

/**
 * The error about a program that cannot be started.
 *
 * @param whose such as ` of subject "a"`
 * @param hint a further sentence of the remedy
 */
export const cannotStart = (program: string, error: unknown, whose = "", hint = ""): UserError =>
  new UserError(
    `cannot start "${program}"${whose}: ${startReason(error)}`,
    `Give the path of an executable file, or a name that is on the PATH.${hint === "" ? "" : ` ${hint}`}`,
    { cause: error },
  );
