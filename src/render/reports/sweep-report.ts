/** The report of runs over the values of one or more options. */
import { at } from "../../at.js";
import { idForAll, METRICS, type MetricDefinition, type MetricId, metricsNamed } from "../../model/metrics/metrics.js";
import { type DistributionName, PAGE_PERCENTILES } from "../../model/metrics/percentile-table.js";
import { median } from "../../stats/sample.js";
import { runSeries } from "../charts/run-series.js";
import { sweepChart, type SweepLine } from "../charts/sweep-chart.js";
import { percentileFigure } from "../charts/percentile-chart.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { collectWarnings, commandSection, hostSection, metaLine, warningSection } from "../html/facts.js";
import { type Figure, fullFigure } from "../html/figure.js";
import { type Content, type Markup, markup } from "../html/markup.js";
import { page, type Section } from "../html/page.js";
import { SERIES_COUNT, seriesStyle } from "../html/palette.js";
import { betterWords } from "../comparison/comparison-text.js";
import { capitalised, counted, figure } from "../html/quantity.js";
import type { SweepCell, SweepReportInput } from "./report-input.js";
import { inPairs, sectionOf, withReading } from "./chart-sections.js";
import { slimReportData } from "./embedded.js";

interface SharedChart {
  readonly title: string;
  /** What it shows unasked; asked by name, it shows any percentile of these distributions. */
  readonly metrics: readonly MetricId[];
}

/** The percentiles of a distribution that are metrics, of those that pages show. */
const percentilesOf = (of: DistributionName): readonly MetricId[] =>
  METRICS.flatMap(({ id, source }) =>
    source?.of === of && PAGE_PERCENTILES.some((percentile) => percentile === source.percentile) ? id : [],
  );

/** Which metrics share a chart; a chart without data is left out. */
const CHARTS: readonly SharedChart[] = [
  { title: "Wakeup latency", metrics: percentilesOf("wakeup") },
  { title: "Request latency", metrics: percentilesOf("request") },
  { title: "Response latency", metrics: percentilesOf("response") },
  { title: "Average rps", metrics: ["average-rps"] },
  { title: "Transfer per worker", metrics: ["transfer-ops"] },
  { title: "Worker sched delay", metrics: ["sched-delay"] },
];

/** What tells a metric's line from the others of its chart. */
const lineLabel = ({ source, group }: MetricDefinition): string =>
  [group, source === null ? null : `p${source.percentile}`].filter((part) => part !== null).join(" ");

/** Those of the metrics asked for by name that belong into a chart of these. */
const askedFor = (wanted: readonly MetricId[], ids: readonly MetricId[]): readonly MetricDefinition[] => {
  const distributions = metricsNamed(ids).flatMap(({ source }) => source?.of ?? []);
  const known: readonly string[] = ids;
  return metricsNamed(wanted).filter((metric) =>
    metric.source === null ? known.includes(idForAll(metric)) : distributions.includes(metric.source.of),
  );
};

/** An option as one types it. */
const spelled = (name: string): string => {
  if (name === "subject" || name.startsWith("-")) return name;
  return name.length === 1 ? `-${name}` : `--${name}`;
};

const setting = (name: string, value: string): string => (name === "subject" ? value : `${spelled(name)} ${value}`);

const nameOf = (varied: readonly string[], { values }: SweepCell): string =>
  varied.map((name, i) => setting(name, at(values, i))).join(", ");

/** The values after the first: cells that agree in them form one line. */
const restOf = (varied: readonly string[], { values }: SweepCell): string =>
  varied
    .slice(1)
    .map((name, i) => setting(name, at(values, i + 1)))
    .join(", ");

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

const pointsOf = (
  cells: readonly SweepCell[],
  values: readonly string[],
  metric: MetricDefinition,
): SweepLine["points"] =>
  values.map((value) => ({
    value,
    runs: cells
      .filter((cell) => cell.values[0] === value)
      .flatMap((cell) => cell.runs.flatMap((run) => metric.read(run) ?? [])),
  }));

const hasData = (line: SweepLine): boolean => line.points.some(({ runs }) => runs.length > 0);

/** The metric that stands for all of a chart where the lines are needed for something else. */
const foremost = (metrics: readonly MetricDefinition[]): MetricDefinition | undefined =>
  metrics.find(({ source }) => source?.percentile === 99) ?? metrics[0];

/** Lines of one chart: its metrics where one option varies, else the values of the others for the last metric but one. */
const linesOf = (
  input: SweepReportInput,
  metrics: readonly MetricDefinition[],
  values: readonly string[],
): readonly SweepLine[] => {
  const panels = distinct(input.cells.map((cell) => restOf(input.varied, cell)));
  if (panels.length === 1)
    return metrics
      .map((metric, i): SweepLine => ({
        label: lineLabel(metric),
        style: seriesStyle(i),
        points: pointsOf(input.cells, values, metric),
      }))
      .filter(hasData);
  const metric = foremost(metrics);
  if (metric === undefined) return [];
  return panels
    .map((panel, i): SweepLine => ({
      label: panel,
      style: seriesStyle(i),
      points: pointsOf(
        input.cells.filter((cell) => restOf(input.varied, cell) === panel),
        values,
        metric,
      ),
    }))
    .filter(hasData);
};

