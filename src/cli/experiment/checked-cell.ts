/** The flags of an experiment's runs, checked before the first of them as our engine will read them. */
import { UsageError, UserError } from "../../errors.js";
import type { Cell, Subject } from "../../experiment/subject.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { joinWords } from "../../options/values/shell-words.js";
import { loadThreads } from "../../options/values/load-language.js";
import { resolveRun } from "../../options/run/run-options.js";
import { runOptions } from "../../options/run/run-table.js";
import { type MachineHere, readMachineHere } from "../../platform/machine/machine-here.js";
import { refuseBeyondLimits, threadLimits } from "../../platform/limits/thread-limits.js";
import { hostFiles } from "../../platform/files.js";

/** Options of a run that an experiment sets itself. */
const OWN = ["jsonFile", "htmlFile"] as const;

/** Threads that no run here could start are found before the runs of hours that come first. */
const refuseThreads = ({ messageThreads, workerThreads, loads = [] }: RunPlan, flags: readonly string[]): void => {
  const loadsThreads = loads.reduce((sum, load) => sum + loadThreads(load), 0);
  try {
    refuseBeyondLimits(messageThreads * (workerThreads + 1) + loadsThreads, () => threadLimits(hostFiles));
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    throw new UserError(`${joinWords(flags)}: ${thrown.message}`, `Give smaller values. ${thrown.remedy ?? ""}`.trim());
  }
};

const runtimeOf = (flags: readonly string[], machine: MachineHere, isHere: boolean): number => {
  const { options, given } = parseCommandLine(flags, runOptions);
  const { plan } = resolveRun(options, machine);
  if (isHere) refuseThreads(plan, flags);
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
export const checkedCell = (cell: Cell, subjects: readonly Subject[], machine?: MachineHere): Cell => {
  const here = machine ?? readMachineHere(hostFiles);
  const engines = subjects.filter((subject) => subject.launch.kind === "engine");
  const runtimes = engines.map((subject) =>
    runtimeOf(
      [...cell.flags, ...cell.engineFlags, ...subject.flags],
      here,
      machine === undefined && subject.place === undefined,
    ),
  );
  if (runtimes.length > 0) return { ...cell, runtimeSec: Math.max(...runtimes) };
  try {
    return { ...cell, runtimeSec: runtimeOf(cell.flags, here, false) };
  } catch {
    return cell;
  }
};
