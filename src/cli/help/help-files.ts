/** Every committed file that is made from the option tables, with its text; scripts/docs.mjs writes or checks them. */
import { completionPages } from "./completions.js";
import { globalOptions } from "../options/global-options.js";
import { optionsDocument } from "./help-docs.js";
import { manPage } from "./help-man.js";
import type { CommandBook } from "./help-page.js";
import { HELP_TOPICS } from "./help-topics.js";
import { SHELLS } from "./shells.js";
import { packageVersion } from "../../platform/package-version.js";

const COMPLETION_FILES: Readonly<Record<string, string>> = {
  bash: "completions/schbench-ts.bash",
  zsh: "completions/_schbench-ts",
  fish: "completions/schbench-ts.fish",
};

/** Paths relative to the repository, and texts. */
export const generatedFiles = async (
  book: CommandBook,
): Promise<readonly { readonly path: string; readonly text: string }[]> => {
  const pages = await book.pages();
  const completed = completionPages(pages, Object.keys(HELP_TOPICS));
  return [
    { path: "docs/options.md", text: optionsDocument(pages, globalOptions) },
    { path: "man/schbench-ts.1", text: manPage(pages, HELP_TOPICS, globalOptions, packageVersion()) },
    ...SHELLS.map(({ name, script }) => ({
      path: COMPLETION_FILES[name] ?? `completions/${name}`,
      text: script(completed),
    })),
  ];
};
