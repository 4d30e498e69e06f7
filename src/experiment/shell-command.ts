/**
 * Runs a shell command around a run. Its output goes to a file, not a pipe, and its end is the shell's own end: so a
 * command may leave a process in the background (`scx_rusty & sleep 2`) that lives on, writes on, and is not waited for.
 * The command leads a process group; who is left in it can be ended later. Thin shell; no upstream counterpart.
 */
import { spawn } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ShellCommand, ShellOutcome } from "./laboratory.js";
import { endGroup, guardGroup, signalGroup } from "./process-group.js";

/** Runs a command with /bin/sh and waits for the shell alone. */
export const runShell = async (command: ShellCommand): Promise<ShellOutcome> => {
  const folder = await mkdtemp(join(tmpdir(), "schbench-ts-"));
  const path = join(folder, "output");
  const file = await open(path, "w");
  try {
    const child = spawn("/bin/sh", ["-c", command.script], {
      detached: true,
      stdio: ["ignore", file.fd, file.fd],
      env: { ...process.env, ...command.env },
    });
    const release = guardGroup(child.pid, "SIGTERM");
    const stop = () => signalGroup(child.pid, "SIGTERM");
    if (command.signal.aborted) stop();
    command.signal.addEventListener("abort", stop, { once: true });
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", resolve);
    });
    command.signal.removeEventListener("abort", stop);
    const { pid } = child;
    const leftOvers = pid !== undefined && signalGroup(pid, 0);
    if (!leftOvers) release();
    return {
      exitCode,
      output: await readFile(path, "utf8"),
      endLeftOvers: leftOvers ? () => endGroup(pid).finally(release) : null,
    };
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
};
