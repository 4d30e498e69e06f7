/** Completion script for fish, from the pages of the commands. */
import type { OptionSpec } from "../../options/line/option-table.js";
import {
  commandsWithFlags,
  completionOf,
  type CompletionPage,
  completionWords,
  spellingsOf,
  type ValueCompletion,
} from "./completions.js";

const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const VALUES: ValueCompletion = {
  file: " -r -F",
  directory: " -x -a '(__fish_complete_directories)'",
  nothing: " -x",
  words: (words) => ` -x -a ${quoted(words.join(" "))}`,
};

const optionLine = (condition: string, spec: OptionSpec): string => {
  const short = spec.short === undefined ? "" : ` -s ${spec.short}`;
  const longs = spec.long.map((long) => ` -l ${long}`).join("");
  return `complete -c schbench-ts -n ${quoted(condition)}${short}${longs}${completionOf(spec, VALUES) ?? ""} -d ${quoted(spec.meaning)}`;
};

/** Is the cursor behind a `--`? */
const BEHIND_DASHES = "contains -- -- (commandline -opc)";

const conditionOf = ({ name, takesFlags }: CompletionPage, pages: readonly CompletionPage[]): string => {
  if (name !== "run") return `__fish_seen_subcommand_from ${name}${takesFlags ? `; and not ${BEHIND_DASHES}` : ""}`;
  const others = completionWords(pages).filter((other) => other !== "run");
  return `not __fish_seen_subcommand_from ${others.join(" ")}`;
};

/** Behind a `--` fish offers no options; the flags of the benchmark are words there. */
const flagLine = (pages: readonly CompletionPage[]): string => {
  const condition = `__fish_seen_subcommand_from ${commandsWithFlags(pages).join(" ")}; and ${BEHIND_DASHES}`;
  const flags = pages.filter(({ name }) => name === "run").flatMap(({ options }) => options.flatMap(spellingsOf));
  return `complete -c schbench-ts -n ${quoted(condition)} -a ${quoted(flags.join(" "))}`;
};

const commandLines = (page: CompletionPage, pages: readonly CompletionPage[]): readonly string[] => {
  const { options, words } = page;
  const condition = conditionOf(page, pages);
  const files = words[0] === "@files";
  return [
    ...options.map((spec) => optionLine(condition, spec)),
    ...(files ? [`complete -c schbench-ts -n ${quoted(condition)} -F`] : []),
    ...(words.length > 0 && !files
      ? [`complete -c schbench-ts -n ${quoted(condition)} -a ${quoted(words.join(" "))}`]
      : []),
  ];
};

/** The script; install it as `schbench-ts.fish` in fish's directory of completions. */
export const fishCompletion = (pages: readonly CompletionPage[]): string => {
  const lines = [
    "# fish completion for schbench-ts; made from its option tables.",
    "complete -c schbench-ts -f",
    ...pages.map(
      ({ name, summary }) => `complete -c schbench-ts -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...pages.flatMap((page) => commandLines(page, pages)),
    flagLine(pages),
  ];
  return `${lines.join("\n")}\n`;
};
