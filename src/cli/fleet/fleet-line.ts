/** A command line of an experiment that names other machines: what it asks for, and what of it the machines get. Pure. */
import { type ExitCode, UsageError } from "../../errors.js";
import { isPlain } from "../../fleet/plain-words.js";
import type { OptionTable, OptionValues } from "../../options/line/option-table.js";
import { optionWords } from "../../options/line/option-words.js";
import { splitWords } from "../../options/values/shell-words.js";
import type { MachineHere } from "../../platform/machine/machine-here.js";
import type { ExperimentPlan } from "../experiment/conduct-experiment.js";
import type { untilOptions } from "../experiment/until-decided.js";
import { conductOptions } from "../options/experiment-options.js";
import { fleetOptions } from "../options/fleet-options.js";
import { judgeOptions } from "../options/judge-options.js";
import { STREAM } from "./stream-store.js";

type KnownOptions = OptionValues<typeof conductOptions> &
  OptionValues<typeof fleetOptions> &
  OptionValues<typeof judgeOptions> &
  Partial<OptionValues<typeof untilOptions>>;

/** The commands that take machines. */
export type FleetCommand = "ab" | "sweep";

/** A command line that names machines. */
export interface FleetLine {
  readonly command: FleetCommand;
  readonly options: KnownOptions & Parameters<typeof optionWords>[1];
  readonly rest: readonly string[] | null;
}

/** What became of it. */
export interface FleetEnd {
  /** Where the runs of each machine are, in the order of the machines. */
  readonly stores: readonly { readonly name: string; readonly path: string }[];
  /** null: all runs are made; else there are fewer than were planned. */
  readonly exitCode: ExitCode | null;
  readonly isInterrupted: boolean;
}

/** The experiment that a line asks for, its flags checked for a machine. */
export type PlanOn = (machine: MachineHere) => ExperimentPlan;

/** What is decided and kept here, and is not for the machines. */
const isForMachines = ({ id }: { readonly id: string }): boolean =>
  [...conductOptions, ...fleetOptions, ...judgeOptions].every((ours) => ours.id !== id);

/** The command line that a machine gets, with the order of its runs. */
export const wordsFor = (
  { command, options, rest }: FleetLine,
  table: OptionTable,
  seed: number,
): readonly string[] => [
  command,
  ...optionWords(table.filter(isForMachines), options),
  `--seed=${seed}`,
  "--quiet",
  "--",
  ...(rest ?? []),
];

/**
 * The words of our command on other machines.
 *
 * @throws UsageError for a word that a shell there would read in its own way
 */
export const readProgram = (text: string): readonly string[] => {
  const program = splitWords(text);
  const odd = program.find((word) => !isPlain(word));
  if (program.length === 0 || odd !== undefined)
    throw new UsageError(
      `invalid value "${text}" for --on-command: allowed are words of letters, digits and _./:,@-`,
      "What stands between here and there may read other letters in its own way.",
    );
  return program;
};

/** Refuses what does not go with several machines; throws UsageError. */
export const refuseWith = ({ options }: FleetLine): void => {
  if ((options.until ?? null) !== null)
    throw new UsageError(
      "cannot combine --until with --on: each machine would stop at another number of runs",
      "Give --runs.",
    );
  if (options.store === STREAM)
    throw new UsageError('cannot keep the runs of several machines in "-"', "With --on, -o names a directory.");
};
