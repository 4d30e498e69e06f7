/**
 * Runs a benchmark process to its end and keeps what it printed. The process leads a group of its own, so that a Ctrl-C
 * reaches it once and through us, and so that what it started ends with it. Thin shell; no upstream counterpart.
 */
import { UserError } from "../../errors.js";
import type { Execution, Invocation } from "../../experiment/laboratory.js";
import { spawnKept } from "./group-keeper.js";
import { guardGroup, signalGroup } from "./process-group.js";
import { hostFiles } from "../../platform/files.js";
import { startTape } from "../../fingerprint/foreign-tape.js";
import { type Watched, watchGroup } from "./watch-group.js";
import { startFault } from "./program-file.js";
import { cannotStart } from "../../start-fault.js";

/** How long an interrupted program may take to end by itself. */
const GRACE_MSEC = 7000;

/** No benchmark prints as much; a program that does is something else, such as `yes`. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

const collect = (stream: NodeJS.ReadableStream | null, tooMuch: () => void): (() => string) => {
  const chunks: string[] = [];
  let length = 0;
  stream?.setEncoding("utf8");
  stream?.on("data", (chunk: string) => {
    length += chunk.length;
    if (length <= MAX_CHARACTERS) chunks.push(chunk);
    else tooMuch();
  });
  return () => chunks.join("");
};

/** Runs a program; throws UserError when it cannot be started. */
export const execute = async (invocation: Invocation): Promise<Execution> => {
  const [program = "", ...args] = invocation.command;
  const fault = await startFault(program, invocation.env);
  if (fault !== null) throw cannotStart(program, fault);
  // It records what its processes create, so it is there before them.
  const tape = invocation.watch?.traced === true ? await startTape() : null;
  return new Promise((resolve, reject) => {
    const child = spawnKept({
      program,
      args,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...invocation.env },
      last: "SIGKILL",
    });
    const release = guardGroup(child.pid, "SIGKILL");
    const ended = new AbortController();
    const watching: Promise<Watched> =
      invocation.watch === null || child.pid === undefined
        ? Promise.resolve(() => null)
        : watchGroup(hostFiles, { group: child.pid, runtimeSec: invocation.watch.runtimeSec, tape }, ended.signal);
    const timers: NodeJS.Timeout[] = [];
    let timedOut = false;
    let printedTooMuch = false;
    const endByForce = () => signalGroup(child.pid, "SIGKILL");
    const refuseFlood = () => {
      printedTooMuch = true;
      endByForce();
    };
    const stdout = collect(child.stdout, refuseFlood);
    const stderr = collect(child.stderr, refuseFlood);
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
      ended.abort();
      release();
      timers.forEach(clearTimeout);
      invocation.signal.removeEventListener("abort", interrupt);
    };
    child.on("error", (error) => {
      settle();
      tape?.remove();
      reject(cannotStart(program, error));
    });
    child.on("close", (exitCode, endedBy) => {
      settle();
      if (printedTooMuch)
        reject(
          new UserError(
            `"${invocation.command.join(" ")}" was stopped: it printed more than ${MAX_CHARACTERS / 1024 / 1024} MiB`,
            "A subject is a program that prints a schbench report.",
          ),
        );
      void watching
        .finally(() => tape?.remove())
        .then((fingerprint) =>
          resolve({ exitCode, endedBy, timedOut, stdout: stdout(), stderr: stderr(), fingerprint }),
        );
    });
  });
};
