/** A grid as Markdown for a pull request or an issue: the answer, and a table per metric. */
import type { GridComparison, GridMetric } from "../../compare/grid-comparison.js";
import { escapedMarkdown } from "./comparison-markdown.js";
import { intervalText } from "./comparison-text.js";
import {
  changeFigure,
  changeWords,
  figuresOf,
  type GridFigure,
  metricTitle,
  OVERALL,
  scatterFigure,
  valueFigure,
} from "./grid-figures.js";
import { gridHeadlines } from "./grid-headline.js";
import { gridLegend } from "./grid-legend.js";
import type { GridOrigin } from "./grid-origin.js";

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const figureText = (figure: GridFigure): string =>
  escapedMarkdown([valueFigure(figure), scatterFigure(figure)].filter((part) => part !== "").join(" "));

const changeText = (figure: GridFigure): string => {
  const text = escapedMarkdown(changeFigure(figure));
  return figure.change?.verdict.kind === "different" ? `**${text} ${figure.change.verdict.direction}**` : text;
};

const overallText = (figure: GridFigure): string => {
  const { change } = figure;
  if (change === null || change.ratio === null) return "";
  const text = `${changeWords(change.ratio)} ${escapedMarkdown(intervalText(change.ratio))}`.trim();
  return change.verdict.kind === "different"
    ? `**${text} ${change.verdict.direction}**`
    : `${text} ${changeText(figure)}`;
};

const table = (grid: GridComparison, metric: GridMetric): string => {
  const header = [
    ...grid.varied,
    ...grid.subjects.flatMap((name, index) => (index === 0 ? [name] : [name, "change"])),
  ].map(escapedMarkdown);
  const rows = figuresOf(grid, metric).map(({ values, figures }) =>
    values === null
      ? [
          OVERALL,
          ...grid.varied.slice(1).map(() => ""),
          ...figures.flatMap((figure, index) => (index === 0 ? [""] : ["", overallText(figure)])),
        ]
      : [
          ...values.map(escapedMarkdown),
          ...figures.flatMap((figure, index) =>
            index === 0 ? [figureText(figure)] : [figureText(figure), changeText(figure)],
          ),
        ],
  );
  return [
    `### ${escapedMarkdown(metricTitle(metric))}`,
    "",
    row(header),
    row(header.map(() => "---:")),
    ...rows.map(row),
  ].join("\n");
};

/** The grid as Markdown, ending in a newline. */
export const gridMarkdown = (grid: GridComparison, origin: GridOrigin): string => {
  const blocks = [
    gridHeadlines(grid)
      .map((line) => `**${escapedMarkdown(line)}**`)
      .join("\n"),
    [
      `- kernels: ${escapedMarkdown(origin.kernels)}`,
      `- machine: ${escapedMarkdown(origin.machine)}`,
      `- command: \`${origin.command.replaceAll("`", "'")}\``,
    ].join("\n"),
    ...grid.metrics.map((metric) => table(grid, metric)),
    gridLegend(grid)
      .map((line) => escapedMarkdown(line))
      .join(" "),
    grid.warnings
      .map(({ message, cure }) => `- warning: ${escapedMarkdown([message, cure ?? ""].join(". ").trim())}`)
      .join("\n"),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
};
