/** `schbench-ts completions SHELL`: prints the completion script of a shell. */
import { EXIT, UsageError } from "../../errors.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import { completionPages } from "../help/completions.js";
import type { CommandBook } from "../help/help-page.js";
import { HELP_TOPICS } from "../help/help-topics.js";
import { SHELLS } from "../help/shells.js";
import type { Command } from "../io/command.js";

/** Prints a completion script for the commands of a book. */
export const completionsCommandOf = (book: CommandBook): Command => ({
  name: "completions",
  summary: "print the completion script for bash, zsh or fish",
  run: async (argv, io) => {
    const { positionals } = parseCommandLine(argv, [], { name: "SHELL", min: 0, max: 1 });
    const names = SHELLS.map(({ name }) => name).join(", ");
    if (positionals[0] === undefined) throw new UsageError(`a SHELL is missing: allowed is one of ${names}`);
    const shell = SHELLS.find(({ name }) => name === positionals[0]);
    if (shell === undefined) throw new UsageError(`no completions for "${positionals[0]}": allowed is one of ${names}`);
    io.stdout.write(shell.script(completionPages(await book.pages(), Object.keys(HELP_TOPICS))));
    return EXIT.ok;
  },
});
