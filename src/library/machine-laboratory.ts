/** The world of an experiment that a caller's program conducts: this machine, and this package's own command. */
import { execute } from "../experiment/execute.js";
import type { Laboratory } from "../experiment/laboratory.js";
import { runShell } from "../experiment/shell-command.js";
import { PACKAGE_FILES } from "../package-files.js";
import { parseOutput } from "../parse/parse-output.js";
import { hostFiles } from "../platform/files.js";
import { readSchedExt } from "../platform/sched-ext.js";

/** This machine; what lands in the experiment is handed to `append`. */
export const machineLaboratory = (append: Laboratory["append"]): Laboratory => ({
  engineCommand: (node) => [node ?? process.execPath, PACKAGE_FILES.command],
  execute,
  shell: runShell,
  schedExt: async () => {
    const state = readSchedExt(hostFiles);
    return state.supported ? { name: state.name, loads: state.enableSeq } : null;
  },
  nowMsec: () => Date.now(),
  parse: (text, file) => parseOutput(text, { file }),
  append,
});
