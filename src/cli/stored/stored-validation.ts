/** A validation that was run before, or is still running: its plan and its runs, from the file that keeps them. */
import { UsageError, UserError } from "../../errors.js";
import type { ExperimentHeader, RunRecord } from "../../experiment/record.js";
import { isExperiment } from "../../experiment/read-experiment.js";
import type { Io } from "../io/command.js";
import { openText } from "../io/open-text.js";
import { onceInExperiment } from "./repeated-records.js";
import { keepAll, readStore } from "./stored-runs.js";

/** Options that say what to run, which the file says already. */
const RUNNING = {
  references: "--reference",
  ours: "--ours",
  axes: "--axes",
  quick: "--quick",
  runs: "--runs",
  runtime: "--runtime",
  untilDecided: "--until-decided",
  store: "--store",
} as const;

const isRunning = (id: string): id is keyof typeof RUNNING => Object.hasOwn(RUNNING, id);

/** Plan, references and runs of a stored validation. Other programs than our engine are its references. */
export const storedValidation = async (
  path: string,
  given: ReadonlySet<string>,
  io: Io,
): Promise<{
  readonly header: ExperimentHeader;
  readonly references: readonly string[];
  readonly records: () => readonly RunRecord[];
}> => {
  const clash = [...given].find(isRunning);
  if (clash !== undefined)
    throw new UsageError(
      `cannot combine --from with ${RUNNING[clash]}: the file says what was run`,
      "Leave it out; --policy, --margin and --envelope judge the same runs again.",
    );
  const input = await openText(path, io);
  const stored = isExperiment(input.head)
    ? onceInExperiment(await readStore(input, path, { keep: keepAll, io }), path, io)
    : null;
  if (stored === null || stored.header.kind !== "validate")
    throw new UserError(
      `"${path}" does not hold the runs of a validation`,
      "Give the file that validate -o FILE wrote.",
    );
  const { header, records } = stored;
  const references = header.subjects.filter(({ launch }) => launch.kind === "external").map(({ name }) => name);
  return { header, references, records: () => records };
};
