/** What the commands that run experiments are handed: the real machine here, a made-up one in a test. */
import { appendFile } from "node:fs/promises";
import type { Keeping, Laboratory, Place } from "../../experiment/laboratory.js";
import type { Whereabouts } from "../../experiment/whereabouts.js";
import type { StoreFiles } from "../../experiment/store.js";
import { checkTape } from "../../fingerprint/foreign-tape.js";
import { storeFiles } from "../../laboratory/here/store-files.js";
import type { CodeCheck } from "../../validate/validation.js";
import { machineLaboratory } from "../../laboratory/machine-laboratory.js";
import { checkCode } from "./code-check.js";
import { openFile, refuseUnwritable } from "./output-file.js";

/** The machine as the commands see it. */
export interface ExperimentWorld extends Omit<Laboratory, "append" | "placeOf"> {
  /** The place with these whereabouts, for an experiment that is kept there. */
  readonly placeOf: (where: Whereabouts, keeping: Keeping) => Place;
  readonly storeFiles: StoreFiles;
  /** Throws UserError where a file cannot be written; makes none. */
  readonly refuseUnwritable: (path: string) => void;
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** Adds to the end of a file that may be there. */
  readonly appendText: (path: string, text: string) => Promise<void>;
  /** Throws UserError, before anything runs, where the kernel's trace of subjects is not to be had. */
  readonly checkTracing: () => Promise<void>;
  /** What the machine code of our engine and of some reference binaries shows. */
  readonly checkCode: (references: readonly { name: string; path: string }[]) => Promise<readonly CodeCheck[]>;
}

/** This machine. */
export const hostWorld: ExperimentWorld = {
  ...machineLaboratory,
  storeFiles,
  refuseUnwritable,
  writeText: (path, text) => openFile(path).write(text),
  appendText: (path, text) => appendFile(path, text),
  checkTracing: checkTape,
  checkCode,
};
