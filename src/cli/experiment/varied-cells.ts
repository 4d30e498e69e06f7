/** The cells of an experiment: one for every combination of what `--vary` names, or a single one. */
import { at } from "../../at.js";
import type { Cell, Subject } from "../../experiment/subject.js";
import { readAllVaried, type SweepPoint, sweepPoints, type Varied } from "../../experiment/vary.js";
import type { OptionSpec } from "../../options/line/option-table.js";
import { runOptions } from "../../options/run/run-table.js";
import type { MachineHere } from "../../platform/machine/machine-here.js";
import { checkedCell } from "./checked-cell.js";
import { refuseLarge } from "./grid-size.js";

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

/** What cells are made of. */
export interface AskedCells {
  readonly vary: readonly string[];
  /** Benchmark flags that all cells have. */
  readonly flags: readonly string[];
  readonly subjects: readonly Subject[];
  /** That the runs are for; undefined: this one. */
  readonly machine: MachineHere | undefined;
  readonly rounds: number;
  /** A large grid is meant. */
  readonly large: boolean;
}

const pointsOf = (
  varied: readonly Varied[],
  { vary, flags, subjects, machine, rounds, large }: AskedCells,
): readonly SweepPoint[] => {
  if (varied.length === 0) return [];
  const settings = varied.reduce((product, { values }) => product * values.length, 1);
  // The first setting says how long a run takes, before all of them are laid out.
  const [first] = sweepPoints(
    varied.map((one) => ({ ...one, values: one.values.slice(0, 1) })),
    flags,
  );
  const runtimeSec = first === undefined ? null : checkedCell(first.cell, subjects, machine).runtimeSec;
  refuseLarge({ vary, settings, subjects: subjects.length, rounds, runtimeSec }, large);
  return sweepPoints(varied, flags);
};

/**
 * Reads what is varied and checks the flags of every cell.
 *
 * @throws UsageError
 */
export const variedCells = (asked: AskedCells): VariedCells => {
  const { vary, flags, subjects, machine } = asked;
  const varied = readAllVaried(vary, runOptions);
  const points = pointsOf(varied, asked);
  const only = { name: "run", flags: [...flags], engineFlags: [], runtimeSec: null, rounds: null };
  const all = points.length === 0 ? [{ cell: only, values: [] }] : points;
  return {
    varied,
    names: varied.map(({ name }) => name),
    cells: all.map(({ cell, values }) => ({ cell: checkedCell(cell, subjects, machine), values })),
  };
};
