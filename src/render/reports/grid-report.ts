/** The report of subjects compared under several settings. */
import { at } from "../../at.js";
import type { PairMetric } from "../../compare/comparison.js";
import type { GridComparison, GridMetric, OverallPair } from "../../compare/grid-comparison.js";
import { median } from "../../stats/sample.js";
import { changeChart } from "../charts/change-chart.js";
import { metricOf } from "../../model/metrics/metrics.js";
import { forestChart, type ForestRow, rangeText } from "../charts/forest-chart.js";
import { shortName } from "../charts/frame.js";
import { type RunSeries, runSeries } from "../charts/run-series.js";
import { shiftFigure } from "../charts/shift-chart.js";
import { sweepChart } from "../charts/sweep-chart.js";
import { betterWords } from "../comparison/comparison-text.js";
import { gridHeadlines } from "../comparison/grid-headline.js";
import { changeFigure, figuresOf, OVERALL, scatterFigure, valueFigure } from "../comparison/grid-figures.js";
import { gridLegend } from "../comparison/grid-legend.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { collectWarnings, commandSection, hostSection, metaLine, warningSection } from "../html/facts.js";
import { type Figure, seriesKey } from "../html/figure.js";
import { type Markup, markup } from "../html/markup.js";
import { page, type Section } from "../html/page.js";
import { seriesStyle } from "../html/palette.js";
import { capitalised, changeText, counted, valueText } from "../html/quantity.js";
import { inPairs, sectionOf, withReading } from "./chart-sections.js";
import { drawnInterval, verdictWord } from "./comparison-words.js";
import { arePacked, packedReportData, slimReportData } from "./embedded.js";
import { mapSection } from "./grid-map.js";
import type { GridReportInput } from "./report-input.js";

/** The primary metric first. */
const ordered = ({ metrics }: GridComparison): readonly GridMetric[] =>
  metrics.toSorted((a, b) => Number(b.primary) - Number(a.primary));

const forestRow = (label: string, primary: boolean, pair: PairMetric | OverallPair, candidate: number): ForestRow => {
  const { symbol, word } = verdictWord(pair.verdict);
  const interval = drawnInterval(pair);
  return {
    label,
    primary,
    changeText: pair.ratio === null ? "no data" : changeText(pair.ratio.value),
    intervalText: interval === null ? "" : rangeText(interval),
    tooltip: `${label}\n${pair.ratio === null ? "no ratio" : changeText(pair.ratio.value)}\n${symbol} ${word}`,
    ratio: pair.ratio?.value ?? null,
    interval,
    threshold: pair.threshold,
    verdict: verdictWord(pair.verdict),
    style: seriesStyle(candidate + 1),
  };
};

/** A row per setting and candidate, then one over all settings. */
const forestRows = (grid: GridComparison, metric: GridMetric): readonly ForestRow[] => {
  const named = (what: string, candidate: string): string =>
    grid.subjects.length > 2 ? `${what}, ${candidate}` : what;
  return [
    ...metric.rows.flatMap(({ cell, pairs }) =>
      pairs.map((pair, candidate) =>
        forestRow(named(at(grid.cells, cell).name, pair.candidate), false, pair, candidate),
      ),
    ),
    ...metric.overall.map((pair, candidate) => forestRow(named("all settings", pair.candidate), true, pair, candidate)),
  ];
};

const metricTable = (grid: GridComparison, metric: GridMetric): Markup =>
  dataTable(
    [
      textColumn(grid.varied.join(" ")),
      ...grid.subjects.flatMap((name, index) => [
        numberColumn(markup`<bdi>${name}</bdi>`),
        ...(index === 0 ? [] : [numberColumn("change")]),
      ]),
    ],
    figuresOf(grid, metric).map(({ values, figures }) => [
      values === null ? OVERALL : values.join(" "),
      ...figures.flatMap((figure, index) => {
        const shown = values === null ? "" : `${valueFigure(figure)} ${scatterFigure(figure)}`;
        const { change } = figure;
        return index === 0
          ? [shown]
          : [shown, values === null && change?.ratio ? changeText(change.ratio.value) : changeFigure(figure)];
      }),
    ]),
  );

const effectFigures = (grid: GridComparison, series: readonly RunSeries[]): readonly Figure[] =>
  ordered(grid).map((metric) => {
    const base = at(grid.subjects, 0);
    const rows = forestRows(grid, metric);
    return {
      title: `${metric.label}: change under each setting`,
      reading: `${capitalised(betterWords(metric.better))}.`,
      key: grid.subjects.length > 2 ? seriesKey(series.slice(1)) : null,
      draw: (width) =>
        forestChart(
          rows,
          { axis: `change against ${shortName(base, 24)} (%)`, label: `Change of ${metric.label} against ${base}.` },
          width,
        ),
      table: metricTable(grid, metric),
    } satisfies Figure;
  });

const rest = (values: readonly string[]): string => values.slice(1).join(" ");

/** A row per value of the option, a column per subject. */
const byValue = (
  option: string,
  values: readonly string[],
  columns: readonly { readonly name: string; readonly texts: readonly string[] }[],
): Markup =>
  dataTable(
    [textColumn(option), ...columns.map(({ name }) => numberColumn(markup`<bdi>${name}</bdi>`))],
    values.map((value, index) => [value, ...columns.map(({ texts }) => at(texts, index))]),
  );

