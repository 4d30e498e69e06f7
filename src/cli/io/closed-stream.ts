/**
 * Whether standard output or error was closed when the program started. Node opens /dev/null in such a place, for reading and
 * writing; so do other languages for output that their programs want thrown away, which is no fault. Only the program that
 * started this one tells them apart.
 */
import { constants, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Programs that never open /dev/null for reading and writing: what they do not have, they have closed. */
const SHELLS_AND_WRAPPERS: ReadonlySet<string> = new Set([
  "sh",
  "ash",
  "bash",
  "busybox",
  "dash",
  "fish",
  "ksh",
  "mksh",
  "zsh",
  "perf",
  "strace",
  "time",
  "timeout",
]);

const isNullForBoth = (process: string, fd: string): boolean => {
  const flags = /^flags:\s*0*([0-7]+)$/m.exec(readFileSync(`/proc/${process}/fdinfo/${fd}`, "utf8"));
  const access = Number.parseInt(flags?.[1] ?? "0", 8) & (constants.O_RDWR | constants.O_WRONLY);
  return access === constants.O_RDWR && readlinkSync(`/proc/${process}/fd/${fd}`) === "/dev/null";
};

/** Whether the parent handed it on: a script may itself have been started with its output thrown away. */
const isInherited = (parent: string): boolean =>
  readdirSync(`/proc/${parent}/fd`).some((fd) => isNullForBoth(parent, fd));

/** Whether this stream was closed before the program started; false where that cannot be told. */
export const wasClosed = (fd: number, parentPid: number = process.ppid): boolean => {
  try {
    if (!isNullForBoth("self", String(fd))) return false;
    const parent = String(parentPid);
    return SHELLS_AND_WRAPPERS.has(basename(readlinkSync(`/proc/${parent}/exe`))) && !isInherited(parent);
  } catch {
    return false;
  }
};
