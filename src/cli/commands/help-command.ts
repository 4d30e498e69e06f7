/** `schbench-ts help [COMMAND|TOPIC]` and `--help`: on standard output, exit code 0. */
import { EXIT } from "../../errors.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import { UnknownNameError } from "../../options/values/unknown-name.js";
import type { CommandBook } from "../help/help-page.js";
import { commandText, helpWidth, overviewText, topicText } from "../help/help-text.js";
import { HELP_TOPICS } from "../help/help-topics.js";
import type { Command } from "../io/command.js";
import { globalOptions } from "../options/global-options.js";

const helpOn = async (subject: string | undefined, book: CommandBook, width: number): Promise<string> => {
  if (subject === undefined) {
    const [run, pages] = await Promise.all([book.page("run"), book.pages()]);
    return overviewText(run, pages, HELP_TOPICS, globalOptions, width);
  }
  if (book.names.includes(subject)) return commandText(await book.page(subject), globalOptions, width);
  const topic = Object.entries(HELP_TOPICS).find(([name]) => name === subject)?.[1];
  if (topic !== undefined) return topicText(subject, topic, width);
  const known = [...book.names, ...Object.keys(HELP_TOPICS)];
  const message = `no help on "${subject}": allowed is a command or topic, ${known.join(", ")}`;
  throw new UnknownNameError(message, subject, known);
};

/** Shows help on everything, on a command of the book or on a topic. */
export const helpCommandOf = (book: CommandBook): Command => ({
  name: "help",
  summary: "explain a command or a topic",
  run: async (argv, io) => {
    const { positionals } = parseCommandLine(argv, [], { name: "COMMAND or TOPIC", min: 0, max: 1 });
    io.stdout.write(await helpOn(positionals[0], book, helpWidth(io.stdout.columns)));
    return EXIT.ok;
  },
});
