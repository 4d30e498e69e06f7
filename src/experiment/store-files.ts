/** The file operations of a store, on the real file system; what goes wrong is the user's to mend. */
import { open, readFile, truncate } from "node:fs/promises";
import { messageOf, UserError } from "../errors.js";
import type { StoreFiles } from "./store.js";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
};

const codeOf = (thrown: unknown): string => (thrown instanceof Error && "code" in thrown ? String(thrown.code) : "");

const failed = (what: "read" | "write", path: string, thrown: unknown): UserError =>
  new UserError(`cannot ${what} "${path}": ${REASONS[codeOf(thrown)] ?? messageOf(thrown)}`, "Name another file.", {
    cause: thrown,
  });

const writing = async (path: string, operation: () => Promise<void>): Promise<void> => {
  try {
    await operation();
  } catch (thrown) {
    throw failed("write", path, thrown);
  }
};

/** Files on disk; an append is O_APPEND, then fsync. */
export const storeFiles: StoreFiles = {
  read: async (path) => {
    try {
      return await readFile(path, "utf8");
    } catch (thrown) {
      if (codeOf(thrown) === "ENOENT") return null;
      throw failed("read", path, thrown);
    }
  },
  truncate: (path, bytes) => writing(path, () => truncate(path, bytes)),
  append: (path, text) =>
    writing(path, async () => {
      const file = await open(path, "a");
      try {
        await file.appendFile(text);
        if (text !== "") await file.sync();
      } finally {
        await file.close();
      }
    }),
};
