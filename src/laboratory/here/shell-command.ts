/**
 * Runs a shell command around a run. Its output goes to a file, not a pipe, and its end is the shell's own end: so a
 * command may leave a process in the background (`scx_rusty & sleep 2`) that lives on, writes on, and is not waited for.
 * The command leads a process group; who is left in it can be ended later. Thin shell; no upstream counterpart.
 */
import type { FileHandle } from "node:fs/promises";
import type { ShellCommand, ShellOutcome } from "../../experiment/laboratory.js";
import { SHELL, spawnKept } from "./group-keeper.js";
import { openNameless } from "./nameless-file.js";
import { endGroup, guardGroup, hasLiveMember } from "./process-group.js";
import { cannotStart } from "../../start-fault.js";

/** How much of the end of an output is kept: enough for the lines that an error shows. */
const KEPT_BYTES = 64 * 1024;

/** The last part of what a file holds. */
const endOf = async (file: FileHandle): Promise<string> => {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(KEPT_BYTES),
    0,
    KEPT_BYTES,
    Math.max(0, size - KEPT_BYTES),
  );
  return buffer.toString("utf8", 0, bytesRead);
};

/** Runs a command with /bin/sh and waits for the shell alone. Aborted, it gets SIGTERM, and is ended by force later. */
export const runShell = async (command: ShellCommand): Promise<ShellOutcome> => {
  const file = await openNameless();
  try {
    const child = spawnKept({
      program: SHELL,
      args: ["-c", command.script],
      stdio: ["ignore", file.fd, file.fd],
      env: { ...process.env, ...command.env },
      last: "SIGTERM",
    });
    const release = guardGroup(child.pid, "SIGTERM");
    const stop = () => {
      if (child.pid !== undefined) void endGroup(child.pid);
    };
    if (command.signal.aborted) stop();
    command.signal.addEventListener("abort", stop, { once: true });
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on("error", (error) => reject(cannotStart(SHELL, error)));
      child.on("exit", resolve);
    });
    command.signal.removeEventListener("abort", stop);
    const { pid } = child;
    const leftOvers = pid !== undefined && (await hasLiveMember(pid));
    if (!leftOvers) release();
    return {
      exitCode,
      output: await endOf(file),
      endLeftOvers: leftOvers ? () => endGroup(pid).finally(release) : null,
    };
  } finally {
    await file.close();
  }
};