/** Medians against the first option, and the change beside them; where several options vary, those of the first panel. */
const curveFigures = ({ grid, cells }: GridReportInput, series: readonly RunSeries[]): readonly Figure[] => {
  const [option] = grid.varied;
  if (option === undefined) return [];
  const panel = rest(at(cells, 0).values);
  const drawn = cells.filter(({ values }) => rest(values) === panel);
  const values = drawn.map((cell) => at(cell.values, 0));
  const panelText = panel === "" ? "" : ` (${grid.varied.slice(1).join(" ")} ${panel})`;
  const indexes = drawn.map((cell) => cells.indexOf(cell));
  return ordered(grid).flatMap((metric): readonly Figure[] => {
    const lines = series.map(({ name, style }, subject) => ({
      label: name,
      style,
      points: drawn.map((cell) => ({
        value: at(cell.values, 0),
        runs: at(cell.subjects, subject).runs.flatMap((run) => metricOf(metric.id).read(run) ?? []),
      })),
    }));
    const changes = series.slice(1).map(({ name, style }, candidate) => ({
      name,
      style,
      points: indexes.map((cell, index) => {
        const pair = at(at(metric.rows, cell).pairs, candidate);
        const { isShown } = verdictWord(pair.verdict);
        return { value: at(values, index), ratio: pair.ratio?.value ?? null, interval: drawnInterval(pair), isShown };
      }),
    }));
    const against = `${metric.label} against ${at(grid.subjects, 0)}`;
    return [
      {
        title: `${metric.label} against ${option}${panelText}`,
        reading: "A mark for each run, a line through the medians.",
        draw: (width) => sweepChart({ option, values, metric: metric.label, unit: metric.unit, lines }, width),
        table: byValue(
          option,
          values,
          lines.map(({ label, points }) => ({
            name: label,
            texts: points.map(({ runs }) => (runs.length === 0 ? "–" : valueText(median(runs), metric.unit))),
          })),
        ),
      },
      {
        title: `${metric.label}: change against ${option}${panelText}`,
        reading: `Ratio of medians with its ${grid.confidence * 100} % interval. Filled: a difference is shown that matters.`,
        key: changes.length > 1 ? seriesKey(series.slice(1)) : null,
        draw: (width) => changeChart({ option, values, label: against, lines: changes }, width),
        table: byValue(
          option,
          values,
          changes.map(({ name, points }) => ({
            name,
            texts: points.map(({ ratio, interval }) =>
              ratio === null ? "–" : `${changeText(ratio)} ${interval === null ? "" : rangeText(interval)}`,
            ),
          })),
        ),
      },
    ];
  });
};

/** How large a difference is at least, as far as its interval tells. */
const sure = (pair: PairMetric | undefined): number => {
  const interval = pair === undefined ? null : drawnInterval(pair);
  if (interval === null) return 0;
  return Math.min(Math.abs(Math.log(interval.low)), Math.abs(Math.log(interval.high)));
};

/** The setting whose shift is drawn: where the primary metric differs most, as far as its interval tells. */
const tellingCell = (grid: GridComparison): number => {
  const primary = grid.metrics.find((metric) => metric.primary);
  const strengths = (primary?.rows ?? []).map(({ pairs }) =>
    Math.max(0, ...pairs.map((pair) => (pair.verdict.kind === "different" ? sure(pair) : 0))),
  );
  const most = Math.max(0, ...strengths);
  return most === 0 ? grid.cells.length - 1 : strengths.indexOf(most);
};

const shiftSection = ({ grid, cells }: GridReportInput): Section | null => {
  const cell = tellingCell(grid);
  const series = runSeries(at(cells, cell).subjects);
  return sectionOf(
    "shift",
    `By percentile, at ${at(grid.cells, cell).name}`,
    (["wakeup", "request", "response"] as const).map((name) => shiftFigure(series, name, grid)),
    inPairs,
  );
};

const dataOf = ({ grid, cells }: GridReportInput): Markup => {
  const subjects = cells.flatMap((cell) =>
    cell.subjects.map(({ name, runs }) => ({ name: `${name}, ${cell.name}`, subject: name, cell: cell.name, runs })),
  );
  return arePacked(subjects)
    ? packedReportData("grid", subjects, { metrics: grid.metrics.map(({ id }) => id), more: { grid } })
    : slimReportData("grid", subjects, { grid });
};

/** The document for a grid. */
export const gridReport = (input: GridReportInput): string => {
  const { grid, cells } = input;
  const overall = grid.subjects.map((name, index) => ({
    name,
    runs: cells.flatMap(({ subjects }) => at(subjects, index).runs),
  }));
  const series = runSeries(overall);
  const warnings = collectWarnings([], grid.warnings);
  const runs = overall.flatMap((subject) => subject.runs);
  const symbols = { different: "≠", undecided: "?", "not-shown": "~" } as const;
  const sections = [
    sectionOf("change", "What changed", effectFigures(grid, series), withReading(gridLegend(grid).join(" "), inPairs)),
    mapSection(grid, ordered(grid)),
    shiftSection(input),
    sectionOf(
      "curves",
      "Against the varied option",
      curveFigures(input, series),
      withReading((input.knees ?? []).join(" "), inPairs),
    ),
    warningSection(warnings, true),
    commandSection(overall),
    hostSection(overall),
  ].filter((section) => section !== null);
  return page({
    kind: "Comparison",
    title:
      input.title ??
      `${grid.subjects.slice(1).join(", ")} against ${at(grid.subjects, 0)} over ${grid.varied.join(" and ")}`,
    meta: metaLine(runs),
    verdict: {
      symbol: symbols[grid.outcome],
      sentence: gridHeadlines(grid).join(" "),
      more: markup`${counted(runs.length, "run")} under ${counted(grid.cells.length, "setting")}. ${
        warnings.length > 0
          ? markup`<a href="#warnings">${counted(warnings.length, "warning")}</a> to read first.`
          : null
      }`,
    },
    sections,
    data: dataOf(input),
  });
};
