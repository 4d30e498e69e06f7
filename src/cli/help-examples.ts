/** Forms of use and examples, by command; the examples are run or parsed by the tests. */

/** A command line and what it is for. */
export interface Example {
  readonly line: string;
  readonly meaning: string;
}

/** What follows `schbench-ts`, by command; a command that is not here takes only options. */
export const USAGE: Readonly<Record<string, readonly string[]>> = {
  run: ["[run] [OPTIONS]"],
  help: ["help [COMMAND|TOPIC]"],
  completions: ["completions bash|zsh|fish"],
};

/** Examples, by command. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  run: [
    { line: "schbench-ts -m 1 -t 2 -r 10", meaning: "one message thread, two workers, ten seconds" },
    { line: "schbench-ts -R 1000 -t 4 --details", meaning: "offer 1000 requests per second" },
    { line: "schbench-ts -L -m 4 -M auto -t 256 -n 0 -s 0", meaning: "a wakeup storm, message threads pinned" },
    { line: "schbench-ts -p 4k -j - -r 5", meaning: "pipe mode, the result as JSON on standard output" },
  ],
  help: [{ line: "schbench-ts help pinning", meaning: "how -M and -W work" }],
  completions: [
    {
      line: "schbench-ts completions bash > ~/.local/share/bash-completion/completions/schbench-ts",
      meaning: "for bash",
    },
  ],
};
