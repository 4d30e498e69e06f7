/**
 * All that the reboot place does to a machine goes through here: programs, files, the clock. A scratch root stands in for the
 * machine's own folders, so that a test sees every effect and loses none of the files of the machine it runs on.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { appendFile, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../errors.js";
import { fileReason } from "../../file-reason.js";
import { cannotStart } from "../../start-fault.js";
import { type Files, hostFiles } from "../../platform/files.js";
import { findProgram } from "../vm/brought-programs.js";

/** What became of a program. */
export interface Ran {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A machine that boots. */
export interface RebootSystem {
  /** Numeric id of the user that this process acts as. */
  readonly uid: number;
  readonly files: Files;
  /** Throws what the system says. */
  readonly readBytes: (path: string) => Buffer;
  /** The file of a program on the PATH; null: there is none. */
  readonly findProgram: (name: string) => string | null;
  /** Runs a program to its end; throws UserError when it cannot be started. */
  readonly run: (command: readonly string[], input?: Buffer) => Promise<Ran>;
  /** Replaces a file as a whole, and has it on the disk when it returns. */
  readonly write: (path: string, text: string) => Promise<void>;
  /** Adds to the end of a file in one write, and has it on the disk when it returns. */
  readonly append: (path: string, text: string) => Promise<void>;
  /** Removes a file; it may be gone already. */
  readonly remove: (path: string) => Promise<void>;
  readonly nowMsec: () => number;
  readonly sleep: (msec: number, signal: AbortSignal) => Promise<void>;
}

/** Folders that belong to the machine: under a scratch root, they are that root's. */
const MACHINE_FOLDERS = /^\/(?:boot|efi|etc|proc|run|sys)(?:\/|$)/u;

const writing = async (path: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (thrown) {
    throw new UserError(`cannot write "${path}": ${fileReason(thrown, "write")}`, undefined, { cause: thrown });
  }
};

/** Has the entries of a folder on the disk: a file that was renamed into it may be gone after a power loss otherwise. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

const runProgram = async (command: readonly string[], input?: Buffer): Promise<Ran> => {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  // A program that has read enough closes the pipe.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  try {
    await once(child, "close");
  } catch (thrown) {
    throw cannotStart(program, thrown);
  }
  return { exitCode: child.exitCode, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString("utf8") };
};

/**
 * A machine with its folders under a root.
 *
 * @param root `/` for this machine itself
 * @param path where programs are looked up
 */
export const systemAt = (root: string, path: () => string = () => process.env["PATH"] ?? ""): RebootSystem => {
  const inside = (file: string): string => (MACHINE_FOLDERS.test(file) ? join(root, file) : file);
  return {
    uid: process.getuid?.() ?? 0,
    files: {
      readText: (file, maxBytes) => hostFiles.readText(inside(file), maxBytes),
      readGzipText: (file) => hostFiles.readGzipText(inside(file)),
      list: (file) => hostFiles.list(inside(file)),
      exists: (file) => hostFiles.exists(inside(file)),
    },
    readBytes: (file) => readFileSync(inside(file)),
    findProgram: (name) => findProgram(name, path()),
    run: ([program = "", ...args], input) => runProgram([findProgram(program, path()) ?? program, ...args], input),
    write: (file, text) =>
      writing(file, async () => {
        const target = inside(file);
        const folder = dirname(target);
        const made = join(folder, `.${basename(target)}.new`);
        await mkdir(folder, { recursive: true });
        const out = await open(made, "w", 0o644);
        try {
          await out.writeFile(text);
          await out.sync();
        } finally {
          await out.close();
        }
        await rename(made, target);
        await syncFolder(folder);
      }),
    append: (file, text) =>
      writing(file, async () => {
        await appendFile(inside(file), text, { flush: true });
        await syncFolder(dirname(inside(file)));
      }),
    remove: (file) =>
      writing(file, async () => {
        await rm(inside(file), { force: true });
        await syncFolder(dirname(inside(file)));
      }),
    nowMsec: () => Date.now(),
    sleep: async (msec, signal) => {
      await sleep(msec, undefined, { signal });
    },
  };
};
