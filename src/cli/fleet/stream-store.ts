/** An experiment's file that is standard output: written as runs land, never read. */
import type { StoreFiles } from "../../experiment/store.js";
import type { TextSink } from "../io/command.js";

/** What `-o` names for it. */
export const STREAM = "-";

/** The store on a stream; it begins anew every time. */
export const streamFiles = (stdout: TextSink): StoreFiles => ({
  lock: async () => async () => undefined,
  bytes: async () => 0,
  read: async () => null,
  truncate: async () => undefined,
  append: async (_path, text) => {
    if (text !== "") stdout.write(text);
  },
});
