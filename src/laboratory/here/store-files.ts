/** The file operations of a store, on the real file system; what goes wrong is the user's to mend. */
import { constants, createReadStream } from "node:fs";
import { open, readFile, stat, truncate, unlink } from "node:fs/promises";
import { UserError } from "../../errors.js";
import { codeOf, fileReason } from "../../file-reason.js";
import type { StoreFiles } from "../../experiment/store.js";
import { type LineBatch, linesOfStream } from "../../line-batches.js";

const failed = (what: "read" | "write", path: string, thrown: unknown): UserError =>
  new UserError(`cannot ${what} "${path}": ${fileReason(thrown, what)}`, "Name another file.", {
    cause: thrown,
  });

const writing = async (path: string, operation: () => Promise<void>): Promise<void> => {
  try {
    await operation();
  } catch (thrown) {
    throw failed("write", path, thrown);
  }
};

/** Neither endless (`/dev/zero`) nor waiting for somebody (a pipe): only such files can be gone on with. */
const holdsRuns = async (path: string): Promise<boolean> => {
  const found = await stat(path);
  if (found.isFIFO() || found.isSocket())
    throw new UserError(`cannot write "${path}": it is a pipe, and runs are kept in a file`, "Name another file.");
  return !found.isCharacterDevice();
};

// O_NONBLOCK: a pipe that nobody reads is an error, not a wait that cannot be interrupted.
const APPEND_AT_ONCE = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK;

/** Times of the processes are counted from the boot in these, the kernel's user clock. */
const TICKS_PER_SEC = 100;

const CHUNK_BYTES = 1024 * 1024;
/** No run of ours takes as much. */
const MOST_LINE_BYTES = 256 * CHUNK_BYTES;

const readIfThere = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

/** Who has a file locked, as /proc tells; null: it does not. */
const holderOf = async (inode: bigint): Promise<string | null> => {
  const locks = await readIfThere("/proc/locks");
  const pid = locks
    .split("\n")
    .map((line) => /^\d+: FLOCK +ADVISORY +WRITE (\d+) [\da-f]+:[\da-f]+:(\d+) /.exec(line))
    .find((found) => found?.[2] === String(inode))?.[1];
  if (pid === undefined) return null;
  const command = (await readIfThere(`/proc/${pid}/cmdline`)).split("\0").filter((word) => word !== "");
  const fields = (await readIfThere(`/proc/${pid}/stat`)).split(") ").at(-1)?.split(" ") ?? [];
  const boot = /^btime (\d+)$/m.exec(await readIfThere("/proc/stat"))?.[1];
  const started = boot === undefined ? Number.NaN : Number(boot) + Number(fields[19]) / TICKS_PER_SEC;
  const since = Number.isFinite(started) ? `, since ${new Date(started * 1000).toISOString().slice(0, 19)}Z` : "";
  return `process ${pid}${command.length === 0 ? "" : ` (${command.join(" ").slice(0, 200)})`}${since}`;
};

const lockAt = async (path: string): Promise<(() => Promise<void>) | "again"> => {
  const isThere = await stat(path).then(
    (found) => (found.isFile() ? "file" : "other"),
    (thrown: unknown) => (codeOf(thrown) === "ENOENT" ? "nothing" : "other"),
  );
  // What is no file is refused or passed over when it is read.
  if (isThere === "other") return async () => undefined;
  const { lockFile } = await import("../../platform/libc.js");
  const file = await open(path, constants.O_RDONLY | constants.O_CREAT | constants.O_NONBLOCK, 0o666);
  const { ino } = await file.stat({ bigint: true });
  if (!lockFile(file.fd)) {
    await file.close();
    const holder = await holderOf(ino);
    throw new UserError(
      `cannot keep runs in "${path}": ${holder ?? "another process"} is writing to it`,
      "Wait until it ends, or name another file with -o.",
    );
  }
  const now = await stat(path, { bigint: true }).catch(() => null);
  if (now?.ino !== ino) {
    // Its owner took the file away between our opening and locking it.
    await file.close();
    return "again";
  }
  return async () => {
    // A start that was refused leaves no empty file behind.
    if (isThere === "nothing" && (await file.stat()).size === 0) await unlink(path).catch(() => undefined);
    await file.close();
  };
};

async function* linesIn(path: string): AsyncGenerator<LineBatch> {
  try {
    const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    yield* linesOfStream(stream, (bytes) => {
      if (bytes > MOST_LINE_BYTES) throw new Error("one of its lines is longer than 256 MiB");
    });
  } catch (thrown) {
    throw failed("read", path, thrown);
  }
}

/** Files on disk; an append is O_APPEND, then fsync. */
export const storeFiles: StoreFiles = {
  lock: async (path) => {
    try {
      for (;;) {
        const unlock = await lockAt(path);
        if (unlock !== "again") return unlock;
      }
    } catch (thrown) {
      throw thrown instanceof UserError ? thrown : failed("write", path, thrown);
    }
  },
  bytes: (path) =>
    stat(path).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  read: async (path) => {
    try {
      return (await holdsRuns(path)) ? linesIn(path) : null;
    } catch (thrown) {
      if (thrown instanceof UserError) throw thrown;
      if (codeOf(thrown) === "ENOENT") return null;
      throw failed("read", path, thrown);
    }
  },
  truncate: (path, bytes) => writing(path, () => truncate(path, bytes)),
  append: (path, text) =>
    writing(path, async () => {
      const file = await open(path, APPEND_AT_ONCE, 0o666);
      try {
        await file.appendFile(text);
        // A device, such as /dev/null, keeps nothing.
        if (text !== "" && (await file.stat()).isFile()) await file.sync();
      } finally {
        await file.close();
      }
    }),
};
