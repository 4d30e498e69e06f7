/**
 * A file that a command was given, opened: what it begins with tells what it is, then it is read as a whole or line by line. What is
 * read by lines may be of any length; while that lasts, a terminal shows how far it is.
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { UserError } from "../../errors.js";
import { collectText, MAX_INPUT_BYTES } from "./collect-text.js";
import type { Io } from "./command.js";
import { type LineBatch, linesOfStream } from "../../line-batches.js";
import { createLiveLine } from "./live-line.js";
import { openBytes, readFault, readInput, STDIN } from "./read-input.js";
import { replayed } from "./replayed.js";

/** What is asked of the world to read. */
export type Reading = Pick<Io, "stdin" | "interrupted" | "stderr">;

/** An input that is there to be read. */
export interface OpenText {
  /** The first characters, enough to tell what it is. */
  readonly head: string;
  /** Whether the whole text may be had, and the lines once more; of a pipe only as long as it has not proved to be a long one. */
  readonly isShort: () => boolean;
  /** All of it; throws UserError for more than a text may hold. */
  readonly text: () => Promise<string>;
  /** By lines, in batches; throws what an interruption throws. */
  readonly lines: () => AsyncGenerator<LineBatch>;
}

const HEAD_BYTES = 4096;
const CHUNK_BYTES = 1024 * 1024;
const MIB = 1024 * 1024;
/** So much of a pipe is kept, in case that it is no file of lines; such a one shows in its first lines. */
const REPLAYED_BYTES = 16 * MIB;
const PATIENCE_MSEC = 500;
const REDRAW_MSEC = 200;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");

/** A file on disk has a length, and can be read twice; null: anything else, which is there once. */
const fileAt = (path: string): { readonly head: string; readonly bytes: number } | null => {
  const found = statSync(path);
  // A pipe that is opened to look at it would be closed again before it is read.
  if (!found.isFile()) return null;
  const fd = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(fd, head, 0, HEAD_BYTES, 0);
    return { head: textOf(head.subarray(0, length)), bytes: found.size };
  } finally {
    closeSync(fd);
  }
};

async function* shown(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  bytes: number | null,
  io: Reading,
): AsyncGenerator<Uint8Array> {
  const line = createLiveLine(io);
  const since = performance.now();
  const all = bytes === null ? "" : ` of ${Math.round(bytes / MIB)}`;
  let drawn = since + PATIENCE_MSEC - REDRAW_MSEC;
  let done = 0;
  try {
    for await (const chunk of chunks) {
      yield chunk;
      done += chunk.length;
      const now = performance.now();
      if (now - drawn < REDRAW_MSEC) continue;
      line.draw(`reading ${path}: ${Math.round(done / MIB)}${all} MiB`);
      drawn = now;
    }
  } finally {
    line.clear();
  }
}

/** @param bytes how long it is; null: nobody knows */
async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  bytes: number | null,
  io: Reading,
): AsyncGenerator<LineBatch> {
  try {
    yield* linesOfStream(shown(chunks, path, bytes, io), (length) => {
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

/** A pipe or a device: there once. */
const openOnce = async (path: string, io: Reading): Promise<OpenText> => {
  try {
    const input = replayed(openBytes(path, io), REPLAYED_BYTES);
    const head = await input.head(HEAD_BYTES);
    return {
      head: textOf(head),
      isShort: input.isWhole,
      text: () =>
        collectText(input.chunks(), path).catch((thrown: unknown) => {
          throw readFault(path, thrown, io.interrupted);
        }),
      lines: () => linesOf(input.chunks(), path, null, io),
    };
  } catch (thrown) {
    throw readFault(path, thrown, io.interrupted);
  }
};

/**
 * Opens a file; `-` is standard input.
 *
 * @throws UserError for a file that cannot be read; AbortError when interrupted
 */
export const openText = async (path: string, io: Reading): Promise<OpenText> => {
  if (path === STDIN) return openOnce(path, io);
  let file: ReturnType<typeof fileAt>;
  try {
    file = fileAt(path);
  } catch (thrown) {
    throw readFault(path, thrown, io.interrupted);
  }
  if (file === null) return openOnce(path, io);
  const { head, bytes } = file;
  const chunks = () => addAbortSignal(io.interrupted, createReadStream(path, { highWaterMark: CHUNK_BYTES }));
  return {
    head,
    isShort: () => bytes <= MAX_INPUT_BYTES,
    text: () => readInput(path, io),
    lines: () => linesOf(chunks(), path, bytes, io),
  };
};
