/** What a plan depends on besides the options: the CPUs of this machine, and what its scheduler grants. */
import { type CpusHere, readCpusHere } from "../limits/cpu-reach.js";
import type { Files } from "../files.js";
import { readSchedHere } from "../scheduler/sched-here.js";

/** This machine as a plan sees it. */
export type MachineHere = CpusHere & ReturnType<typeof readSchedHere>;

/** This machine for a plan; most files are read when they are needed. */
export const readMachineHere = (files: Files): MachineHere => ({ ...readCpusHere(files), ...readSchedHere(files) });
