/**
 * Could a program be started? Looks where the start itself will look, before anything is run. Thin shell; no upstream
 * counterpart.
 */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../errors.js";
import { codeOf, fileReason } from "../file-reason.js";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program",
  ENOTDIR: "there is no such program",
  EACCES: "it may not be executed",
  ENOEXEC: "it is not a program for this machine",
};

/** Why a program was not started, as the end of a sentence. */
const startReason = (error: unknown): string => REASONS[codeOf(error)] ?? fileReason(error, "read");

/**
 * The error about a program that cannot be started.
 *
 * @param whose such as ` of subject "a"`
 */
export const cannotStart = (program: string, error: unknown, whose = ""): UserError =>
  new UserError(
    `cannot start "${program}"${whose}: ${startReason(error)}`,
    "Give the path of an executable file, or a name that is on the PATH.",
    { cause: error },
  );

const refused = async (path: string): Promise<unknown> => {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isDirectory() ? Object.assign(new Error(path), { code: "EISDIR" }) : null;
  } catch (error) {
    return error;
  }
};

/**
 * What would keep a program from being started; null: nothing.
 *
 * @param program a path, or a name that is looked up along the PATH
 * @param env added to the environment of this process; its PATH goes first, as it does at the start
 */
export const startFault = async (program: string, env: Readonly<Record<string, string>>): Promise<unknown> => {
  if (program.includes("/")) return refused(program);
  let fault: unknown = Object.assign(new Error(program), { code: "ENOENT" });
  for (const folder of (env["PATH"] ?? process.env["PATH"] ?? "/usr/bin:/bin").split(":")) {
    const found = await refused(join(folder, program));
    if (found === null) return null;
    // As execvp: a file that may not be executed is remembered, while the search goes on.
    if (codeOf(found) === "EACCES") fault = found;
  }
  return fault;
};
