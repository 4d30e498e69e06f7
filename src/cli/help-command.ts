/** `schbench-ts help [COMMAND|TOPIC]` and `--help`: on standard output, exit code 0. */
import { EXIT } from "../errors.js";
import { parseCommandLine } from "../options/command-line.js";
import { UnknownNameError } from "../options/unknown-name.js";
import type { Command } from "./command.js";
import { COMMANDS, RUN_ENTRY } from "./command-list.js";
import { globalOptions } from "./global-options.js";
import { loadPage, loadPages } from "./help-page.js";
import { commandText, helpWidth, overviewText, topicText } from "./help-text.js";
import { HELP_TOPICS } from "./help-topics.js";

const helpOn = async (subject: string | undefined, width: number): Promise<string> => {
  if (subject === undefined) {
    const [run, pages] = await Promise.all([loadPage(RUN_ENTRY), loadPages()]);
    return overviewText(run, pages, HELP_TOPICS, globalOptions, width);
  }
  const entry = COMMANDS.find(({ name }) => name === subject);
  if (entry !== undefined) return commandText(await loadPage(entry), globalOptions, width);
  const topic = Object.entries(HELP_TOPICS).find(([name]) => name === subject)?.[1];
  if (topic !== undefined) return topicText(subject, topic, width);
  const known = [...COMMANDS.map(({ name }) => name), ...Object.keys(HELP_TOPICS)];
  const message = `no help on "${subject}": allowed is a command or topic, ${known.join(", ")}`;
  throw new UnknownNameError(message, subject, known);
};

/** Shows help on everything, on a command or on a topic. */
export const helpCommand: Command = {
  name: "help",
  summary: "explain a command or a topic",
  run: async (argv, io) => {
    const { positionals } = parseCommandLine(argv, [], { name: "COMMAND or TOPIC", min: 0, max: 1 });
    io.stdout.write(await helpOn(positionals[0], helpWidth(io.stdout.columns)));
    return EXIT.ok;
  },
};
