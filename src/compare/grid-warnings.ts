/** The doubts of many cells, each said once with where it holds. Pure. */
import type { Warning } from "../model/result/run-result.js";
import { harmlessWarnings } from "../model/result/warning-text.js";

/** The doubts of one cell. */
export interface CellWarnings {
  readonly cell: string;
  readonly warnings: readonly Warning[];
}

/** At most this many cells are named. */
const NAMED = 3;

const placesOf = (cells: readonly string[], all: number): string => {
  if (cells.length === all) return "";
  const named = cells.length <= NAMED ? cells.join(", ") : `${cells.length} of ${all} cells`;
  return ` (${named})`;
};

/** Figures differ from cell to cell; the sentence of the first stands for all that say the same otherwise. */
const sentenceOf = ({ code, message, cure }: Warning): string =>
  JSON.stringify([code, message.replaceAll(/\d+(?:\.\d+)?/g, "#"), cure]);

/** One warning for each thing to doubt, in the order in which it is met first. */
export const foldWarnings = (cells: readonly CellWarnings[]): readonly Warning[] => {
  const folded = new Map<string, { readonly warning: Warning; readonly cells: string[] }>();
  for (const { cell, warnings } of cells)
    for (const warning of warnings) {
      const known = folded.get(sentenceOf(warning));
      if (known === undefined) folded.set(sentenceOf(warning), { warning, cells: [cell] });
      else if (known.cells.at(-1) !== cell) known.cells.push(cell);
    }
  return harmlessWarnings(
    [...folded.values()].map(({ warning, cells: where }) => ({
      ...warning,
      message: `${warning.message}${placesOf(where, cells.length)}`,
    })),
  );
};
