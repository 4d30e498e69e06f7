/** The sentence about a program that cannot be started. Pure. */
import { UserError } from "./errors.js";
import { codeOf, fileReason } from "./file-reason.js";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program",
  ENOTDIR: "there is no such program",
  EACCES: "it is not executable",
  ENOEXEC: "it is not a program for this machine",
};

const PATH_REMEDY = "Give the path of an executable file, or a name that is on the PATH.";

/** Where the program itself is in order. */
const REMEDIES: Readonly<Record<string, string>> = {
  EAGAIN: "Raise ulimit -u, or the limit of the cgroup (pids.max).",
  EMFILE: "Raise the limit of this process: ulimit -n 1024.",
  ENFILE: "Close other programs, or raise fs.file-max.",
  ENOMEM: "Close other programs, or raise memory.max.",
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
    [REMEDIES[codeOf(error)] ?? PATH_REMEDY, ...(hint === "" ? [] : [hint])].join(" "),
    { cause: error },
  );
