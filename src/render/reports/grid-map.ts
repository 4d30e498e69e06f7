/** The section "At a glance" of a grid's report: a map for each candidate, with the table behind it. */
import { at } from "../../at.js";
import type { PairMetric } from "../../compare/comparison.js";
import type { GridComparison, GridMetric, OverallPair } from "../../compare/grid-comparison.js";
import { changeMap, MAP_STEPS, type MapCell } from "../charts/change-map.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, fullFigure } from "../html/figure.js";
import { markup } from "../html/markup.js";
import type { Section } from "../html/page.js";
import { changeText } from "../html/quantity.js";
import { sectionOf } from "./chart-sections.js";
import { drawnInterval, verdictWord } from "./comparison-words.js";

const ALL = "all settings";

const changeOf = ({ ratio }: Pick<PairMetric | OverallPair, "ratio">): string =>
  ratio === null ? "from 0" : changeText(ratio.value);

const cellOf = (where: string, pair: PairMetric | OverallPair): MapCell => {
  const { verdict, ratio } = pair;
  const { symbol, word, isShown } = verdictWord(verdict);
  const interval = drawnInterval(pair);
  const known = ratio === null ? "no ratio" : changeText(ratio.value);
  const range = interval === null ? "" : ` [${changeText(interval.low)}, ${changeText(interval.high)}]`;
  return {
    text: isShown ? `${symbol} ${changeOf(pair)}` : symbol,
    tooltip: `${where}\n${known}${range}\n${symbol} ${word}`,
    direction: verdict.kind === "different" ? verdict.direction : null,
    ratio: ratio?.value ?? null,
  };
};

/** One candidate's part: its pair under each setting, and over all of them. */
const pairsOf = ({ rows, overall }: GridMetric, candidate: number): readonly (PairMetric | OverallPair)[] => [
  ...rows.map(({ pairs }) => at(pairs, candidate)),
  at(overall, candidate),
];

const titleOf = (grid: GridComparison, candidate: number): string =>
  `${at(grid.subjects, candidate + 1)} against ${at(grid.subjects, 0)}: every metric under every setting`;

const [SLIGHT, CLEAR, LARGE] = MAP_STEPS.map((edge) => edge * 100);
const READING = `Orange: worse, blue: better, violet: changed where neither way is better; deeper from ${SLIGHT}, ${CLEAR} and ${LARGE} % on. Empty with ~: no difference shown that matters; with ?: too few runs to show one.`;

const mapFigure = (grid: GridComparison, metrics: readonly GridMetric[], candidate: number): Figure => {
  const columns = [...grid.cells.map(({ values }) => values.join(" ")), "all"];
  const names = [...grid.cells.map(({ name }) => name), ALL];
  const map = {
    axis: `${grid.varied.join(" ")} (${grid.varied.length > 1 ? "values of the options" : "value of the option"})`,
    columns,
    rows: metrics.map((metric) => ({
      label: `${metric.label}${metric.primary ? " *" : ""}`,
      cells: pairsOf(metric, candidate).map((pair, index) => cellOf(`${metric.label}, ${at(names, index)}`, pair)),
    })),
    label: `${titleOf(grid, candidate)}.`,
  };
  return {
    title: titleOf(grid, candidate),
    reading: READING,
    draw: (width) => changeMap(map, width),
    table: dataTable(
      [textColumn(markup`<bdi>${at(grid.subjects, candidate + 1)}</bdi>`), ...names.map((name) => numberColumn(name))],
      metrics.map((metric) => [
        metric.label,
        ...pairsOf(metric, candidate).map(({ ratio, verdict }) => {
          const { symbol, isShown } = verdictWord(verdict);
          const text = ratio === null ? symbol : `${symbol} ${changeText(ratio.value)}`;
          return isShown ? markup`<strong>${text}</strong>` : markup`<span class="reading">${text}</span>`;
        }),
      ]),
      "Bold: a difference is shown. ✓ better, ✗ worse, ≠ changed, ~ not shown, ? too few runs.",
    ),
  };
};

/** A map per candidate; `metrics` in the order of the page. */
export const mapSection = (grid: GridComparison, metrics: readonly GridMetric[]): Section | null =>
  sectionOf(
    "map",
    "At a glance",
    grid.subjects.slice(1).map((_, candidate) => mapFigure(grid, metrics, candidate)),
    (figures) => figures.map(fullFigure),
  );
