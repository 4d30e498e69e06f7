/** Why the system refused a file or a program, in words; the one list behind every message about one. */
import { messageOf } from "./errors.js";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a directory",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open (ulimit -n)",
  ENFILE: "too many files are open on this machine (fs.file-max)",
  ENOMEM: "there is not enough memory",
  EAGAIN: "no more processes can be started (ulimit -u, pids.max)",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be larger than allowed (ulimit -f)",
  EROFS: "the file system is read-only",
  ETXTBSY: "it is a running program",
};

const READING: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  ENXIO: "it cannot be opened as a file",
  EIO: "the device failed (input/output error)",
};

const WRITING: Readonly<Record<string, string>> = {
  EBADF: "it is closed",
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  ENXIO: "it is a pipe that nobody reads",
  EIO: "nothing can be written there (input/output error)",
  EPIPE: "its reader has gone away",
};

/** The system's name of an error, such as `ENOENT`; empty where it has none. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";

/** Why reading or writing failed, as the end of a sentence without a full stop. */
export const fileReason = (thrown: unknown, doing: "read" | "write"): string => {
  const code = codeOf(thrown);
  return (doing === "read" ? READING : WRITING)[code] ?? REASONS[code] ?? messageOf(thrown);
};
