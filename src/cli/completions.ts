/** What the completion scripts of all shells have in common: which words follow which. */
import type { OptionSpec, OptionTable } from "../options/option-table.js";
import { globalOptions } from "./global-options.js";
import type { CommandPage } from "./help-page.js";

/** A command as completion sees it. */
export interface CompletionPage {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionTable;
  /** What may stand where an argument is expected; `["@files"]` for file names. */
  readonly words: readonly string[];
}

/** What completes the value of an option: words, files, nothing at all; null for a flag. */
export const valueActionOf = (spec: OptionSpec): readonly string[] | "file" | "directory" | "none" | null => {
  if (spec.kind === "flag") return null;
  if (spec.kind === "choice") return spec.choices;
  if (spec.kind === "file" || spec.kind === "directory") return spec.kind;
  return spec.kind === "cpus" && spec.auto ? ["auto"] : "none";
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
  }));
