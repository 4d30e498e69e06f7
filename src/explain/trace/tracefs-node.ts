/** The system behind TracefsPlatform: plain files, through Node. */
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { endianness } from "node:os";
import { hostFiles } from "../../platform/files.js";
import { NSEC_PER_SEC } from "../../units.js";
import type { PageReader, TracefsPlatform } from "./tracefs.js";

const codeOf = (thrown: unknown): unknown =>
  typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;

const openPages = (path: string): PageReader => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return {
    read: (buffer) => {
      try {
        return readSync(file, buffer);
      } catch (thrown) {
        if (codeOf(thrown) === "EAGAIN") return 0;
        throw thrown;
      }
    },
    close: () => {
      closeSync(file);
    },
  };
};

const readAvailableKib = (): number | null => {
  try {
    const found = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8"))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
};

const readPidNamespace = (): number | null => {
  try {
    const found = /^pid:\[(\d+)\]$/.exec(readlinkSync("/proc/self/ns/pid"))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === "EPERM";
  }
};

const addressOf = (kernelFunction: string): string | null => {
  try {
    const found = new RegExp(`^([0-9a-f]+) \\w ${kernelFunction}$`, "m").exec(readFileSync("/proc/kallsyms", "utf8"));
    const address = found?.[1];
    return address === undefined || /^0+$/.test(address) ? null : address;
  } catch {
    return null;
  }
};

/** Tracefs of this machine. */
export const nodeTracefs = (): TracefsPlatform => ({
  pid: process.pid,
  pidNamespace: readPidNamespace(),
  isRoot: process.geteuid?.() === 0,
  littleEndian: endianness() === "LE",
  availableKib: readAvailableKib(),
  nowNsec: () => {
    const [sec, nsec] = process.hrtime();
    return sec * NSEC_PER_SEC + nsec;
  },
  readText: (path) => readFileSync(path, "utf8"),
  writeText: (path, text) => {
    writeFileSync(path, text);
  },
  makeDirectory: (path) => {
    mkdirSync(path);
  },
  removeDirectory: (path) => {
    rmdirSync(path);
  },
  list: hostFiles.list,
  exists: hostFiles.exists,
  openPages,
  isAlive,
  addressOf,
});

/** The threads that this process has now, benchmark threads included. */
export const processTids = (): readonly number[] => readdirSync("/proc/self/task").map(Number);
