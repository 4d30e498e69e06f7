/** Is a program what a validation needs as its reference: schbench, of the version with `--split`? Asked before any run. */
import { at } from "../at.js";
import { UserError } from "../errors.js";
import { checkStart, isMadeReady } from "../experiment/check-subjects.js";
import type { Laboratory } from "../experiment/laboratory.js";
import type { Subject } from "../experiment/subject.js";
import { quoteOutput } from "../experiment/surroundings.js";

/** Printing a usage takes no time; a program that does not end is not schbench. */
const TIMEOUT_MSEC = 5000;
/** How much of a foreign program's usage tells what it is. */
const SHOWN_LINES = 3;

/**
 * Asks a reference for its usage; one whose set-up or prepare command may make it ready is only seen when it runs.
 *
 * @throws UserError when it cannot be started, is not schbench, or is a schbench too old to be compared with
 */
export const checkReference = async (
  reference: Subject,
  lab: Pick<Laboratory, "execute" | "startFault">,
  signal: AbortSignal,
): Promise<void> => {
  if (reference.launch.kind !== "external" || reference.place !== undefined || isMadeReady(reference)) return;
  const { command } = reference.launch;
  await checkStart(reference, at(command, 0), lab);
  const asked = [...command, "--help"];
  const { stdout, stderr, timedOut } = await lab.execute({
    command: asked,
    env: reference.env,
    timeoutMsec: TIMEOUT_MSEC,
    watch: null,
    signal,
  });
  if (signal.aborted) return;
  const usage = stdout + stderr;
  const shown = command.join(" ");
  if (timedOut || !/schbench/i.test(usage) || !usage.includes("--runtime"))
    throw new UserError(
      `reference "${reference.name}" is not schbench: "${shown}" ${timedOut ? "did not end when asked for its usage" : "does not print schbench's usage"}`,
      quoteOutput(usage.trimStart().split("\n").slice(0, SHOWN_LINES).join("\n")),
    );
  if (!usage.includes("--split"))
    throw new UserError(
      `reference "${reference.name}" is another version of schbench: "${shown}" does not know --split`,
      "Build the reference from a schbench that has --split.",
    );
};
