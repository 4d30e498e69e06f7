#!/usr/bin/env node
/** The process around `main`: its streams, its signals, its exit. */
import { addAbortSignal } from "node:stream";
import { isatty } from "node:tty";
import { collectText } from "./cli/io/collect-text.js";
import type { Io, TextSink } from "./cli/io/command.js";
import { errorText, main } from "./cli/main.js";
import { EXIT, type ExitCode, UserError } from "./errors.js";
import { fileReason } from "./file-reason.js";

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
  // A dumb terminal takes no escape sequences: it is written to as a file is.
  isTerminal: isatty(stream.fd) && process.env["TERM"] !== "dumb",
  get columns() {
    // A serial console says 0: it does not know.
    return stream.isTTY && stream.columns > 0 ? stream.columns : undefined;
  },
});

/** Standard input can be had once; `compare - -` would compare it with nothing. */
const stdinReader = (interrupted: AbortSignal): (() => Promise<string>) => {
  let taken = false;
  return async () => {
    if (taken)
      throw new UserError('cannot read "-" twice: standard input is there once', "Put one of the inputs into a file.");
    taken = true;
    return collectText(addAbortSignal(interrupted, process.stdin), "-");
  };
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
  // A closed terminal must not leave a scheduler loaded or a benchmark running.
  on("SIGHUP", EXIT.hungUp);
  return controller.signal;
};

const flushed = (stream: Stream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve());
  });

const dieWith = (text: string): void => {
  process.stderr.write(text, () => process.exit(EXIT.failure));
};

/** The command line of this process, from its first word to the exit. */
const runProcess = async (): Promise<void> => {
  const stdout = watchWrites(process.stdout);
  watchWrites(process.stderr);
  process.on("uncaughtException", (error) => {
    void errorText(error, process.argv.includes("--debug"), null).then(dieWith);
  });
  const interrupted = abortOnSignals();
  const io: Io = {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    readStdin: stdinReader(interrupted),
    env: process.env,
    interrupted,
  };
  const outcome = await main(process.argv.slice(2), io);
  await flushed(process.stdout);
  if (stdout.failure !== null)
    process.stderr.write(`schbench-ts: cannot write to standard output: ${fileReason(stdout.failure, "write")}\n`);
  await flushed(process.stderr);
  process.exit(stdout.failure === null ? outcome : EXIT.failure);
};

// No await at the top: a CommonJS module, which this becomes, has none.
void runProcess();
