/** How many threads each subject of an experiment runs on this machine: where -t is left out, that follows the CPUs. */
import { UsageError } from "../../errors.js";
import type { ExperimentHeader } from "../../experiment/record.js";
import type { MachineAnswer } from "../../fleet/answer.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import { resolveRun } from "../../options/run/run-options.js";
import { runOptions } from "../../options/run/run-table.js";
import type { MachineHere } from "../../platform/machine/machine-here.js";

const threadsOf = (flags: readonly string[], here: MachineHere): string | null => {
  try {
    const { plan } = resolveRun(parseCommandLine(flags, runOptions).options, here);
    return `${plan.messageThreads} x ${plan.workerThreads}`;
  } catch {
    // Another schbench may have options that ours does not know.
    return null;
  }
};

/** The threads of every subject under every setting, in the header's order. */
export const threadsHere = (
  { subjects, cells }: Pick<ExperimentHeader, "subjects" | "cells">,
  here: MachineHere,
): MachineAnswer["threads"] =>
  cells.flatMap((cell) =>
    subjects.map((subject) => ({
      subject: subject.name,
      cell: cell.name,
      threads: threadsOf([...cell.flags, ...cell.engineFlags, ...subject.flags], here),
    })),
  );

/** A machine of so many CPUs on which every flag is fine: what a node of a cluster is known to be. */
export const anyMachine = (cpus: number): MachineHere => ({
  allowedCpus: Array.from({ length: cpus }, (_, cpu) => cpu),
  refusalOf: () => null,
  isRealTimeUnlimited: () => false,
  schedRefusalOf: () => null,
});

/**
 * Refuses an experiment whose threads follow the CPUs of machines that are not known yet.
 *
 * @throws UsageError
 */
export const refuseDefaultThreads = (
  planOn: (machine: MachineHere) => Pick<ExperimentHeader, "subjects" | "cells">,
): void => {
  const [few, more] = [2, 3].map((cpus) => threadsHere(planOn(anyMachine(cpus)), anyMachine(cpus)));
  if (JSON.stringify(few) !== JSON.stringify(more))
    throw new UsageError(
      "nodes with different numbers of CPUs would run different numbers of threads: -t is left out, and its default follows the CPUs",
      "Give -m and -t after the --.",
    );
};
