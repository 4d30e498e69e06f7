/**
 * A run between its subject's shell commands: set-up, prepare, run, tear-down. The tear-down runs whatever happened, once
 * the set-up was begun, and what a set-up left in the background (a scheduler, say) is ended after it. No upstream
 * counterpart.
 */
import { messageOf, UserError } from "../errors.js";
import type { Laboratory, ShellOutcome } from "./laboratory.js";
import type { Slot } from "./record.js";
import type { Subject } from "./subject.js";

/** An experiment was stopped from outside; what was running is not recorded. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A place is gone in the middle of a run: it panicked, or its connection broke. There is nothing to tear down any more. */
export class PlaceLost extends UserError {
  override readonly name = "PlaceLost";
}

/** The last lines of an output, indented, to be shown under an error. */
export const quoteOutput = (output: string, lines = 20): string => {
  const all = output.trimEnd().split("\n");
  const shown = all.slice(-lines).map((line) => `  | ${line}`);
  if (output.trim() === "") return "It printed nothing.";
  return ["It printed:", ...(all.length > lines ? [`  | … (${all.length - lines} lines before)`] : []), ...shown].join(
    "\n",
  );
};

/** Tells the commands which run they are for. */
const environmentOf = (slot: Slot): Readonly<Record<string, string>> => ({
  SCHBENCH_SUBJECT: slot.subject,
  SCHBENCH_CELL: slot.cell,
  SCHBENCH_ROUND: String(slot.round),
});

type Step = "setup" | "prepare" | "teardown";
const STEP_NAMES = { setup: "set-up", prepare: "prepare command", teardown: "tear-down" } as const satisfies Record<
  Step,
  string
>;

/**
 * Does a script start something in the background that is to be there during the run? A shell that waits for it, or a
 * process that leaves the group, has nothing to show afterwards.
 */
const startsInBackground = (script: string): boolean =>
  /(?<![&<>|])&(?![&>\d])/u.test(script) && !/\bwait\b|\bsetsid\b|daemon/u.test(script);

/**
 * Does `body` between the subject's commands. A command that fails, or that starts something in the background which is
 * gone before the run (a scheduler that is not installed, say), is a UserError with its output.
 */
export const withSurroundings = async <T>(
  who: Subject,
  slot: Slot,
  lab: Pick<Laboratory, "shell">,
  signal: AbortSignal,
  body: () => Promise<T>,
): Promise<T> => {
  const left: (() => Promise<void>)[] = [];
  const perform = async (step: Step, stop: AbortSignal): Promise<void> => {
    const script = who[step];
    if (script === null) return;
    const outcome: ShellOutcome = await lab.shell({ script, env: environmentOf(slot), signal: stop });
    if (outcome.endLeftOvers !== null) left.push(outcome.endLeftOvers);
    if (stop.aborted) throw new Interrupted();
    if (outcome.exitCode !== 0)
      throw new UserError(
        `${STEP_NAMES[step]} of subject "${who.name}" failed: "${script}" ended with ${outcome.exitCode ?? "a signal"}`,
        quoteOutput(outcome.output),
      );
    if (step !== "teardown" && outcome.endLeftOvers === null && startsInBackground(script))
      throw new UserError(
        `${STEP_NAMES[step]} of subject "${who.name}" left nothing running: what "${script}" started in the background has already ended`,
        quoteOutput(outcome.output),
      );
  };
  /** Not stopped by the signal: a machine is never left half-way. */
  const clear = async (): Promise<void> => {
    try {
      await perform("teardown", new AbortController().signal);
    } finally {
      for (const end of left.toReversed()) await end();
    }
  };

  let value: T;
  try {
    await perform("setup", signal);
    await perform("prepare", signal);
    value = await body();
  } catch (thrown) {
    if (thrown instanceof PlaceLost) throw thrown;
    try {
      await clear();
    } catch (second) {
      if (!(thrown instanceof UserError)) throw second;
      throw new UserError(`${thrown.message}; then the ${messageOf(second)}`, thrown.remedy, { cause: thrown });
    }
    throw thrown;
  }
  await clear();
  return value;
};
