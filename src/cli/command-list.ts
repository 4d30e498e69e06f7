/**
 * The commands of `schbench-ts`, in the order of the help. A line here is all it takes to add one: dispatch, help,
 * docs, man page and completions follow. Nothing is loaded before it is wanted, so that a plain run starts quickly.
 */
import type { OptionTable } from "../options/option-table.js";
import type { Command } from "./command.js";

/** A command with the table its help is made from. */
export interface LoadedCommand {
  readonly command: Command;
  readonly options: OptionTable;
}

/** One entry of the list. */
export interface CommandEntry {
  readonly name: string;
  readonly load: () => Promise<LoadedCommand>;
}

/** The command that runs when the first word names none. */
export const RUN_ENTRY: CommandEntry = {
  name: "run",
  load: async () => {
    const [{ runCommand }, { runOptions }] = await Promise.all([
      import("./run-command.js"),
      import("../options/run-table.js"),
    ]);
    return { command: runCommand, options: runOptions };
  },
};

/** Every command. */
export const COMMANDS: readonly CommandEntry[] = [
  RUN_ENTRY,
  {
    name: "completions",
    load: async () => {
      const { completionsCommand } = await import("./completions-command.js");
      return { command: completionsCommand, options: [] };
    },
  },
  {
    name: "help",
    load: async () => {
      const { helpCommand } = await import("./help-command.js");
      return { command: helpCommand, options: [] };
    },
  },
];
