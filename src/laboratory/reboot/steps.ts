/** What is done to the machine, as values: carried out one by one, or shown by a dry run. */
import { UserError } from "../../errors.js";
import { quoteOutput } from "../../experiment/surroundings.js";
import { joinWords } from "../../options/values/shell-words.js";
import type { RebootSystem } from "./system.js";

/** One effect. */
export type Step =
  | { readonly kind: "run"; readonly command: readonly string[] }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "remove"; readonly path: string };

/** A program with its arguments. */
export const running = (...command: readonly string[]): Step => ({ kind: "run", command });

/** Carries out steps in order; throws UserError for the first that fails, with what it printed. */
export const perform = async (system: RebootSystem, steps: readonly Step[]): Promise<void> => {
  for (const step of steps) {
    if (step.kind === "write") await system.write(step.path, step.text);
    else if (step.kind === "remove") await system.remove(step.path);
    else {
      const { exitCode, stdout, stderr } = await system.run(step.command);
      if (exitCode !== 0)
        throw new UserError(
          `"${joinWords(step.command)}" ended with ${exitCode === null ? "a signal" : `exit code ${exitCode}`}`,
          quoteOutput(`${stdout.toString("utf8")}${stderr}`),
        );
    }
  }
};

/** A step as lines for people. */
export const stepLines = (step: Step): readonly string[] => {
  if (step.kind === "run") return [joinWords(step.command)];
  if (step.kind === "remove") return [`rm ${joinWords([step.path])}`];
  const lines = step.text.trimEnd().split("\n");
  return [`write ${step.path}:`, ...lines.map((line) => `  | ${line}`)];
};
