/** From parsed options back to a command line that means the same, for a command that starts another. Pure. */
import { at } from "../at.js";
import type { OptionSpec, OptionTable } from "./option-table.js";

type Value = boolean | string | number;

const wordsOfOne = (spec: OptionSpec, value: Value): readonly string[] => {
  const name = `--${at(spec.long, 0)}`;
  if (spec.kind === "flag") return value === true ? [name] : [];
  return [`${name}=${String(value)}`];
};

/**
 * The words of some options: one for each value of a repeated one; a CPU list is one value.
 *
 * @param values as parseCommandLine gives them
 */
export const optionWords = (
  table: OptionTable,
  values: Readonly<Record<string, Value | readonly Value[] | null>>,
): readonly string[] =>
  table.flatMap((spec) => {
    const value = values[spec.id] ?? null;
    if (value === null) return [];
    if (typeof value !== "object") return wordsOfOne(spec, value);
    return spec.kind === "cpus" ? wordsOfOne(spec, value.join(",")) : value.flatMap((one) => wordsOfOne(spec, one));
  });
