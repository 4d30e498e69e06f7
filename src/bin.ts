#!/usr/bin/env node
/** The process around `main`: its streams, its signals, its exit. */
import { createReadStream, fstatSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { isatty } from "node:tty";
import { wasClosed } from "./cli/io/closed-stream.js";
import type { Io, TextSink } from "./cli/io/command.js";
import { visibleText } from "./cli/io/visible-text.js";
import { errorText, main } from "./cli/main.js";
import { EXIT, type ExitCode, UserError } from "./errors.js";
import { fileReason } from "./file-reason.js";

const STDIN_FILENO = 0;

type Stream = NodeJS.WriteStream & { readonly fd: number };

/** What became of what was written to a stream. */
interface Watch {
  /** The first failure: a full disk, or a reader that has left before the end (`… | head -1`). */
  failure: NodeJS.ErrnoException | null;
  isUsed: boolean;
}

const watchWrites = (stream: Stream): Watch => {
  const watch: Watch = { failure: null, isUsed: false };
  stream.on("error", (error: NodeJS.ErrnoException) => {
    watch.failure ??= error;
  });
  return watch;
};

/** What a write to a descriptor that is not open fails with. */
const closedFault = (): NodeJS.ErrnoException => Object.assign(new Error("it is closed"), { code: "EBADF" });

const sinkOf = (stream: Stream, watch: Watch, isClosed: boolean): TextSink => ({
  write: (text) => {
    watch.isUsed = true;
    if (isClosed) watch.failure ??= closedFault();
    else stream.write(visibleText(text, isatty(stream.fd)));
  },
  isClosed,
  // A dumb terminal takes no escape sequences: it is written to as a file is.
  isTerminal: isatty(stream.fd) && process.env["TERM"] !== "dumb",
  get columns() {
    // A serial console says 0: it does not know.
    return stream.isTTY && stream.columns > 0 ? stream.columns : undefined;
  },
});

/** Standard input can be had once; `compare - -` would compare it with nothing. */
const stdinReader = (interrupted: AbortSignal): Io["stdin"] => {
  let taken = false;
  return () => {
    if (taken)
      throw new UserError('cannot read "-" twice: standard input is there once', "Put one of the inputs into a file.");
    taken = true;
    // Node takes a directory for a stream without a byte.
    const isDirectory = fstatSync(STDIN_FILENO).isDirectory();
    return addAbortSignal(interrupted, isDirectory ? createReadStream("", { fd: STDIN_FILENO }) : process.stdin);
  };
};

const SIGNALS = [
  ["SIGINT", EXIT.interrupted],
  ["SIGTERM", EXIT.terminated],
  // A closed terminal must not leave a scheduler loaded or a benchmark running.
  ["SIGHUP", EXIT.hungUp],
] as const;

/**
 * Within this time of the first, another signal is the same wish told twice: npm passes on the Ctrl-C that the terminal sent to
 * both, kernel and shell each tell of a closed terminal, systemd sends SIGHUP right after SIGTERM.
 */
const SAME_WISH_MSEC = 500;

/** The first signal asks for an early end with the full report, a later one ends at once. */
const signalDoor = (): Pick<Io, "interrupted" | "atOnce"> => {
  const controller = new AbortController();
  let firstMsec = 0;
  const listeners = SIGNALS.map(([signal, code]) => {
    const hear = (): void => {
      if (!controller.signal.aborted) {
        firstMsec = performance.now();
        controller.abort(code);
      } else if (performance.now() - firstMsec > SAME_WISH_MSEC) process.exit(code);
    };
    return { on: () => void process.on(signal, hear), off: () => void process.off(signal, hear) };
  });
  listeners.forEach(({ on }) => on());
  return {
    interrupted: controller.signal,
    // Without a listener, the kernel does what it does to every process: nothing of ours has to run for it.
    atOnce: (work) => {
      controller.signal.throwIfAborted();
      listeners.forEach(({ off }) => off());
      try {
        return work();
      } finally {
        listeners.forEach(({ on }) => on());
      }
    },
  };
};

const flushed = (stream: Stream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve());
  });

const sayLost = async (stream: Stream, name: string, failure: Error): Promise<void> => {
  stream.write(`schbench-ts: cannot write to ${name}: ${fileReason(failure, "write")}\n`);
  await flushed(stream);
};

/** Output that was lost is no success, and is told where something can still be told. */
const exitCodeAfter = async (outcome: ExitCode, stdout: Watch, stderr: Watch): Promise<ExitCode> => {
  await flushed(process.stdout);
  await flushed(process.stderr);
  if (stdout.failure !== null) {
    await sayLost(process.stderr, "standard output", stdout.failure);
    return EXIT.failure;
  }
  if (stderr.failure === null) return outcome;
  // A result may be on standard output, and must not be mixed with a message.
  if (!stdout.isUsed) await sayLost(process.stdout, "standard error", stderr.failure);
  return outcome === EXIT.ok ? EXIT.failure : outcome;
};

const dieWith = (text: string): void => {
  process.stderr.write(visibleText(text, isatty(process.stderr.fd)), () => process.exit(EXIT.failure));
};

/** The command line of this process, from its first word to the exit. */
const runProcess = async (): Promise<void> => {
  const stdout = watchWrites(process.stdout);
  const stderr = watchWrites(process.stderr);
  process.on("uncaughtException", (error) => {
    void errorText(error, process.argv.includes("--debug"), null).then(dieWith);
  });
  const signals = signalDoor();
  const io: Io = {
    stdout: sinkOf(process.stdout, stdout, wasClosed(process.stdout.fd)),
    stderr: sinkOf(process.stderr, stderr, wasClosed(process.stderr.fd)),
    stdin: stdinReader(signals.interrupted),
    env: process.env,
    ...signals,
  };
  const outcome = await main(process.argv.slice(2), io);
  process.exit(await exitCodeAfter(outcome, stdout, stderr));
};

// No await at the top: a CommonJS module, which this becomes, has none.
void runProcess();
