/** Charts of many runs: a line or a mark for each would hide the others and make a page of many megabytes. Runs are summed up instead. */
import { ascending, medianOfAscending, quantileOfAscending } from "../../stats/sample.js";

/** Of more runs than this on one chart, all subjects together, none is drawn by itself. */
const MOST_DRAWN_RUNS = 60;

/** Are there too many to draw each? */
export const isMany = (subjects: readonly { readonly runs: { readonly length: number } }[]): boolean =>
  subjects.reduce((sum, { runs }) => sum + runs.length, 0) > MOST_DRAWN_RUNS;

/** What is drawn of some values (at least one): their median, and the range that holds eight in ten of them. */
export interface SummedUp {
  readonly middle: number;
  readonly lowest: number;
  readonly highest: number;
}

/** How a chart says it. */
export const SUMMED_UP = "median over runs; shaded: eight in ten of them";

/** Sums values up. */
export const summedUp = (values: readonly number[]): SummedUp => {
  const sorted = ascending(values);
  return {
    middle: medianOfAscending(sorted),
    lowest: quantileOfAscending(sorted, 0.1),
    highest: quantileOfAscending(sorted, 0.9),
  };
};
