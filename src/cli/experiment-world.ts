/** What the commands that run experiments are handed: the real machine here, a made-up one in a test. */
import { execute } from "../experiment/execute.js";
import type { Laboratory } from "../experiment/laboratory.js";
import { runShell } from "../experiment/shell-command.js";
import type { StoreFiles } from "../experiment/store.js";
import { storeFiles } from "../experiment/store-files.js";
import type { CodeCheck } from "../experiment/validation.js";
import { PACKAGE_FILES } from "../package-files.js";
import { parseOutput } from "../parse/parse-output.js";
import { hostFiles } from "../platform/files.js";
import { readSchedExt } from "../platform/sched-ext.js";
import { checkCode } from "./code-check.js";
import { openFile } from "./output-file.js";

/** The machine as the commands see it. */
export interface ExperimentWorld extends Omit<Laboratory, "append"> {
  readonly storeFiles: StoreFiles;
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** What the machine code of our engine and of some reference binaries shows. */
  readonly checkCode: (references: readonly { name: string; path: string }[]) => Promise<readonly CodeCheck[]>;
}

/** This machine. */
export const hostWorld: ExperimentWorld = {
  engineCommand: (node) => [node ?? process.execPath, PACKAGE_FILES.command],
  execute,
  shell: runShell,
  schedExt: async () => {
    const state = readSchedExt(hostFiles);
    return state.supported ? { name: state.name, loads: state.enableSeq } : null;
  },
  nowMsec: () => Date.now(),
  parse: (text, source) => parseOutput(text, { file: source }),
  storeFiles,
  writeText: (path, text) => openFile(path).write(text),
  checkCode,
};
