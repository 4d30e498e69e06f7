/**
 * The commands of `schbench-ts`, in the order of the help. A line here is all it takes to add one: dispatch, help,
 * docs, man page and completions follow. Nothing is loaded before it is wanted, so that a plain run starts quickly.
 */
import type { OptionTable } from "../options/option-table.js";
import type { Command } from "./command.js";

/** A command with the table its help is made from. */
interface LoadedCommand {
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
    const [run, table] = await Promise.all([import("./run-command.js"), import("../options/run-table.js")]);
    return { command: run.runCommand, options: table.runOptions };
  },
};

/** Every command. */
export const COMMANDS: readonly CommandEntry[] = [
  RUN_ENTRY,
  { name: "ab", load: () => import("./ab-command.js").then((m) => ({ command: m.abCommand, options: m.abOptions })) },
  {
    name: "sweep",
    load: () => import("./sweep-command.js").then((m) => ({ command: m.sweepCommand, options: m.sweepOptions })),
  },
  {
    name: "compare",
    load: () => import("./compare-command.js").then((m) => ({ command: m.compareCommand, options: m.compareOptions })),
  },
  {
    name: "parse",
    load: () => import("./parse-command.js").then((m) => ({ command: m.parseCommand, options: m.parseOptions })),
  },
  {
    name: "merge",
    load: () => import("./merge-command.js").then((m) => ({ command: m.mergeCommand, options: m.mergeOptions })),
  },
  {
    name: "validate",
    load: async () => {
      const [command, table] = await Promise.all([import("./validate-command.js"), import("./validate-options.js")]);
      return { command: command.validateCommand, options: table.validateOptions };
    },
  },
  {
    name: "report",
    load: () => import("./report-command.js").then((m) => ({ command: m.reportCommand, options: m.reportOptions })),
  },
  {
    name: "codegen",
    load: () => import("./codegen-command.js").then((m) => ({ command: m.codegenCommand, options: m.CODEGEN_TABLE })),
  },
  {
    name: "doctor",
    load: () => import("./doctor-command.js").then((m) => ({ command: m.doctorCommand, options: m.doctorOptions })),
  },
  {
    name: "completions",
    load: () => import("./completions-command.js").then((m) => ({ command: m.completionsCommand, options: [] })),
  },
  { name: "help", load: () => import("./help-command.js").then((m) => ({ command: m.helpCommand, options: [] })) },
];
