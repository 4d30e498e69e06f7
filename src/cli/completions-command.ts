/** `schbench-ts completions SHELL`: prints the completion script of a shell. */
import { EXIT, UsageError } from "../errors.js";
import { parseCommandLine } from "../options/command-line.js";
import type { Command } from "./command.js";
import { bashCompletion } from "./completions-bash.js";
import { fishCompletion } from "./completions-fish.js";
import { type CompletionPage, completionPages } from "./completions.js";
import { zshCompletion } from "./completions-zsh.js";
import { loadPages } from "./help-page.js";
import { HELP_TOPICS } from "./help-topics.js";

/** The shells, and the script of each. */
export const SHELLS: readonly {
  readonly name: string;
  readonly script: (pages: readonly CompletionPage[]) => string;
}[] = [
  { name: "bash", script: bashCompletion },
  { name: "zsh", script: zshCompletion },
  { name: "fish", script: fishCompletion },
];

/** Prints a completion script. */
export const completionsCommand: Command = {
  name: "completions",
  summary: "print the completion script for bash, zsh or fish",
  run: async (argv, io) => {
    const { positionals } = parseCommandLine(argv, [], { name: "SHELL", min: 0, max: 1 });
    const names = SHELLS.map(({ name }) => name).join(", ");
    if (positionals[0] === undefined) throw new UsageError(`a SHELL is missing: allowed is one of ${names}`);
    const shell = SHELLS.find(({ name }) => name === positionals[0]);
    if (shell === undefined) throw new UsageError(`no completions for "${positionals[0]}": allowed is one of ${names}`);
    io.stdout.write(shell.script(completionPages(await loadPages(), Object.keys(HELP_TOPICS))));
    return EXIT.ok;
  },
};