const chartTable = (option: string, values: readonly string[], lines: readonly SweepLine[], unit: string): Markup =>
  dataTable(
    [textColumn(option), ...lines.map((line) => numberColumn(line.label === "" ? unit : `${line.label} (${unit})`))],
    values.map((value, i) => [
      value,
      ...lines.map(({ points }): Content => {
        const runs = points[i]?.runs ?? [];
        if (runs.length === 0) return "–";
        return runs.length === 1
          ? figure(median(runs))
          : markup`${figure(median(runs))}
              <span class="reading">(${figure(Math.min(...runs))}–${figure(Math.max(...runs))})</span>`;
      }),
    ]),
  );

const figures = (input: SweepReportInput): readonly Figure[] => {
  const option = spelled(at(input.varied, 0));
  const values = distinct(input.cells.flatMap(({ values: all }) => all[0] ?? []));
  const several = input.varied.length > 1;
  return CHARTS.flatMap(({ title, metrics: ids }) => {
    const metrics = input.metrics === undefined ? metricsNamed(ids) : askedFor(input.metrics, ids);
    const lines = linesOf(input, metrics, values);
    const [first] = metrics;
    if (lines.length === 0 || first === undefined) return [];
    const percentile = foremost(metrics)?.source?.percentile;
    const drawn = several && percentile !== undefined && ids.length > 1 ? `${title} p${percentile}` : title;
    const unit = first.unit === "usec" ? "µs" : first.unit;
    return [
      {
        title: `${drawn} against ${option}`,
        reading: `${capitalised(betterWords(first.better))}. A mark for each run, a line through the medians; the machine saturates where a line leaves its flat part.`,
        draw: (width) => sweepChart({ option, values, metric: drawn.toLowerCase(), unit: first.unit, lines }, width),
        table: chartTable(option, values, lines, unit),
      } satisfies Figure,
    ];
  });
};

/** Overlaid curves of the cells; more than can be told apart are thinned out evenly. */
const curveSection = (
  subjects: readonly { readonly name: string; readonly runs: SweepCell["runs"] }[],
): Section | null => {
  const step = Math.max(1, (subjects.length - 1) / (SERIES_COUNT - 1));
  const some =
    subjects.length <= SERIES_COUNT
      ? subjects
      : Array.from({ length: SERIES_COUNT }, (_, i) => subjects[Math.round(i * step)]).filter(
          (cell) => cell !== undefined,
        );
  const series = runSeries(some);
  return sectionOf(
    "percentiles",
    "Latency",
    (["wakeup", "request"] as const).map((name) => percentileFigure(series, name)),
    withReading(
      `Percentiles of all runs merged${some.length < subjects.length ? `, for ${some.length} of the ${subjects.length} settings` : ""}. Each step to the right adds a nine.`,
      inPairs,
    ),
  );
};

/** The document for a sweep. */
export const sweepReport = (input: SweepReportInput): string => {
  const subjects = input.cells.map((cell) => ({ name: nameOf(input.varied, cell), runs: cell.runs }));
  const runs = subjects.flatMap((subject) => subject.runs);
  const warnings = collectWarnings(subjects);
  const [first, ...rest] = input.knees ?? [];
  const drawn = figures(input);
  const options = input.varied.filter((name) => name !== "subject").map(spelled);
  const sections = [
    warningSection(warnings, true),
    sectionOf("sweep", `Against ${options[0] ?? "the option"}`, drawn, (some) => some.map(fullFigure)),
    curveSection(subjects),
    commandSection(subjects),
    hostSection([{ name: "all runs", runs }]),
  ].filter((section) => section !== null);
  return page({
    kind: "Sweep",
    title: input.title ?? `Sweep over ${options.join(" and ")}`,
    meta: metaLine(runs),
    verdict: {
      symbol: first === undefined ? "●" : "↗",
      sentence:
        first ??
        `${counted(runs.length, "run")} at ${counted(subjects.length, "setting")} of ${options.join(" and ")}.`,
      more: markup`${rest.join(" ")}${rest.length > 0 ? " " : ""}${
        warnings.length > 0
          ? markup`<a href="#warnings">${counted(warnings.length, "warning")}</a> to read first.`
          : null
      }`,
    },
    sections,
    data: slimReportData("sweep", subjects, {
      varied: input.varied,
      cells: input.cells.map(({ values }) => values),
      knees: input.knees ?? [],
    }),
  });
};
