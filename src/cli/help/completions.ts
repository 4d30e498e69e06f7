/** What the completion scripts of all shells have in common: which words follow which. */
import { CGROUP_SETTINGS } from "../../options/values/cgroup-language.js";
import { SCHED_ATTRIBUTES, SCHED_POLICIES, writtenStart } from "../../model/plan/sched-table.js";
import type { OptionSpec, OptionTable } from "../../options/line/option-table.js";
import { globalOptions } from "../options/global-options.js";
import type { CommandPage } from "./help-page.js";

/** A command as completion sees it. */
export interface CompletionPage {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionTable;
  /** What may stand where an argument is expected; `["@files"]` for file names. */
  readonly words: readonly string[];
  /** A `--` may follow, and behind it the options of a run. */
  readonly takesFlags: boolean;
}

/** How a shell completes the value of an option. */
export interface ValueCompletion {
  readonly file: string;
  readonly directory: string;
  /** Free text: nothing is offered. */
  readonly nothing: string;
  readonly words: (words: readonly string[]) => string;
}

/** What completes the value of an option, in the words of a shell; null for a flag, which has none. */
export const completionOf = (spec: OptionSpec, shell: ValueCompletion): string | null => {
  if (spec.kind === "flag") return null;
  if (spec.kind === "choice") return shell.words(spec.choices);
  if ("offered" in spec && spec.offered !== undefined) return shell.words(spec.offered);
  if (spec.kind === "file" || spec.kind === "directory") return shell[spec.kind];
  if (spec.kind === "cgroup") return shell.words(CGROUP_SETTINGS.map(({ form }) => form.replace(/=.*/, "=")));
  if (spec.kind === "sched") return shell.words([...SCHED_POLICIES, ...SCHED_ATTRIBUTES].map(writtenStart));
  return spec.kind === "cpus" && spec.auto ? shell.words(["auto"]) : shell.nothing;
};

/** Every spelling of an option, with dashes. */
export const spellingsOf = (spec: OptionSpec): readonly string[] => [
  ...(spec.short === undefined ? [] : [`-${spec.short}`]),
  ...spec.long.map((long) => `--${long}`),
];

/** The names of the commands. */
export const completionWords = (pages: readonly CompletionPage[]): readonly string[] => pages.map(({ name }) => name);

const argumentWords = (page: CommandPage, topics: readonly string[], pages: readonly CommandPage[]) => {
  if (page.name === "help") return [...pages.map(({ name }) => name), ...topics];
  if (page.name === "completions") return ["bash", "zsh", "fish"];
  return page.usage.some((form) => /\b(FILE|DIR)/.test(form)) ? ["@files"] : [];
};

/** The commands with their options, the global ones included, and their words. */
export const completionPages = (pages: readonly CommandPage[], topics: readonly string[]): readonly CompletionPage[] =>
  pages.map((page) => ({
    name: page.name,
    summary: page.summary,
    options: [...page.options, ...globalOptions],
    words: argumentWords(page, topics, pages),
    takesFlags: page.usage.some((form) => form.includes("[-- ")),
  }));

/** The commands behind whose `--` the options of a run follow. */
export const commandsWithFlags = (pages: readonly CompletionPage[]): readonly string[] =>
  pages.flatMap(({ name, takesFlags }) => (takesFlags ? [name] : []));
