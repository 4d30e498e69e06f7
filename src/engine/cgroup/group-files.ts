/** The files of control groups: what is done to them, behind one small record, so that a test can be its own kernel. */
import { closeSync, mkdirSync, openSync, rmdirSync, writeFileSync } from "node:fs";
import { hostFiles } from "../../platform/files.js";
import type { Files } from "../../platform/files.js";

/** Reads and changes control groups; every change throws what the file system throws, with its code. */
export interface GroupFiles extends Pick<Files, "readText" | "list"> {
  readonly write: (path: string, text: string) => void;
  readonly makeFolder: (path: string) => void;
  readonly removeFolder: (path: string) => void;
  /** Opens a file for writing; the descriptor. */
  readonly open: (path: string) => number;
  readonly close: (fd: number) => void;
}

/** Those of this machine. */
export const hostGroupFiles: GroupFiles = {
  readText: hostFiles.readText,
  list: hostFiles.list,
  // The kernel takes what one write brings; the file is there or is not made.
  write: (path, text) => writeFileSync(path, text, { flag: "r+" }),
  makeFolder: (path) => {
    mkdirSync(path);
  },
  removeFolder: (path) => rmdirSync(path),
  open: (path) => openSync(path, "w"),
  close: closeSync,
};
