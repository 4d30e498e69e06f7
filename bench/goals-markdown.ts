/** The table of goals for docs/performance.md. */
import { type FigureRow, rangeText } from "./compare-references.js";
import { goalText } from "./goals.js";

/**
 * A Markdown table: a row per figure, a column per reference and per subject of ours that is named, and what is said of the goal
 * for each of ours.
 */
export const goalsMarkdown = (rows: readonly FigureRow[], ours: readonly string[]): string => {
  const [first] = rows;
  if (first === undefined || ours.length === 0) return "";
  const references = Object.keys(first.values).filter((name) => !(name in first.verdicts));
  const columns = [...references, ...ours];
  const head = ["flags", "figure", ...columns, ...ours.map((name) => `goal, ${name}`)];
  const lines = rows.map(({ flags, figure, goal, values, verdicts }) => [
    `\`${flags}\``,
    figure,
    ...columns.map((name) => rangeText(values[name] ?? [])),
    ...ours.map((name) => {
      const verdict = verdicts[name];
      return verdict === undefined ? "" : goalText(goal, verdict);
    }),
  ]);
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
};
