/**
 * Replacing a file as a whole: the text is written beside it, under a hidden name, and takes its place at the end. Whatever
 * goes wrong before that (a full disk, kill -9, no memory), the file that was there stays as it was.
 *
 * What is not a plain file of one name, or could not keep its owner, is written in place.
 */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf } from "../../file-reason.js";

/** A file of one name, or a place in which one can be made. */
interface PlainFile {
  readonly path: string;
  /** What is there; null: nothing yet. */
  readonly there: Stats | null;
}

const MOST_LINKS = 40;
const PERMISSIONS = 0o7777;
/** A file's name may have 255 bytes, and a character three of them. */
const MOST_NAME_CHARACTERS = 60;
const PROCESS_DESCRIPTORS = /^\/proc\/[^/]+(?:\/task\/\d+)?\/fd$/;

const statOf = (path: string): Stats | null => {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
};

/**
 * Where a path leads if that is a plain file or nothing yet, symbolic links followed; null for pipes, devices, folders, files
 * of several names, and what a descriptor stands for (`/dev/stdout`): those are written as they are.
 */
export const plainFileAt = (path: string): PlainFile | null => {
  let place = resolve(path);
  for (let links = 0; links < MOST_LINKS; links++) {
    const folder = realpathSync(dirname(place));
    if (PROCESS_DESCRIPTORS.test(folder)) return null;
    place = join(folder, basename(place));
    const there = statOf(place);
    if (there === null || (there.isFile() && there.nlink === 1)) return { path: place, there };
    if (!there.isSymbolicLink()) return null;
    place = resolve(folder, readlinkSync(place));
  }
  return null;
};

const hiddenPrefix = (path: string): string => `.${basename(path).slice(0, MOST_NAME_CHARACTERS)}.schbench-ts-`;

/** The name under which this process writes a file before it takes its place. */
const hiddenNameOf = (path: string): string => join(dirname(path), `${hiddenPrefix(path)}${process.pid}.tmp`);

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
};

/** Removes what processes that were killed while they wrote this file have left beside it. */
const removeStale = (path: string): void => {
  const prefix = hiddenPrefix(path);
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix) || !name.endsWith(".tmp")) continue;
    const pid = Number(name.slice(prefix.length, -".tmp".length));
    if (Number.isInteger(pid) && pid > 0 && !isRunning(pid)) unlinkSync(join(dirname(path), name));
  }
};

const createHidden = (path: string): number =>
  openSync(hiddenNameOf(path), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);

/** The new file is readable and writable by whom the old one was; throws where it cannot have the same owner. */
const takeAfter = (fd: number, there: Stats): void => {
  const made = fstatSync(fd);
  if (made.uid !== there.uid || made.gid !== there.gid) fchownSync(fd, there.uid, there.gid);
  fchmodSync(fd, there.mode & PERMISSIONS);
};

/**
 * Whether a file can be replaced: its folder takes a new file, with the same owner. Leaves nothing behind.
 *
 * @throws the system's error where the file may not be written, or there is none and none can be made
 */
export const canReplace = ({ path, there }: PlainFile): boolean => {
  // A file that may not be written is not replaced either, although its folder would allow it.
  if (there !== null) closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  try {
    accessSync(dirname(path), constants.W_OK);
    removeStale(path);
    const fd = createHidden(path);
    try {
      if (there !== null) takeAfter(fd, there);
    } finally {
      closeSync(fd);
      unlinkSync(hiddenNameOf(path));
    }
    return true;
  } catch (error) {
    if (there === null) throw error;
    return false;
  }
};

/**
 * Writes the whole text and puts it in the file's place.
 *
 * @throws the system's error; the file is then as it was
 */
export const replaceFile = ({ path, there }: PlainFile, text: string): void => {
  const hidden = hiddenNameOf(path);
  const fd = createHidden(path);
  try {
    try {
      if (there !== null) takeAfter(fd, there);
      writeFileSync(fd, text);
      // On the disk before the name is: a power cut must not leave a name without a text.
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(hidden, path);
  } catch (error) {
    try {
      unlinkSync(hidden);
    } catch {
      // Nothing is there to be removed.
    }
    throw error;
  }
};
