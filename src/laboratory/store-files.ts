/** The file operations of a store, on the real file system; what goes wrong is the user's to mend. */
import { constants } from "node:fs";
import { open, readFile, stat, truncate } from "node:fs/promises";
import { UserError } from "../errors.js";
import { codeOf, fileReason } from "../file-reason.js";
import type { StoreFiles } from "../experiment/store.js";

const failed = (what: "read" | "write", path: string, thrown: unknown): UserError =>
  new UserError(`cannot ${what} "${path}": ${fileReason(thrown, what)}`, "Name another file.", {
    cause: thrown,
  });

const writing = async (path: string, operation: () => Promise<void>): Promise<void> => {
  try {
    await operation();
  } catch (thrown) {
    throw failed("write", path, thrown);
  }
};

/** Neither endless (`/dev/zero`) nor waiting for somebody (a pipe): only such files can be gone on with. */
const holdsRuns = async (path: string): Promise<boolean> => {
  const found = await stat(path);
  if (found.isFIFO() || found.isSocket())
    throw new UserError(`cannot write "${path}": it is a pipe, and runs are kept in a file`, "Name another file.");
  return !found.isCharacterDevice();
};

// O_NONBLOCK: a pipe that nobody reads is an error, not a wait that cannot be interrupted.
const APPEND_AT_ONCE = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK;

/** Files on disk; an append is O_APPEND, then fsync. */
export const storeFiles: StoreFiles = {
  read: async (path) => {
    try {
      return (await holdsRuns(path)) ? await readFile(path, "utf8") : null;
    } catch (thrown) {
      if (thrown instanceof UserError) throw thrown;
      if (codeOf(thrown) === "ENOENT") return null;
      throw failed("read", path, thrown);
    }
  },
  truncate: (path, bytes) => writing(path, () => truncate(path, bytes)),
  append: (path, text) =>
    writing(path, async () => {
      const file = await open(path, APPEND_AT_ONCE, 0o666);
      try {
        await file.appendFile(text);
        if (text !== "") await file.sync();
      } finally {
        await file.close();
      }
    }),
};
