/**
 * Reads of /proc and /sys behind one small record, so that every reader of them can be tested against a whole machine
 * written down as a table of paths. Upstream counterpart: the fopen calls in read_sched_delay and print_sched_ext_info.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, readdirSync } from "node:fs";

/** What is read from the kernel's file systems; `hostFiles` reads this machine's, a test hands in its own. */
export interface Files {
  /**
   * Text of a file, or null where it cannot be read.
   *
   * @param maxBytes stop after so many bytes; the kernel then makes only the first part of a long file
   */
  readonly readText: (path: string, maxBytes?: number) => string | null;
  /** Text of a gzip file, such as /proc/config.gz, or null. */
  readonly readGzipText: (path: string) => string | null;
  /** Names in a folder, unsorted; empty where there is no such folder. */
  readonly list: (path: string) => readonly string[];
  readonly exists: (path: string) => boolean;
}

// One buffer for all reads: a thousand threads are read in a row at the end of a run. Reads are synchronous, so no
// two of them are ever under way in one JavaScript thread.
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

const readText = (path: string, maxBytes = Number.POSITIVE_INFINITY): string | null => {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    let text = "";
    let total = 0;
    let filled = 0;
    while (total < maxBytes) {
      const got = readSync(fd, buffer, filled, Math.min(buffer.length - filled, maxBytes - total), null);
      if (got === 0) break;
      total += got;
      filled += got;
      if (filled === buffer.length) {
        text += buffer.toString("utf8", 0, filled);
        filled = 0;
      }
    }
    return text + buffer.toString("utf8", 0, filled);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
};

/** The files of the machine this process runs on. */
export const hostFiles: Files = {
  readText,
  readGzipText: (path) => {
    try {
      // Loaded here: a run never comes this way.
      return process.getBuiltinModule("node:zlib").gunzipSync(readFileSync(path)).toString("utf8");
    } catch {
      return null;
    }
  },
  list: (path) => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  },
  exists: existsSync,
};

/** The trimmed text of a file with one value in it; null where it is missing or empty. */
export const readValue = (files: Files, path: string): string | null => {
  const text = files.readText(path, 4096)?.trim();
  return text === undefined || text === "" ? null : text;
};

/** A file with one whole number in it; null where it is missing, or holds something else, such as `max`. */
export const readNumber = (files: Files, path: string): number | null => {
  const text = readValue(files, path);
  return text !== null && /^-?\d+$/u.test(text) ? Number(text) : null;
};

/** The value after `name:` (or `name =`, or a space) at the start of a line; null where there is no such line. */
export const fieldOf = (text: string, name: string): string | null => {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end === -1 ? text.length : end);
    if (line.startsWith(name) && /^[\s:=]/u.test(line.slice(name.length))) {
      return line
        .slice(name.length)
        .replace(/^[\s:=]+/u, "")
        .trim();
    }
    if (end === -1) return null;
    start = end + 1;
  }
  return null;
};
