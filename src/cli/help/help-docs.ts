/** docs/options.md, from the pages of the commands. */
import { defaultText, type OptionSpec, type OptionTable, valueName } from "../../options/line/option-table.js";
import { allowedNumbers } from "../../options/line/option-value.js";
import { spellingsOf } from "./completions.js";
import { type CommandPage, groupsOf } from "./help-page.js";

const cell = (text: string) => text.replaceAll("|", "\\|");
const code = (text: string) => `\`${text}\``;

const allowedText = (spec: OptionSpec): string => {
  if (spec.kind === "flag") return "";
  if (spec.kind === "choice") return spec.choices.map(code).join(", ");
  if (spec.kind === "cpus") return `CPU list such as ${code("0-3,8")}${spec.auto ? `, or ${code("auto")}` : ""}`;
  if (spec.kind === "cgroup") return `settings such as ${code("weight=100,max=50000/100000")}`;
  if (spec.kind === "sched") return `scheduling attributes such as ${code("batch,nice=5")}`;
  if (spec.kind === "group") return `such as ${code("short=4:slice=500")}`;
  if ("min" in spec) return allowedNumbers(spec);
  return spec.kind === "file" ? `file, ${code("-")} for the standard stream` : (valueName(spec) ?? "");
};

const optionRow = (spec: OptionSpec): string => {
  const names = spellingsOf(spec).map(code).join(" ");
  const repeated = "repeated" in spec && spec.repeated ? "; can be repeated" : "";
  return `| ${[names, allowedText(spec), defaultText(spec) ?? "", spec.meaning + repeated].map(cell).join(" | ")} |`;
};

const optionTables = (table: OptionTable): readonly string[] =>
  groupsOf(table).flatMap(({ title, options }) => [
    `**${title}**`,
    "",
    "| option | value | default | meaning |",
    "|---|---|---|---|",
    ...options.map(optionRow),
    "",
  ]);

const exampleBlock = ({ examples }: CommandPage): readonly string[] =>
  examples.length === 0 ? [] : ["```sh", ...examples.flatMap(({ line, meaning }) => [`# ${meaning}`, line]), "```", ""];

const commandSection = (page: CommandPage): readonly string[] => [
  `## ${page.name}`,
  "",
  `${page.summary.charAt(0).toUpperCase()}${page.summary.slice(1)}.`,
  "",
  "```",
  ...page.usage.map((form) => `schbench-ts ${form}`),
  "```",
  "",
  ...optionTables(page.options),
  ...exampleBlock(page),
];

/** The text of docs/options.md. */
export const optionsDocument = (pages: readonly CommandPage[], globals: OptionTable): string => {
  const lines = [
    "# Options",
    "",
    "Every option of every command. This page is made from the option tables by `node scripts/docs.mjs`; edit those.",
    "",
    "Short options may be joined to their value (`-m2`) and clustered (`-CL`); long ones take `--name VALUE` or `--name=VALUE`.",
    "When an option is given twice, the last one counts. `--` ends the options.",
    "",
    "## Every command",
    "",
    ...optionTables(globals),
    ...pages.flatMap(commandSection),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
};
