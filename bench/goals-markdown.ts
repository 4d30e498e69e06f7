/** The table of goals for docs/performance.md. */
import { type FigureRow, rangeText } from "./compare-references.js";
import { goalText } from "./goals.js";

/** A Markdown table: a row per figure, a column per subject, and what is said of the goal for each of ours. */
export const goalsMarkdown = (rows: readonly FigureRow[]): string => {
  const [first] = rows;
  if (first === undefined) return "";
  const names = Object.keys(first.values);
  const judged = Object.keys(first.verdicts);
  const head = ["flags", "figure", ...names, ...judged.map((name) => `goal, ${name}`)];
  const lines = rows.map(({ flags, figure, goal, values, verdicts }) => [
    `\`${flags}\``,
    figure,
    ...names.map((name) => rangeText(values[name] ?? [])),
    ...judged.map((name) => {
      const verdict = verdicts[name];
      return verdict === undefined ? "" : goalText(goal, verdict);
    }),
  ]);
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
};
