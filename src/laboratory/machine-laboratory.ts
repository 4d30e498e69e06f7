/** The world of an experiment on this machine, with this package's own command: for the command and for a caller's program. */
import { hostname, release } from "node:os";
import { execute } from "./execute.js";
import type { Laboratory } from "../experiment/laboratory.js";
import { placeOf } from "./places.js";
import { startFault } from "./program-file.js";
import { SHELL } from "./group-keeper.js";
import { runShell } from "./shell-command.js";
import { PACKAGE_FILES } from "../package-files.js";
import { parseOutput } from "../parse/parse-output.js";
import { hostFiles } from "../platform/files.js";
import { packageVersion } from "../platform/package-version.js";
import { readSchedExt } from "../platform/sched-ext.js";

/** This machine. */
export const machineLaboratory: Omit<Laboratory, "append"> = {
  placeOf,
  engineCommand: (node) => [node ?? process.execPath, PACKAGE_FILES.command],
  execute,
  startFault,
  shellProgram: SHELL,
  shell: runShell,
  schedExt: async () => {
    const state = readSchedExt(hostFiles);
    return state.supported ? { name: state.name, loads: state.enableSeq } : null;
  },
  origin: () => ({
    bootId: hostFiles.readText("/proc/sys/kernel/random/boot_id")?.trim() ?? null,
    kernel: release(),
    hostname: hostname(),
    version: packageVersion(),
  }),
  nowMsec: () => Date.now(),
  parse: (text, file) => parseOutput(text, { file }),
};
