/** What the marks of a grid's tables mean, once under all of them. */
import type { GridComparison } from "../../compare/grid-comparison.js";
import { percentText } from "./comparison-text.js";

/** Lines of prose. */
export const gridLegend = (grid: GridComparison): readonly string[] => {
  const counts = grid.cells.flatMap(({ subjects }) => subjects.map(({ runs }) => runs));
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const runs = fewest === most ? `${fewest}` : `${fewest} to ${most}`;
  return [
    `Medians over ${runs} runs; [cv]: standard deviation over mean of the runs; (~): no difference shown that matters; (?): too few runs to show one; * the primary metric.`,
    `geomean: geometric mean of the changes over all settings, with its ${percentText(grid.confidence)} interval. One family of tests for the whole grid: a false alarm anywhere in it in at most ${percentText(1 - grid.confidence)} of experiments (seed ${grid.seed}).`,
  ];
};
