/** The help as text for a terminal: pure, from the pages of the commands. */
import { defaultText, type OptionSpec, type OptionTable, valueName } from "../../options/line/option-table.js";
import type { CommandPage } from "./help-page.js";
import { groupsOf } from "./help-page.js";
import type { HelpTopic } from "./help-topics.js";

const MEANING_COLUMN = 33;
const MIN_WIDTH = 60;
const MAX_WIDTH = 110;

/** Width of the help for a terminal of so many columns; 80 where there is no terminal. */
export const helpWidth = (columns: number | undefined): number =>
  Math.min(Math.max(columns ?? 80, MIN_WIDTH), MAX_WIDTH);

/** Breaks text into lines of at most `width` characters at its spaces. */
const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && longer.length > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
};

/** A name in the left column, its meaning wrapped in the right one. */
const row = (name: string, meaning: string, column: number, width: number): string => {
  const [first = "", ...others] = wrap(meaning, width - column);
  const indent = " ".repeat(column);
  const head = name.length + 2 > column ? `${name}\n${indent}${first}` : name.padEnd(column) + first;
  return [head, ...others.map((line) => indent + line)].join("\n");
};

/** `-m, --message-threads N`: an option and its value. */
const optionHead = (spec: OptionSpec): string => {
  const value = valueName(spec);
  const short = spec.short === undefined ? "    " : `-${spec.short}, `;
  return `${short}--${spec.long[0]}${value === undefined ? "" : ` ${value}`}`;
};

/** The meaning of an option with what else help says of it: default, repetition. */
export const optionMeaning = (spec: OptionSpec): string => {
  const standard = defaultText(spec);
  const repeated = "repeated" in spec && spec.repeated ? "; can be repeated" : "";
  return `${spec.meaning}${repeated}${standard === undefined ? "" : ` (default: ${standard})`}`;
};

const optionBlocks = (table: OptionTable, width: number): readonly string[] =>
  groupsOf(table).map(({ title, options }) =>
    [
      `${title}:`,
      ...options.map((spec) => row(`  ${optionHead(spec)}`, optionMeaning(spec), MEANING_COLUMN, width)),
    ].join("\n"),
  );

const usageBlock = (usage: readonly string[], width: number) =>
  usage
    .map((form, index) => {
      const lines = wrap(`schbench-ts ${form}`, width - 11);
      return `${index === 0 ? "Usage:" : "      "} ${lines.join("\n           ")}`;
    })
    .join("\n");

const exampleBlock = ({ examples }: CommandPage): readonly string[] =>
  examples.length === 0
    ? []
    : [["Examples:", ...examples.flatMap(({ line, meaning }) => [`  ${line}`, `      ${meaning}`])].join("\n")];

const listBlock = (title: string, rows: readonly (readonly [string, string])[], width: number): string =>
  [`${title}:`, ...rows.map(([name, meaning]) => row(`  ${name}`, meaning, 16, width))].join("\n");

const text = (blocks: readonly string[]) => `${blocks.join("\n\n")}\n`;

/** `schbench-ts --help`: the options of a run, all commands and topics. */
export const overviewText = (
  run: CommandPage,
  pages: readonly CommandPage[],
  topics: Readonly<Record<string, HelpTopic>>,
  globals: OptionTable,
  width: number,
): string =>
  text([
    "schbench-ts: the scheduler benchmark schbench in TypeScript",
    usageBlock([...run.usage, "COMMAND [ARGUMENTS]"], width),
    ...optionBlocks([...run.options, ...globals], width),
    listBlock(
      "Commands",
      pages.map(({ name, summary }) => [name, summary]),
      width,
    ),
    listBlock(
      "Topics of schbench-ts help",
      Object.entries(topics).map(([name, { summary }]) => [name, summary]),
      width,
    ),
    ...exampleBlock(run),
  ]);

/** `schbench-ts COMMAND --help`. */
export const commandText = (page: CommandPage, globals: OptionTable, width: number): string =>
  text([
    wrap(`schbench-ts ${page.name}: ${page.summary}`, width).join("\n"),
    usageBlock(page.usage, width),
    ...optionBlocks([...page.options, ...globals], width),
    ...exampleBlock(page),
  ]);

/** `schbench-ts help TOPIC`. */
export const topicText = (name: string, topic: HelpTopic, width: number): string =>
  text([
    `${name}: ${topic.summary}`,
    ...topic.paragraphs.map((paragraph) =>
      paragraph.startsWith("  ") ? paragraph : wrap(paragraph, width).join("\n"),
    ),
    ...(topic.rows === undefined
      ? []
      : [topic.rows.map(([head, meaning]) => row(`  ${head}`, meaning, 18, width)).join("\n")]),
  ]);
