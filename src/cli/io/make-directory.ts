/** Directories that a command writes into. */
import { mkdir } from "node:fs/promises";
import { UserError } from "../../errors.js";
import { fileReason } from "../../file-reason.js";

/**
 * Makes a directory and those above it, unless they are there.
 *
 * @param remedy what to do where it cannot be made
 * @throws UserError
 */
export const makeDirectory = async (folder: string, remedy: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new UserError(`cannot make the directory "${folder}": ${fileReason(cause, "write")}`, remedy, { cause });
  }
};
