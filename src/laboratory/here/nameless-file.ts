/** A file without a name, for what is written and read once. */
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../errors.js";
import { fileReason } from "../../file-reason.js";

/** A file without a name, so that nothing of it stays, however this process ends. */
export const openNameless = async (): Promise<FileHandle> => {
  try {
    const folder = await mkdtemp(join(tmpdir(), "schbench-ts-"));
    try {
      return await open(join(folder, "output"), "w+");
    } finally {
      await rm(folder, { recursive: true });
    }
  } catch (thrown) {
    throw new UserError(
      `cannot write to "${tmpdir()}": ${fileReason(thrown, "write")}`,
      "Set TMPDIR to a directory for temporary files.",
      { cause: thrown },
    );
  }
};
