/** The man page, from the pages of the commands: roff with the `man` macros. */
import type { OptionSpec, OptionTable } from "../../options/line/option-table.js";
import { valueName } from "../../options/line/option-table.js";
import { spellingsOf } from "./completions.js";
import { type CommandPage, groupsOf } from "./help-page.js";
import { optionMeaning } from "./help-text.js";
import type { HelpTopic } from "./help-topics.js";

/** Text that roff prints as it stands, in any locale. */
const literal = (text: string) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll(/^([.'])/gm, "\\&$1");

const optionLines = (spec: OptionSpec): readonly string[] => {
  const value = valueName(spec);
  const names = spellingsOf(spec).map((name) => `\\fB${literal(name)}\\fR`);
  return [
    ".TP",
    `${names.join(", ")}${value === undefined ? "" : ` \\fI${literal(value)}\\fR`}`,
    literal(optionMeaning(spec)),
  ];
};

const optionSections = (table: OptionTable): readonly string[] =>
  groupsOf(table).flatMap(({ title, options }) => [`.SS ${title}`, ...options.flatMap(optionLines)]);

const exampleLines = (page: CommandPage): readonly string[] =>
  page.examples.flatMap(({ line, meaning }) => [".TP", `\\fB${literal(line)}\\fR`, literal(meaning)]);

const commandLines = (page: CommandPage): readonly string[] => [
  `.SS ${literal(page.name)}`,
  literal(`${page.summary}.`),
  ...page.usage.flatMap((form) => [".PP", `\\fBschbench\\-ts\\fR ${literal(form)}`]),
  ...page.options.flatMap(optionLines),
];

const topicLines = ([name, { summary, paragraphs, rows = [] }]: [string, HelpTopic]): readonly string[] => [
  `.SS ${literal(name)}`,
  literal(`${summary}.`),
  ...paragraphs.flatMap((paragraph) =>
    paragraph.startsWith("  ") ? [".PP", ".nf", literal(paragraph), ".fi"] : [".PP", literal(paragraph)],
  ),
  ...rows.flatMap(([head, meaning]) => [".TP", `\\fB${literal(head)}\\fR`, literal(meaning)]),
];

/** The source of schbench-ts(1). */
export const manPage = (
  pages: readonly CommandPage[],
  topics: Readonly<Record<string, HelpTopic>>,
  globals: OptionTable,
  version: string,
): string => {
  const run = pages.filter(({ name }) => name === "run");
  const others = pages.filter(({ name }) => name !== "run");
  const lines = [
    `.TH SCHBENCH\\-TS 1 "" "schbench\\-ts ${literal(version)}" "User Commands"`,
    ".SH NAME",
    "schbench\\-ts \\- measure wakeup and request latencies of the Linux scheduler",
    ".SH SYNOPSIS",
    ...run.flatMap(({ usage }) => usage.flatMap((form) => [`\\fBschbench\\-ts\\fR ${literal(form)}`, ".br"])),
    "\\fBschbench\\-ts\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]",
    ".SH OPTIONS OF A RUN",
    ...run.flatMap(({ options }) => optionSections([...options, ...globals])),
    ".SH COMMANDS",
    ...others.flatMap(commandLines),
    ".SH CONCEPTS",
    ...Object.entries(topics).flatMap(topicLines),
    ".SH EXAMPLES",
    ...pages.flatMap(exampleLines),
  ];
  return `${lines.join("\n")}\n`;
};
