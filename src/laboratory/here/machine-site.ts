/** The site here: programs, shell commands and the scheduler of this machine, with this package's own command. */
import { hostname, release } from "node:os";
import type { Site } from "../../experiment/laboratory.js";
import { PACKAGE_FILES } from "../../package-files.js";
import { hostFiles } from "../../platform/files.js";
import { packageVersion } from "../../platform/package-version.js";
import { readSchedExt } from "../../platform/scheduler/sched-ext.js";
import { execute } from "./execute.js";
import { SHELL } from "./group-keeper.js";
import { startFault } from "./program-file.js";
import { runShell } from "./shell-command.js";

/** This machine. */
export const machineSite: Site = {
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
};
