/** How many threads each subject of an experiment runs on this machine: where -t is left out, that follows the CPUs. */
import type { ExperimentHeader } from "../../experiment/record.js";
import type { MachineAnswer } from "../../fleet/answer.js";
import { parseCommandLine } from "../../options/command-line.js";
import { resolveRun } from "../../options/run-options.js";
import { runOptions } from "../../options/run-table.js";
import type { MachineHere } from "../../platform/machine-here.js";

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
export const threadsHere = ({ subjects, cells }: ExperimentHeader, here: MachineHere): MachineAnswer["threads"] =>
  cells.flatMap((cell) =>
    subjects.map((subject) => ({
      subject: subject.name,
      cell: cell.name,
      threads: threadsOf([...cell.flags, ...cell.engineFlags, ...subject.flags], here),
    })),
  );
