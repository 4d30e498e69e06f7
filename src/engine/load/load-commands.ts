/**
 * Loads that are commands: each is started as the leader of a process group, is put where it belongs before it becomes the
 * program, and ends with the run, with everything it has started. That one of them ends by itself is noticed at once.
 */
import type { ChildProcess } from "node:child_process";
import { EngineError } from "../../errors.js";
import { keepTail } from "../../kept-tail.js";
import { SHELL, spawnKept } from "../../laboratory/here/group-keeper.js";
import { endGroup, guardGroup } from "../../laboratory/here/process-group.js";
import { startFault } from "../../laboratory/here/program-file.js";
import type { CommandLoad, LoadPlan } from "../../model/plan/load-plan.js";
import { splitWords } from "../../options/values/shell-words.js";
import { at } from "../../at.js";
import { cannotStart } from "../../start-fault.js";

/** So much of the end of what a load printed is kept, and so many lines of that are shown. */
const KEPT_CHARACTERS = 4096;
const SHOWN_LINES = 5;

/** What a program printed right before its end arrives by then. */
const LAST_WORDS_MSEC = 50;

/** Waits for a line and then becomes the program: until then it can be put where it belongs. */
const GATE_SCRIPT = 'read -r go && exec "$@" </dev/null';

/** A command that is under way. */
export interface RunningCommand {
  readonly command: string;
  /** Of the process that was started, and of its group. */
  readonly pid: number;
  /** Throws EngineError when it has ended by itself. */
  readonly check: () => void;
  /** Ends it and all that it started. */
  readonly end: () => Promise<void>;
}

/** What a start needs besides the command. */
export interface CommandCare {
  /** Puts the process where it belongs, before it becomes the program. */
  readonly place: (pid: number) => void;
  /** Called when the command ends by itself. */
  readonly onDeath: () => void;
}

/** Throws UserError when the program of a load cannot be started. */
export const checkCommands = async (loads: readonly LoadPlan[]): Promise<void> => {
  for (const load of loads) {
    if (load.kind !== "command") continue;
    const program = at(splitWords(load.command), 0);
    const fault = await startFault(program, {});
    if (fault !== null)
      throw cannotStart(
        program,
        fault,
        ` of --load "${load.command}"`,
        "What a shell is to read needs one: sh -c '…'.",
      );
  }
};

const lastWordsOf = (child: ChildProcess): (() => string) => {
  const said = keepTail([child.stdout, child.stderr], KEPT_CHARACTERS);
  return () => {
    const words = said();
    const lines = words.trimEnd().split("\n").slice(-SHOWN_LINES);
    return words.trim() === "" ? "" : `Its last words:\n${lines.map((line) => `  | ${line}`).join("\n")}`;
  };
};

const deathOf = (command: string, how: string, words: string): EngineError =>
  new EngineError(
    `load "${command}" ${how} before the run was over`,
    words === ""
      ? "Give a command that runs until it is stopped; what runs in the background is not waited for."
      : words,
  );

/** Starts a load. Throws EngineError when the system refuses to start a process. */
export const startCommand = async ({ command }: CommandLoad, care: CommandCare): Promise<RunningCommand> => {
  const child = spawnKept({
    program: SHELL,
    args: ["-c", GATE_SCRIPT, SHELL, ...splitWords(command)],
    stdio: ["pipe", "pipe", "pipe"],
    env: process.env,
    last: "SIGKILL",
  });
  const words = lastWordsOf(child);
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<Error>((resolve) => child.once("error", resolve));
    throw new EngineError(`cannot start load "${command}": ${error.message}`, undefined, { cause: error });
  }
  const release = guardGroup(pid, "SIGKILL");
  let how: string | null = null;
  let isEnding = false;
  child.on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  const gone = new Promise<void>((resolve) => {
    child.on("exit", (exitCode, signal) => {
      // Not when its streams are closed: a daemon that it has left behind may hold them for ever.
      setTimeout(() => {
        how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
        if (!isEnding) care.onDeath();
        resolve();
      }, LAST_WORDS_MSEC);
    });
  });
  const end = async (): Promise<void> => {
    isEnding = true;
    await endGroup(pid);
    release();
    await gone;
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  try {
    care.place(pid);
  } catch (error) {
    await end();
    throw error;
  }
  child.stdin?.end("go\n");
  return {
    command,
    pid,
    check: () => {
      if (how !== null && !isEnding) throw deathOf(command, how, words());
    },
    end,
  };
};
