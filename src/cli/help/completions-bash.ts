/** Completion script for bash, from the pages of the commands. */
import {
  commandsWithFlags,
  completionOf,
  completionWords,
  type CompletionPage,
  spellingsOf,
  type ValueCompletion,
} from "./completions.js";

const quoted = (words: readonly string[]) => `"${words.join(" ")}"`;

/** One branch of the case over the word before the cursor. */
const valueBranch = (pattern: string, action: string) => `        ${pattern}) ${action}; return ;;`;

const VALUES: ValueCompletion = {
  file: "_schbench_ts_paths -f",
  directory: "_schbench_ts_paths -d",
  nothing: "COMPREPLY=()",
  words: (words) => `_schbench_ts_words ${quoted(words)}`,
};

const commandBranch = ({ name, options, words }: CompletionPage): string => {
  const branches = options.flatMap((spec) => {
    const action = completionOf(spec, VALUES);
    return action === null ? [] : [valueBranch(spellingsOf(spec).join("|"), action)];
  });
  return [
    `    ${name})`,
    ...(branches.length === 0 ? [] : ['      case "$prev" in', ...branches, "      esac"]),
    `      options=${quoted(options.flatMap(spellingsOf))}`,
    `      words=${quoted(words)}`,
    "      ;;",
  ].join("\n");
};

/** The script; install it as `schbench-ts` where bash-completion looks. */
export const bashCompletion = (
  pages: readonly CompletionPage[],
): string => `# bash completion for schbench-ts; made from its option tables.
_schbench_ts_words() { if [[ $1 == *=* ]]; then compopt -o nospace 2> /dev/null; fi; mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_schbench_ts_paths() { compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen "$1" -- "$cur"); }
_schbench_ts() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=run options="" words=""
  if [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $cur == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-1]}; cur=""; fi
  case "\${COMP_WORDS[1]}" in
    ${pages.map(({ name }) => name).join("|")}) if (( COMP_CWORD > 1 )); then command=\${COMP_WORDS[1]}; fi ;;
  esac
  case "$command" in
    ${commandsWithFlags(pages).join("|")})
      local at
      for (( at = 2; at < COMP_CWORD; at++ )); do
        if [[ \${COMP_WORDS[at]} == "--" ]]; then command=run; fi
      done ;;
  esac
  case "$command" in
${pages.map(commandBranch).join("\n")}
  esac
  if (( COMP_CWORD == 1 )); then words="${completionWords(pages).join(" ")}"; fi
  if [[ $cur == -* ]]; then _schbench_ts_words "$options"
  elif [[ $words == "@files" ]]; then _schbench_ts_paths -f
  else _schbench_ts_words "$words"
  fi
}
complete -F _schbench_ts schbench-ts
`;
