/** The cells of an experiment: one for every combination of what `--vary` names, or a single one. */
import { at } from "../../at.js";
import { UsageError } from "../../errors.js";
import type { Cell, Subject } from "../../experiment/subject.js";
import { readAllVaried, sweepPoints, type Varied } from "../../experiment/vary.js";
import type { OptionSpec } from "../../options/line/option-table.js";
import { runOptions } from "../../options/run/run-table.js";
import type { MachineHere } from "../../platform/machine/machine-here.js";
import { checkedCell } from "./checked-cell.js";

/** The option, for `ab` and `sweep` alike. */
export const varyOption = {
  id: "vary",
  kind: "text",
  long: ["vary"],
  group: "Settings",
  meaning: "an option and its values: t=1,2,4..64 doubles, s=0..500+100 goes in steps, L=off,on",
  valueName: "OPTION=VALUES",
  repeated: true,
  offered: runOptions.flatMap(({ hidden, kind, short, long }: OptionSpec) =>
    hidden === true || kind === "file" || kind === "text" ? [] : [`${short ?? at(long, 0)}=`],
  ),
} as const satisfies OptionSpec;

/** More points than this are a slip of the pen. */
const MAX_POINTS = 2000;

/** One combination of settings. */
export interface VariedCell {
  readonly cell: Cell;
  /** One per varied option. */
  readonly values: readonly string[];
}

/** What is varied, and the cells. */
export interface VariedCells {
  readonly varied: readonly Varied[];
  /** Names of the varied options. */
  readonly names: readonly string[];
  readonly cells: readonly VariedCell[];
}

/**
 * Reads what is varied and checks the flags of every cell.
 *
 * @param flags benchmark flags that all cells have
 * @param machine that the runs are for; default: this one
 * @throws UsageError
 */
export const variedCells = (
  vary: readonly string[],
  flags: readonly string[],
  subjects: readonly Subject[],
  machine?: MachineHere,
): VariedCells => {
  const varied = readAllVaried(vary, runOptions);
  const points = varied.length === 0 ? [] : sweepPoints(varied, flags);
  if (points.length > MAX_POINTS)
    throw new UsageError(`--vary gives ${points.length} combinations: at most ${MAX_POINTS} are allowed`);
  const only = { name: "run", flags: [...flags], engineFlags: [], runtimeSec: null, rounds: null };
  const all = points.length === 0 ? [{ cell: only, values: [] }] : points;
  return {
    varied,
    names: varied.map(({ name }) => name),
    cells: all.map(({ cell, values }) => ({ cell: checkedCell(cell, subjects, machine), values })),
  };
};
