/**
 * Runs a benchmark process to its end and keeps what it printed. The process leads a group of its own, so that a Ctrl-C
 * reaches it once and through us, and so that what it started ends with it. Thin shell; no upstream counterpart.
 */
import { spawn } from "node:child_process";
import { messageOf, UserError } from "../errors.js";
import type { Execution, Invocation } from "./laboratory.js";
import { guardGroup, signalGroup } from "./process-group.js";

/** How long an interrupted program may take to end by itself. */
const GRACE_MSEC = 7000;

const collect = (stream: NodeJS.ReadableStream): (() => string) => {
  const chunks: string[] = [];
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => chunks.push(chunk));
  return () => chunks.join("");
};

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program",
  EACCES: "it may not be executed",
  ENOEXEC: "it is not a program for this machine",
};

const reasonOf = (error: Error): string => REASONS["code" in error ? String(error.code) : ""] ?? messageOf(error);

/** Runs a program; throws UserError when it cannot be started. */
export const execute = (invocation: Invocation): Promise<Execution> =>
  new Promise((resolve, reject) => {
    const [program = "", ...args] = invocation.command;
    const child = spawn(program, args, {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...invocation.env },
    });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const release = guardGroup(child.pid, "SIGKILL");
    const timers: NodeJS.Timeout[] = [];
    let timedOut = false;
    const endByForce = () => signalGroup(child.pid, "SIGKILL");
    const interrupt = () => {
      signalGroup(child.pid, "SIGINT");
      timers.push(setTimeout(endByForce, GRACE_MSEC));
    };
    if (invocation.timeoutMsec !== null)
      timers.push(
        setTimeout(() => {
          timedOut = true;
          endByForce();
        }, invocation.timeoutMsec),
      );
    if (invocation.signal.aborted) interrupt();
    invocation.signal.addEventListener("abort", interrupt, { once: true });
    const settle = () => {
      release();
      timers.forEach(clearTimeout);
      invocation.signal.removeEventListener("abort", interrupt);
    };
    child.on("error", (error) => {
      settle();
      reject(
        new UserError(
          `cannot start "${program}": ${reasonOf(error)}`,
          "Give the path of an executable file, or a name that is on the PATH.",
          { cause: error },
        ),
      );
    });
    child.on("close", (exitCode, endedBy) => {
      settle();
      resolve({ exitCode, endedBy, timedOut, stdout: stdout(), stderr: stderr() });
    });
  });
