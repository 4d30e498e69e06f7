/** An experiment that runs on other machines, or is written out as a job for them. */
import { EXIT, type ExitCode } from "../../errors.js";
import type { OptionTable } from "../../options/line/option-table.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import type { Io } from "../io/command.js";
import { conductFleet } from "./conduct-fleet.js";
import { conductSlurm, SLURM } from "./conduct-slurm.js";
import type { FleetEnd, FleetLine, PlanOn } from "./fleet-line.js";
import { printedJob, refuseJobOptions } from "./print-job.js";

/** A command's part in it. */
export interface Elsewhere {
  readonly line: FleetLine;
  readonly table: OptionTable;
  readonly planOn: PlanOn;
  /** Judges the runs that were kept, a file for each machine. */
  readonly judge: (stores: FleetEnd["stores"]) => Promise<ExitCode>;
}

/** Runs it there and judges it here; null: the command line does not ask for it. */
export const runElsewhere = async (
  { line, table, planOn, judge }: Elsewhere,
  world: ExperimentWorld,
  io: Io,
): Promise<ExitCode | null> => {
  const { on, printJob } = line.options;
  refuseJobOptions(line);
  if (printJob !== null) {
    io.stdout.write(await printedJob(line, table, planOn, world.nowMsec()));
    return EXIT.ok;
  }
  if (on.length === 0) return null;
  const { stores, exitCode, isInterrupted } = await (on.includes(SLURM)
    ? conductSlurm(line, table, planOn, world, io)
    : conductFleet(line, table, world, io));
  if (isInterrupted && exitCode !== null) return exitCode;
  const verdict = await judge(stores);
  return exitCode ?? verdict;
};
