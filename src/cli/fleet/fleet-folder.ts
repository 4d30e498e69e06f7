/** The directory that keeps the runs of many machines: an experiment's file for each. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../errors.js";
import { makeDirectory } from "../io/make-directory.js";

/** Where a machine's runs are kept. */
export const storeOf = (folder: string, machine: string): string => join(folder, `${machine}.ndjson`);

/** Makes the directory; throws UserError where it cannot be. */
export const makeFolder = async (folder: string): Promise<void> => {
  const there = await stat(folder).catch(() => null);
  if (there !== null && !there.isDirectory())
    throw new UserError(
      `cannot keep the runs of several machines in "${folder}": it is a file`,
      "With --on, -o names a directory, which gets a file for each machine.",
    );
  await makeDirectory(folder, "Name another with -o.");
};
