/** An Io that keeps what a command prints: for tests that run one in their own process. */
import { Readable } from "node:stream";
import type { Io, TextSink } from "../../../src/cli/io/command.js";

/** Streams into memory. */
export interface CapturedIo {
  readonly io: Io;
  /** What was printed so far. */
  readonly printed: () => { readonly stdout: string; readonly stderr: string };
}

const sinkOf = (lines: string[]): TextSink => ({
  write: (text) => void lines.push(text),
  isTerminal: false,
  columns: undefined,
});

/** No terminal, an empty environment, never interrupted. */
export const capturedIo = (stdin = ""): CapturedIo => {
  const out: string[] = [];
  const err: string[] = [];
  return {
    io: {
      stdout: sinkOf(out),
      stderr: sinkOf(err),
      stdin: () => Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]),
      atOnce: (work) => work(),
      env: {},
      interrupted: new AbortController().signal,
    },
    printed: () => ({ stdout: out.join(""), stderr: err.join("") }),
  };
};
