/**
 * What a sweep varies: `t=1,2,4..64` into an option and its values. `a..b` doubles from a and ends with b; `a..b+s` goes
 * in steps of s. Options without a value take `on` and `off`. Pure; no upstream counterpart.
 */
import { at } from "../at.js";
import { UsageError } from "../errors.js";
import type { OptionSpec, OptionTable } from "../options/line/option-table.js";
import { UnknownNameError } from "../options/values/unknown-name.js";
import type { Cell } from "./subject.js";

/** One option with the values it takes in turn. */
export interface Varied {
  /** As it was written: `t`, `split`. */
  readonly name: string;
  readonly spec: OptionSpec;
  readonly values: readonly string[];
}

/** More values than this are a slip of the pen. */
const MAX_VALUES = 1_000_000;
const RANGE = /^(\d+)\.\.(\d+)(?:\+(\d+))?$/;
const SYNTAX = 'NAME=VALUES, such as "t=1,2,4..64" (doubling) or "s=0..500+100" (in steps)';

const expand = (item: string, argument: string): readonly string[] => {
  if (!item.includes("..")) return [item];
  const [, from, to, by] = RANGE.exec(item) ?? [];
  const [first, last, step] = [Number(from), Number(to), by === undefined ? null : Number(by)];
  if (from === undefined || last < first || step === 0 || (step === null && first === 0))
    throw new UsageError(
      `invalid range "${item}" in --vary "${argument}": allowed is a..b (doubling, a at least 1) or a..b+step, a below b`,
    );
  const values: number[] = [];
  for (let value = first; value < last && values.length <= MAX_VALUES; value = step === null ? value * 2 : value + step)
    values.push(value);
  // In steps the end counts only if a step meets it; a doubling range always ends with it.
  if (step === null || (last - first) % step === 0) values.push(last);
  return values.map(String);
};

/** Reads one `--vary` argument against the benchmark's options. */
export const readVaried = (argument: string, table: OptionTable): Varied => {
  const equals = argument.indexOf("=");
  const name = argument.slice(0, Math.max(equals, 0)).replace(/^--?/, "");
  if (equals < 0 || name === "") throw new UsageError(`invalid value "${argument}" for --vary: allowed is ${SYNTAX}`);
  const spec = table.find((candidate) => candidate.short === name || candidate.long.includes(name));
  if (spec === undefined)
    throw new UnknownNameError(
      `unknown option "${name}" in --vary "${argument}": allowed are the options of a run`,
      name,
      table.flatMap(({ long }) => long),
    );
  const values = argument
    .slice(equals + 1)
    .split(",")
    .flatMap((item) => expand(item.trim(), argument));
  if (values.some((value) => value === ""))
    throw new UsageError(`empty value in --vary "${argument}": allowed is ${SYNTAX}`);
  if (spec.kind === "flag" && values.some((value) => value !== "on" && value !== "off"))
    throw new UsageError(`invalid value in --vary "${argument}": allowed are on and off, ${name} takes no value`);
  if (values.length > MAX_VALUES)
    throw new UsageError(`--vary "${argument}" has more than ${MAX_VALUES} values: give fewer, or a larger step`);
  return { name, spec, values: [...new Set(values)] };
};

/**
 * Reads every `--vary` of a sweep.
 *
 * @throws UsageError also for an option that is varied twice: the second would hide the first
 */
export const readAllVaried = (args: readonly string[], table: OptionTable): readonly Varied[] => {
  const varied = args.map((argument) => readVaried(argument, table));
  varied.forEach(({ name, spec }, index) => {
    const first = varied.findIndex((other) => other.spec.id === spec.id);
    if (first < index)
      throw new UsageError(
        `option "${name}" is varied twice: "${at(args, first)}" and "${at(args, index)}"`,
        `Give all its values at once, as in --vary ${name}=1,2,4.`,
      );
  });
  return varied;
};

const flagsOf = ({ name, spec }: Varied, value: string): readonly string[] => {
  const spelling = spec.short === name ? `-${name}` : `--${name}`;
  if (spec.kind === "flag") return value === "on" ? [spelling] : [];
  return [spelling, value];
};

/** One point of a sweep: the cell, and the value of each varied option. */
export interface SweepPoint {
  readonly cell: Cell;
  readonly values: readonly string[];
}

/** Every combination of the values, the last option varying fastest. */
export const sweepPoints = (varied: readonly Varied[], flags: readonly string[]): readonly SweepPoint[] => {
  let rows: readonly (readonly string[])[] = [[]];
  for (const { values } of varied) rows = rows.flatMap((row) => values.map((value) => [...row, value]));
  return rows.map((values) => ({
    values,
    cell: {
      name: varied.map(({ name }, index) => `${name}=${at(values, index)}`).join(" "),
      flags: [...flags, ...varied.flatMap((option, index) => flagsOf(option, at(values, index)))],
      engineFlags: [],
      runtimeSec: null,
      rounds: null,
    },
  }));
};
