/** The flags of an experiment's runs, checked before the first of them as our engine will read them. */
import { UsageError } from "../../errors.js";
import type { Cell, Subject } from "../../experiment/subject.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import { resolveRun } from "../../options/run/run-options.js";
import { runOptions } from "../../options/run/run-table.js";
import { type MachineHere, readMachineHere } from "../../platform/machine/machine-here.js";
import { hostFiles } from "../../platform/files.js";

/** Options of a run that an experiment sets itself. */
const OWN = ["jsonFile", "htmlFile"] as const;

const runtimeOf = (flags: readonly string[], machine: MachineHere): number => {
  const { options, given } = parseCommandLine(flags, runOptions);
  resolveRun(options, machine);
  for (const id of OWN)
    if (given.has(id))
      throw new UsageError(
        `the benchmark flags of an experiment cannot include --${id === "jsonFile" ? "json" : "html"}: its runs are kept in the experiment's file`,
        "Use -o FILE, --format or --html before the --.",
      );
  if (options.runtimeSec === 0)
    throw new UsageError('-r "0" would never end: an experiment needs a run time', "Give -r SECONDS after the --.");
  return options.runtimeSec;
};

/**
 * The cell with its run time, after checking its flags as our engine will read them. An external program may know flags
 * that we do not: then its run time is unknown, unless one of our engines is a subject too.
 *
 * @param machine that the runs are for; default: this one
 */
export const checkedCell = (
  cell: Cell,
  subjects: readonly Subject[],
  machine: MachineHere = readMachineHere(hostFiles),
): Cell => {
  const engines = subjects.filter((subject) => subject.launch.kind === "engine");
  const runtimes = engines.map((subject) => runtimeOf([...cell.flags, ...cell.engineFlags, ...subject.flags], machine));
  if (runtimes.length > 0) return { ...cell, runtimeSec: Math.max(...runtimes) };
  try {
    return { ...cell, runtimeSec: runtimeOf(cell.flags, machine) };
  } catch {
    return cell;
  }
};
