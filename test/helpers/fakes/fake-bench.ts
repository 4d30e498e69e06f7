/**
 * A folder with made-up schbenches, and the experiment commands run against them in this process: what was printed, the exit
 * code, and a log of everything that was started, in order.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { abCommandIn } from "../../../src/cli/commands/ab-command.js";
import type { Command } from "../../../src/cli/io/command.js";
import { compareCommandIn } from "../../../src/cli/commands/compare-command.js";
import { type ExperimentWorld, hostWorld } from "../../../src/cli/io/experiment-world.js";
import { mergeCommandIn } from "../../../src/cli/commands/merge-command.js";
import { sweepCommandIn } from "../../../src/cli/commands/sweep-command.js";
import { validateCommandIn } from "../../../src/cli/commands/validate-command.js";
import { messageOf, UserError } from "../../../src/errors.js";
import { capturedIo } from "./captured-io.js";

const FAKE = fileURLToPath(new URL("./fake-schbench.js", import.meta.url));

const COMMANDS = {
  ab: abCommandIn,
  sweep: sweepCommandIn,
  compare: compareCommandIn,
  merge: mergeCommandIn,
  validate: validateCommandIn,
} as const satisfies Record<string, (world: ExperimentWorld) => Command>;

/** What a command did. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder to experiment in. */
export interface FakeBench {
  readonly folder: string;
  /** Makes a schbench that behaves as the settings of fake-schbench.ts say; returns its path. */
  readonly fake: (name: string, settings?: Readonly<Record<string, string | number>>) => string;
  /** Runs a command; `{}` in a word is the folder. */
  readonly run: (command: keyof typeof COMMANDS, words: readonly string[]) => Promise<Outcome>;
  /** Everything that was started, one line each. */
  readonly logged: () => readonly string[];
  /** What was started since the last look. */
  readonly log: () => readonly string[];
  /** The text with this folder's name made the same everywhere. */
  readonly normal: (text: string) => string;
  readonly remove: () => void;
}

/** Makes a folder with an `engine` in it, which the commands take for ours. */
export const fakeBench = (changes: Partial<ExperimentWorld> = {}): FakeBench => {
  const folder = mkdtempSync(join(tmpdir(), "fake-bench-"));
  const log = join(folder, "log");
  writeFileSync(log, "");
  let seen = 0;
  let now = Date.UTC(2026, 0, 1);

  const fake = (name: string, settings: Readonly<Record<string, string | number>> = {}): string => {
    const path = join(folder, name);
    const all = { FAKE_STATE: folder, FAKE_NAME: name, ...settings };
    const exports = Object.entries(all).map(([key, value]) => `export ${key}="\${${key}-${value}}"`);
    writeFileSync(path, `#!/bin/sh\n${exports.join("\n")}\nexec ${process.execPath} ${FAKE} "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  };
  fake("engine");

  const world: ExperimentWorld = {
    ...hostWorld,
    engineCommand: (node) => [...(node === null ? [] : [node]), join(folder, "engine")],
    schedExt: async () => ({ name: "disabled", loads: 0 }),
    nowMsec: () => (now += 500),
    checkTracing: async () => undefined,
    checkCode: async () => [],
    ...changes,
  };

  const run = async (command: keyof typeof COMMANDS, words: readonly string[]): Promise<Outcome> => {
    const { io, printed } = capturedIo();
    let code = 1;
    try {
      code = await COMMANDS[command](world).run(
        words.map((word) => word.replaceAll("{}", folder)),
        io,
      );
    } catch (thrown) {
      io.stderr.write(`schbench-ts: ${messageOf(thrown)}\n`);
      if (!(thrown instanceof UserError)) throw thrown;
      if (thrown.remedy !== undefined) io.stderr.write(`${thrown.remedy}\n`);
    }
    return { code, ...printed() };
  };

  const logged = (): readonly string[] => readFileSync(log, "utf8").split("\n").slice(0, -1);

  return {
    folder,
    fake,
    run,
    logged,
    log: () => {
      const lines = logged();
      const fresh = lines.slice(seen);
      seen = lines.length;
      return fresh;
    },
    normal: (text) => text.replaceAll(folder, "DIR"),
    remove: () => rmSync(folder, { recursive: true }),
  };
};
