/** The built command in a child process. */
import { spawn } from "node:child_process";
import { PACKAGE_FILES } from "../../src/package-files.js";

/** What a command left behind. */
export interface Finished {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command under way. */
export interface Running {
  readonly pid: number;
  readonly finished: Promise<Finished>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves once stderr or stdout contains the text. */
  readonly says: (text: string) => Promise<void>;
}

/** No command of a test takes longer than this; a hang becomes a failure. */
const PATIENCE_MSEC = 90_000;

/** Options of a start besides the words. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly nodeFlags?: readonly string[];
  /** A command that runs it, such as `taskset -c 0`. */
  readonly wrapper?: readonly string[];
  /** A program in place of Node and the built command, such as the single executable. */
  readonly program?: string;
  /** Ended by force after so long. */
  readonly patienceMsec?: number;
}

/** Starts `schbench-ts` with these words. */
export const startCommand = (words: readonly string[], options: StartOptions = {}): Running => {
  const line = [
    ...(options.wrapper ?? []),
    ...(options.program === undefined
      ? [process.execPath, ...(options.nodeFlags ?? []), PACKAGE_FILES.command]
      : [options.program]),
    ...words,
  ];
  const child = spawn(line[0] ?? "", line.slice(1), {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: options.cwd,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...options.env },
  });
  let stdout = "";
  let stderr = "";
  const listeners = new Set<() => void>();
  const heard = (): void => listeners.forEach((listener) => listener());
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    heard();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    heard();
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), options.patienceMsec ?? PATIENCE_MSEC);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr });
    });
  });
  return {
    pid: child.pid ?? 0,
    finished,
    kill: (signal) => void child.kill(signal),
    says: (text) =>
      new Promise((resolve) => {
        const listener = (): void => {
          if (!stdout.includes(text) && !stderr.includes(text)) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
        listener();
      }),
  };
};

/** Runs `schbench-ts` with these words to its end. */
export const runCommand = (words: readonly string[], options: StartOptions = {}): Promise<Finished> =>
  startCommand(words, options).finished;
