/** Completion script for zsh, from the pages of the commands. */
import type { OptionSpec } from "../../options/line/option-table.js";
import {
  commandsWithFlags,
  completionOf,
  type CompletionPage,
  spellingsOf,
  type ValueCompletion,
} from "./completions.js";

/** Text inside single quotes of an _arguments specification. */
const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''");

const VALUES: ValueCompletion = {
  file: "_files",
  directory: "_files -/",
  nothing: " ",
  words: (words) => `(${words.join(" ").replaceAll(":", "\\:")})`,
};

const actionOf = (spec: OptionSpec): string => {
  const action = completionOf(spec, VALUES);
  return action === null ? "" : `:${spec.long[0]}:${action}`;
};

const optionLines = (spec: OptionSpec): readonly string[] => {
  const names = spellingsOf(spec);
  const isRepeated = "repeated" in spec && spec.repeated;
  const exclusion = isRepeated ? "*" : `(${names.join(" ")})`;
  return names.map((name) => {
    const joint = spec.kind === "flag" ? "" : name.startsWith("--") ? "=" : "+";
    return `        '${exclusion}${name}${joint}[${escaped(spec.meaning)}]${actionOf(spec)}'`;
  });
};

const wordsLine = (words: readonly string[]): readonly string[] => {
  if (words.length === 0) return [];
  return [words[0] === "@files" ? "        '*:file:_files'" : `        '*:argument:(${words.join(" ")})'`];
};

const commandBranch = ({ name, options, words }: CompletionPage): string =>
  [
    `    ${name})`,
    "      arguments=(",
    ...options.flatMap(optionLines),
    ...wordsLine(words),
    "      )",
    "      ;;",
  ].join("\n");

/** The script; install it as `_schbench-ts` in a directory of `fpath`. */
export const zshCompletion = (pages: readonly CompletionPage[]): string => `#compdef schbench-ts
# zsh completion for schbench-ts; made from its option tables.
_schbench-ts() {
  local command=run
  local -a commands arguments
  commands=(
${pages.map(({ name, summary }) => `    '${name}:${escaped(summary)}'`).join("\n")}
  )
  if (( CURRENT > 2 )) && [[ -n \${commands[(r)\${words[2]}:*]} ]]; then
    command=\${words[2]}
    words=("\${words[1]}" "\${(@)words[3,-1]}")
    (( CURRENT-- ))
  elif (( CURRENT == 2 )) && [[ \${words[2]} != -* ]]; then
    _describe -t commands 'command' commands
    return
  fi
  local -i dashes=\${words[(i)--]}
  if [[ $command == (${commandsWithFlags(pages).join("|")}) ]] && (( dashes < CURRENT )); then
    command=run
    words=("\${words[1]}" "\${(@)words[dashes+1,-1]}")
    (( CURRENT -= dashes - 1 ))
  fi
  case $command in
${pages.map(commandBranch).join("\n")}
  esac
  _arguments -s -S $arguments
}
_schbench-ts "$@"
`;
