/** The directory that keeps the runs of many machines: an experiment's file for each. */
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../errors.js";
import { fileReason } from "../../file-reason.js";

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
  try {
    await mkdir(folder, { recursive: true });
  } catch (thrown) {
    throw new UserError(
      `cannot make the directory "${folder}": ${fileReason(thrown, "write")}`,
      "Name another with -o.",
      {
        cause: thrown,
      },
    );
  }
};
