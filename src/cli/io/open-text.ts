/**
 * A file that a command was given, opened: what it begins with tells what it is, then it is read as a whole or line by line. A file on
 * disk may be of any length if it is read by lines; while that lasts, a terminal shows how far it is.
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { UserError } from "../../errors.js";
import { MAX_INPUT_BYTES } from "./collect-text.js";
import type { Io } from "./command.js";
import { type LineBatch, linesOfStream, linesOfText } from "./line-batches.js";
import { createLiveLine } from "./live-line.js";
import { readFault, readInput, STDIN } from "./read-input.js";

/** What is asked of the world to read. */
export type Reading = Pick<Io, "readStdin" | "interrupted" | "stderr">;

/** An input that is there to be read. */
export interface OpenText {
  /** The first characters, enough to tell what it is. */
  readonly head: string;
  /** Whether the whole text may be had. */
  readonly isShort: boolean;
  /** All of it; throws UserError for more than a text may hold. */
  readonly text: () => Promise<string>;
  /** By lines, in batches; throws what an interruption throws. May be gone through again. */
  readonly lines: () => AsyncGenerator<LineBatch>;
}

const HEAD_BYTES = 4096;
const CHUNK_BYTES = 1024 * 1024;
const MIB = 1024 * 1024;
const PATIENCE_MSEC = 500;
const REDRAW_MSEC = 200;

/** A file on disk has a length, and can be read twice; null: anything else, which is there once. */
const fileAt = (path: string): { readonly head: string; readonly bytes: number } | null => {
  const found = statSync(path);
  // A pipe that is opened to look at it would be closed again before it is read.
  if (!found.isFile()) return null;
  const fd = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(fd, head, 0, HEAD_BYTES, 0);
    return { head: head.toString("utf8", 0, length).replace(/^\uFEFF/, ""), bytes: found.size };
  } finally {
    closeSync(fd);
  }
};

async function* shownChunks(path: string, bytes: number, io: Reading): AsyncGenerator<Uint8Array> {
  const line = createLiveLine(io);
  const since = performance.now();
  let drawn = since + PATIENCE_MSEC - REDRAW_MSEC;
  let done = 0;
  try {
    const stream: AsyncIterable<Uint8Array> = addAbortSignal(
      io.interrupted,
      createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    );
    for await (const chunk of stream) {
      yield chunk;
      done += chunk.length;
      const now = performance.now();
      if (now - drawn < REDRAW_MSEC) continue;
      line.draw(`reading ${path}: ${Math.round(done / MIB)} of ${Math.round(bytes / MIB)} MiB`);
      drawn = now;
    }
  } finally {
    line.clear();
  }
}

async function* fileLines(path: string, bytes: number, io: Reading): AsyncGenerator<LineBatch> {
  try {
    yield* linesOfStream(shownChunks(path, bytes, io), (length) => {
      if (length > MAX_INPUT_BYTES)
        throw new UserError(
          `cannot read "${path}": it holds a line of more than ${MAX_INPUT_BYTES / MIB} MiB, which no output of schbench does`,
          "Cut out the part that schbench printed.",
        );
    });
  } catch (thrown) {
    throw readFault(path, thrown, io.interrupted);
  }
}

const inMemory = (text: string, { interrupted }: Reading): OpenText => ({
  head: text.slice(0, HEAD_BYTES),
  isShort: true,
  text: async () => text,
  lines: () => linesOfText(text, interrupted),
});

/**
 * Opens a file; `-` is standard input.
 *
 * @throws UserError for a file that cannot be read; AbortError when interrupted
 */
export const openText = async (path: string, io: Reading): Promise<OpenText> => {
  if (path === STDIN) return inMemory(await io.readStdin(), io);
  let file: ReturnType<typeof fileAt>;
  try {
    file = fileAt(path);
  } catch (thrown) {
    throw readFault(path, thrown, io.interrupted);
  }
  if (file === null) return inMemory(await readInput(path, io), io);
  const { head, bytes } = file;
  return {
    head,
    isShort: bytes <= MAX_INPUT_BYTES,
    text: () => readInput(path, io),
    lines: () => fileLines(path, bytes, io),
  };
};
