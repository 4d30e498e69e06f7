/** A command of ours, timed from outside: wall and CPU time, the largest resident set, how it ended. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { PACKAGE_FILES } from "../src/package-files.js";

const POLL_MSEC = 20;
/** Ticks of /proc/PID/stat: on Linux always this many to a second for user space. */
const TICKS_PER_SEC = 100;

/** What a command cost. */
export interface Timed {
  readonly sec: number;
  /** As last seen before the end. */
  readonly cpuSec: number;
  readonly peakBytes: number;
  readonly how: string;
  /** From the signal to the exit; null: none was sent. */
  readonly heardMsec: number | null;
}

const fileOf = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
};

const peakOf = (pid: number): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(fileOf(pid, "status"))?.[1] ?? 0) * 1024;

const cpuOf = (pid: number): number => {
  const fields = fileOf(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SEC;
};

/** Runs a command; `signalAfterMsec` interrupts it. */
export const timed = (words: readonly string[], signalAfterMsec: number | null = null): Promise<Timed> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(process.execPath, [PACKAGE_FILES.command, ...words], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    let [peakBytes, cpuSec] = [0, 0];
    let signalled: number | null = null;
    const poll = setInterval(() => {
      peakBytes = Math.max(peakBytes, peakOf(child.pid ?? 0));
      cpuSec = Math.max(cpuSec, cpuOf(child.pid ?? 0));
    }, POLL_MSEC);
    const interrupt =
      signalAfterMsec === null
        ? null
        : setTimeout(() => {
            signalled = performance.now();
            child.kill("SIGINT");
          }, signalAfterMsec);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const ended = performance.now();
      clearInterval(poll);
      if (interrupt !== null) clearTimeout(interrupt);
      resolve({
        sec: (ended - began) / 1000,
        cpuSec,
        peakBytes,
        how: signal ?? `exit ${code}`,
        heardMsec: signalled === null ? null : ended - signalled,
      });
    });
  });
