/** What there is to say about each command: the one source of `--help`, the man page, docs/options.md and completions. */
import type { OptionSpec, OptionTable } from "../../options/line/option-table.js";
import type { Command } from "../io/command.js";
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

/** All commands, as help and completions see them: they know no command, the list of commands hands them this. */
export interface CommandBook {
  /** In the order of the list. */
  readonly names: readonly string[];
  /** The page of one of the names. */
  readonly page: (name: string) => Promise<CommandPage>;
  /** Every page, in the order of the list. */
  readonly pages: () => Promise<readonly CommandPage[]>;
}

/** Describes a command by its table. */
export const pageOf = ({ name, summary }: Command, options: OptionTable): CommandPage => ({
  name,
  summary,
  usage: USAGE[name] ?? [`${name}${options.length > 0 ? " [OPTIONS]" : ""}`],
  examples: EXAMPLES[name] ?? [],
  options: options.filter((spec) => !spec.hidden),
});

/** The options by heading, in the order of the table. */
export const groupsOf = (table: OptionTable): readonly OptionGroup[] => {
  const groups = new Map<string, OptionSpec[]>();
  for (const spec of table) groups.set(spec.group, [...(groups.get(spec.group) ?? []), spec]);
  return [...groups].map(([title, options]) => ({ title, options }));
};
