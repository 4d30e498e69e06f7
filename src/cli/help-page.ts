/** What there is to say about each command: the one source of `--help`, the man page, docs/options.md and completions. */
import type { OptionSpec, OptionTable } from "../options/option-table.js";
import { type CommandEntry, COMMANDS } from "./command-list.js";
import { EXAMPLES, type Example, USAGE } from "./help-examples.js";

/** One command as help shows it. */
export interface CommandPage {
  readonly name: string;
  readonly summary: string;
  /** What follows `schbench-ts` on the command line, one form each. */
  readonly usage: readonly string[];
  readonly examples: readonly Example[];
  /** Without the global and the hidden options. */
  readonly options: OptionTable;
}

/** Options under one heading. */
export interface OptionGroup {
  readonly title: string;
  readonly options: OptionTable;
}

/** Loads one command and describes it. */
export const loadPage = async ({ name, load }: CommandEntry): Promise<CommandPage> => {
  const { command, options } = await load();
  return {
    name,
    summary: command.summary,
    usage: USAGE[name] ?? [`${name}${options.length > 0 ? " [OPTIONS]" : ""}`],
    examples: EXAMPLES[name] ?? [],
    options: options.filter((spec) => !spec.hidden),
  };
};

/** Describes every command, in the order of the list. */
export const loadPages = (): Promise<readonly CommandPage[]> => Promise.all(COMMANDS.map((entry) => loadPage(entry)));

/** The options by heading, in the order of the table. */
export const groupsOf = (table: OptionTable): readonly OptionGroup[] => {
  const groups = new Map<string, OptionSpec[]>();
  for (const spec of table) groups.set(spec.group, [...(groups.get(spec.group) ?? []), spec]);
  return [...groups].map(([title, options]) => ({ title, options }));
};
