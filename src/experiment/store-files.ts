/** The file operations of a store, on the real file system. */
import { open, readFile, truncate } from "node:fs/promises";
import type { StoreFiles } from "./store.js";

const isMissing = (thrown: unknown): boolean => thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";

/** Files on disk; an append is O_APPEND, then fsync. */
export const storeFiles: StoreFiles = {
  read: async (path) => {
    try {
      return await readFile(path, "utf8");
    } catch (thrown) {
      if (isMissing(thrown)) return null;
      throw thrown;
    }
  },
  truncate: (path, bytes) => truncate(path, bytes),
  append: async (path, text) => {
    const file = await open(path, "a");
    try {
      await file.appendFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
};
