/** The options that say in which form findings are given. */
import type { OptionSpec } from "../../options/option-table.js";

/** How findings are printed. */
export const formatOption = {
  id: "format",
  kind: "choice",
  long: ["format"],
  group: "Output",
  meaning: "how the findings are printed",
  choices: ["text", "markdown", "json"],
  default: "text",
} as const satisfies OptionSpec;

/** A report beside what is printed. */
export const htmlOption = {
  id: "html",
  kind: "file",
  long: ["html"],
  group: "Output",
  meaning: "write a report with charts, one file that needs no network",
} as const satisfies OptionSpec;
