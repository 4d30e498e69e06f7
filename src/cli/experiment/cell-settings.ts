/** What a cell's name says of its settings, and which cells are wanted. Pure. */
import { UserError } from "../../errors.js";
import type { OptionSpec } from "../../options/line/option-table.js";

/** The names and values in a cell's name, such as `t=4 F=256`; a cell of no settings has none. */
export const settingsIn = (cell: string): readonly (readonly [name: string, value: string])[] =>
  cell.split(" ").flatMap((part) => {
    const equals = part.indexOf("=");
    return equals < 0 ? [] : [[part.slice(0, equals), part.slice(equals + 1)] as const];
  });

/** Which settings of an experiment are looked at. */
export const cellOption = {
  id: "cells",
  kind: "text",
  long: ["cell"],
  group: "Settings",
  meaning: "only the settings that have these values, such as t=4",
  valueName: "OPTION=VALUE",
  repeated: true,
  defaultText: "all",
} as const satisfies OptionSpec;

/**
 * The items of the settings that are wanted: of each option that is named, one of its values.
 *
 * @throws UserError when there is none
 */
export const wantedCells = <T extends { readonly cell: string | null }>(
  items: readonly T[],
  wanted: readonly string[],
): readonly T[] => {
  if (wanted.length === 0) return items;
  const values = new Map<string, Set<string>>();
  for (const [option, value] of wanted.flatMap(settingsIn))
    values.set(option, (values.get(option) ?? new Set()).add(value));
  const matches = ({ cell }: T): boolean => {
    const has = new Map(settingsIn(cell ?? ""));
    return [...values].every(([option, allowed]) => allowed.has(has.get(option) ?? ""));
  };
  const kept = items.filter(matches);
  if (kept.length === 0 || values.size === 0) {
    const known = [...new Set(items.flatMap(({ cell }) => cell ?? []))];
    throw new UserError(
      `no setting has "${wanted.join(" ")}": ${known.length === 0 ? "these runs have none" : `allowed is ${known.join(", ")}`}`,
    );
  }
  return kept;
};
