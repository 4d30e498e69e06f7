/**
 * The commands of `schbench-ts`, in the order of the help. A line here is all it takes to add one: dispatch, help,
 * docs, man page and completions follow. Nothing is loaded before it is wanted, so that a plain run starts quickly.
 */
import type { OptionTable } from "../options/line/option-table.js";
import type { CommandBook } from "./help/help-page.js";
import type { Command } from "./io/command.js";

/** A command with the table its help is made from. */
interface LoadedCommand {
  readonly command: Command;
  readonly options: OptionTable;
}

/** One entry of the list. */
export interface CommandEntry {
  readonly name: string;
  readonly load: () => Promise<LoadedCommand>;
  /** Works, but is left out of help, completions and docs: programs start it, not people. */
  readonly hidden?: true;
}

/** The command that runs when the first word names none. */
export const RUN_ENTRY: CommandEntry = {
  name: "run",
  load: async () => {
    const [run, table] = await Promise.all([
      import("./commands/run-command.js"),
      import("../options/run/run-table.js"),
    ]);
    return { command: run.runCommand, options: table.runOptions };
  },
};

/** Every command. */
export const COMMANDS: readonly CommandEntry[] = [
  RUN_ENTRY,
  {
    name: "ab",
    load: () => import("./commands/ab-command.js").then((m) => ({ command: m.abCommand, options: m.abOptions })),
  },
  {
    name: "sweep",
    load: () =>
      import("./commands/sweep-command.js").then((m) => ({ command: m.sweepCommand, options: m.sweepOptions })),
  },
  {
    name: "compare",
    load: () =>
      import("./commands/compare-command.js").then((m) => ({ command: m.compareCommand, options: m.compareOptions })),
  },
  {
    name: "parse",
    load: () =>
      import("./commands/parse-command.js").then((m) => ({ command: m.parseCommand, options: m.parseOptions })),
  },
  {
    name: "merge",
    load: () =>
      import("./commands/merge-command.js").then((m) => ({ command: m.mergeCommand, options: m.mergeOptions })),
  },
  {
    name: "validate",
    load: async () => {
      const [command, table] = await Promise.all([
        import("./commands/validate-command.js"),
        import("./options/validate-options.js"),
      ]);
      return { command: command.validateCommand, options: table.validateOptions };
    },
  },
  {
    name: "report",
    load: () =>
      import("./commands/report-command.js").then((m) => ({ command: m.reportCommand, options: m.reportOptions })),
  },
  {
    name: "codegen",
    load: () =>
      import("./commands/codegen-command.js").then((m) => ({ command: m.codegenCommand, options: m.CODEGEN_TABLE })),
  },
  {
    name: "doctor",
    load: () =>
      import("./commands/doctor-command.js").then((m) => ({ command: m.doctorCommand, options: m.doctorOptions })),
  },
  {
    name: "on",
    load: async () => ({ command: (await import("./commands/on-command.js")).onCommand, options: [] }),
    hidden: true,
  },
  {
    name: "completions",
    load: async () => ({
      command: (await import("./commands/completions-command.js")).completionsCommandOf(commandBook),
      options: [],
    }),
  },
  {
    name: "help",
    load: async () => ({
      command: (await import("./commands/help-command.js")).helpCommandOf(commandBook),
      options: [],
    }),
  },
];

const pageOfEntry = async ({ load }: CommandEntry) => {
  const [{ command, options }, { pageOf }] = await Promise.all([load(), import("./help/help-page.js")]);
  return pageOf(command, options);
};

const VISIBLE = COMMANDS.filter(({ hidden }) => hidden !== true);

/** The list as help, completions, the man page and the documents see it. */
export const commandBook: CommandBook = {
  names: VISIBLE.map(({ name }) => name),
  page: (wanted) => pageOfEntry(VISIBLE.find(({ name }) => name === wanted) ?? RUN_ENTRY),
  pages: () => Promise.all(VISIBLE.map(pageOfEntry)),
};
