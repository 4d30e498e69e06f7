#!/usr/bin/env node
/** The process around `main`: its streams, its signals, its exit. */
import { isatty } from "node:tty";
import type { Io, TextSink } from "./cli/command.js";
import { errorText, main } from "./cli/main.js";
import { EXIT, type ExitCode } from "./errors.js";

type Stream = NodeJS.WriteStream & { readonly fd: number };

/**
 * Watches for failing writes. A reader that went away (`… | head -1`) is no reason to fail: what is left unsaid is
 * dropped. A full disk is: the first failure is kept for the end.
 */
const watchWrites = (stream: Stream): { failure: NodeJS.ErrnoException | null } => {
  const watch: { failure: NodeJS.ErrnoException | null } = { failure: null };
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") watch.failure ??= error;
  });
  return watch;
};

const sinkOf = (stream: Stream): TextSink => ({
  write: (text) => {
    stream.write(text);
  },
  isTerminal: isatty(stream.fd),
  get columns() {
    return stream.isTTY ? stream.columns : undefined;
  },
});

const readStdin = async (): Promise<string> => {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) text += String(chunk);
  return text;
};

/** The first signal asks for an early end with the full report, the second ends at once. */
const abortOnSignals = (): AbortSignal => {
  const controller = new AbortController();
  const on = (signal: NodeJS.Signals, code: ExitCode) =>
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(code);
      controller.abort(code);
    });
  on("SIGINT", EXIT.interrupted);
  on("SIGTERM", EXIT.terminated);
  return controller.signal;
};

const flushed = (stream: Stream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve());
  });

const dieWith = (text: string): void => {
  process.stderr.write(text, () => process.exit(EXIT.failure));
};

const stdout = watchWrites(process.stdout);
watchWrites(process.stderr);
process.on("uncaughtException", (error) => {
  void errorText(error, process.argv.includes("--debug"), null).then(dieWith);
});
const io: Io = {
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
  readStdin,
  env: process.env,
  interrupted: abortOnSignals(),
};
const outcome = await main(process.argv.slice(2), io);
await flushed(process.stdout);
if (stdout.failure !== null)
  process.stderr.write(`schbench-ts: cannot write to standard output: ${stdout.failure.message}\n`);
await flushed(process.stderr);
process.exit(stdout.failure === null ? outcome : EXIT.failure);
