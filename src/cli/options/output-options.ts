/** The options that say in which form findings are given. */
import type { OptionSpec } from "../../options/line/option-table.js";

/** How findings are printed. */
const formatOption = {
  id: "format",
  kind: "choice",
  long: ["format"],
  group: "Output",
  meaning: "output format",
  choices: ["text", "markdown", "json"],
  default: "text",
} as const satisfies OptionSpec;

/** How a comparison is printed: for people, for mails, for programs and for test farms. */
export const comparisonFormatOption = {
  ...formatOption,
  choices: ["text", "mail", "markdown", "csv", "json", "junit", "tap", "github"],
} as const satisfies OptionSpec;

/** A report beside what is printed. */
export const htmlOption = {
  id: "html",
  kind: "file",
  long: ["html"],
  group: "Output",
  meaning: "write an HTML report with charts, in one self-contained file",
} as const satisfies OptionSpec;
