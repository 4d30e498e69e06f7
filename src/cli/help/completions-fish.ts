/** Completion script for fish, from the pages of the commands. */
import type { OptionSpec } from "../../options/option-table.js";
import { completionOf, type CompletionPage, completionWords, type ValueCompletion } from "./completions.js";

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

const commandLines = ({ name, options, words }: CompletionPage, names: readonly string[]): readonly string[] => {
  const others = names.filter((other) => other !== "run").join(" ");
  const condition =
    name === "run" ? `not __fish_seen_subcommand_from ${others}` : `__fish_seen_subcommand_from ${name}`;
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
  const names = completionWords(pages);
  const lines = [
    "# fish completion for schbench-ts; made from its option tables.",
    "complete -c schbench-ts -f",
    ...pages.map(
      ({ name, summary }) => `complete -c schbench-ts -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...pages.flatMap((page) => commandLines(page, names)),
  ];
  return `${lines.join("\n")}\n`;
};
