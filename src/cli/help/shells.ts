/** The shells that completion scripts are made for. */
import { bashCompletion } from "./completions-bash.js";
import { fishCompletion } from "./completions-fish.js";
import type { CompletionPage } from "./completions.js";
import { zshCompletion } from "./completions-zsh.js";

/** The shells, and the script of each. */
export const SHELLS: readonly {
  readonly name: string;
  readonly script: (pages: readonly CompletionPage[]) => string;
}[] = [
  { name: "bash", script: bashCompletion },
  { name: "zsh", script: zshCompletion },
  { name: "fish", script: fishCompletion },
];
