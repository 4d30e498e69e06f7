#!/usr/bin/env node
/** The process around `main`: its streams, its signals, its exit. */
import type { WriteStream } from "node:tty";
import type { Io, TextSink } from "./cli/command.js";
import { main } from "./cli/main.js";
import { EXIT, type ExitCode } from "./errors.js";

type Stream = NodeJS.WriteStream | WriteStream;

/** A reader that went away (`… | head -1`) is no reason to fail: what is left unsaid is dropped. */
const tolerateClosedPipe = (stream: Stream): void => {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
};

const sinkOf = (stream: Stream): TextSink => ({
  write: (text) => {
    stream.write(text);
  },
  isTerminal: stream.isTTY,
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

tolerateClosedPipe(process.stdout);
tolerateClosedPipe(process.stderr);
const io: Io = {
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
  readStdin,
  env: process.env,
  interrupted: abortOnSignals(),
};
const code = await main(process.argv.slice(2), io);
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(code);
