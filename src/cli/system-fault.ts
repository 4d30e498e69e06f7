/**
 * Faults of the surroundings that can strike anywhere (no memory, no descriptors, no directory): a message and a remedy in
 * place of the runtime's own words, which would read like a fault of ours.
 */
import { UserError } from "../errors.js";
import { codeOf } from "../file-reason.js";

type Fault = readonly [message: string, remedy: string];

const FAULTS: Readonly<Record<string, Fault>> = {
  EMFILE: ["too many files are open", "Raise the limit of this process: ulimit -n 1024."],
  ENFILE: ["too many files are open on this machine", "Close other programs, or raise fs.file-max."],
  ENOMEM: ["there is not enough memory", "Raise ulimit -v, or use fewer threads (-m, -t) or a smaller footprint (-F)."],
  EAGAIN: ["no more processes or threads can be started", "Raise ulimit -u, or the limit of the cgroup (pids.max)."],
  ENOSPC: ["the disk is full", "Free some space, or write elsewhere."],
};

const CWD: Fault = ["the current directory no longer exists", "Change to one that does, with cd."];

/** What koffi says where none of the binaries in its packages loads. */
const NO_KOFFI = /\bnative Koffi module/u;

const KOFFI: Fault = [
  "koffi, which calls the C library, has no binary that loads here",
  "Install schbench-ts on this machine itself, with its optional packages (npm install without --omit=optional).",
];

const faultOf = (thrown: unknown): Fault | undefined => {
  if (!(thrown instanceof Error)) return undefined;
  if ("syscall" in thrown && thrown.syscall === "uv_cwd") return CWD;
  if (NO_KOFFI.test(thrown.message)) return KOFFI;
  const isMemory = thrown instanceof RangeError && /allocat/i.test(thrown.message);
  return FAULTS[isMemory ? "ENOMEM" : codeOf(thrown)];
};

/** What was thrown, or the error that says which fault of the surroundings it was. */
export const explainFault = (thrown: unknown): unknown => {
  const fault = thrown instanceof UserError ? undefined : faultOf(thrown);
  return fault === undefined ? thrown : new UserError(fault[0], fault[1], { cause: thrown });
};
