/** Runs a tool of the machine, such as objdump, and collects its output. Thin shell. */
import { spawn } from "node:child_process";
import type { Exec } from "../../codegen/inspect.js";
import { codeOf } from "../../file-reason.js";
import { cannotStart } from "../../start-fault.js";

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString();

/** Runs a tool and collects its output. */
export const runTool: Exec = (file, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.on("error", (error) => {
      if (codeOf(error) === "ENOENT") resolve({ kind: "missing" });
      else reject(cannotStart(file, error));
    });
    // A child that could not be started, as where no more files can be opened, has no streams either.
    if (child.pid === undefined) return;
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("close", (code) => {
      resolve({ kind: "ended", code, stdout: textOf(stdout), stderr: textOf(stderr) });
    });
  });
