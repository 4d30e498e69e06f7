/** The report of subjects compared with the first of them. */
import type { Comparison, MetricComparison, PairMetric, SubjectMetric } from "../../compare/comparison.js";
import { schedulerChanged } from "../../compare/comparison-warnings.js";
import { metricOf } from "../../model/metrics/metrics.js";
import { forestChart, type ForestRow, rangeText } from "../charts/forest-chart.js";
import { shortName } from "../charts/frame.js";
import { runOrderFigure } from "../charts/run-order-chart.js";
import { type RunSeries, runSeries } from "../charts/run-series.js";
import { betterWords } from "../comparison/comparison-text.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { collectWarnings, commandSection, hostSection, metaLine, warningSection } from "../html/facts.js";
import { type Figure, fullFigure, seriesKey } from "../html/figure.js";
import { type Content, type Markup, markup } from "../html/markup.js";
import { page, type Section } from "../html/page.js";
import { seriesStyle } from "../html/palette.js";
import { valueText } from "../html/quantity.js";
import type { ComparisonReportInput, ReportSubject } from "./report-input.js";
import { blockSection } from "./block-section.js";
import { chartSections, inPairs, RUN_ORDER_READING, sectionOf, withReading } from "./chart-sections.js";
import {
  drawnInterval,
  estimateText,
  overallVerdict,
  pairChangeText,
  verdictNotes,
  verdictWord,
} from "./comparison-words.js";
import { arePacked, packedReportData, reportData } from "./embedded.js";
import { experimentOrder, orderedSeries } from "./ordered-runs.js";

const forestTooltip = (metric: MetricComparison, { ratio, threshold, verdict }: PairMetric): string => {
  const interval = ratio?.interval ?? null;
  const { symbol, word } = verdictWord(verdict);
  return [
    `${metric.label} (${betterWords(metric.better)})`,
    `ratio ${ratio?.value.toFixed(4) ?? "unknown"}${interval === null ? "" : `, interval ${interval.low.toFixed(4)} to ${interval.high?.toFixed(4) ?? "∞"}`}`,
    threshold === null ? "noise band not known" : `noise band ±${(threshold * 100).toFixed(1)} %`,
    `${symbol} ${word}`,
  ].join("\n");
};

const rangeOf = (pair: PairMetric): string => {
  const interval = drawnInterval(pair);
  return interval === null ? "" : rangeText(interval);
};

const forestRows = ({ metrics, subjects }: Comparison): readonly ForestRow[] =>
  metrics.flatMap((metric) =>
    metric.pairs.map((pair, i) => ({
      label: subjects.length > 2 ? `${metric.label}, ${pair.candidate}` : metric.label,
      primary: metric.primary,
      changeText: pairChangeText(metric, pair) ?? "no data",
      intervalText: rangeOf(pair),
      tooltip: forestTooltip(metric, pair),
      ratio: pair.ratio?.value ?? null,
      interval: drawnInterval(pair),
      threshold: pair.threshold,
      verdict: verdictWord(pair.verdict),
      style: seriesStyle(i + 1),
    })),
  );

const shownText = (metric: MetricComparison, { shown }: SubjectMetric): Content => {
  if (shown === null) return "–";
  const text = valueText(shown.value, metric.unit);
  if (shown.interval === null) return text;
  return markup`${text}<br /><span class="reading"
      >${valueText(shown.interval.low, metric.unit)} to ${valueText(shown.interval.high, metric.unit)}</span
    >`;
};

const pText = (p: number | null): string => (p === null ? "–" : p < 0.0001 ? "<0.0001" : p.toPrecision(2));

const ARROWS = { lower: "↓", higher: "↑", neither: "↕" } as const;

const metricTable = (comparison: Comparison): Markup =>
  dataTable(
    [
      textColumn("metric"),
      ...comparison.subjects.map(({ name }) => numberColumn(markup`<bdi>${name}</bdi>`)),
      ...(comparison.subjects.length > 2 ? [textColumn("candidate")] : []),
      numberColumn("change"),
      numberColumn("noise band"),
      numberColumn("p, corrected"),
      textColumn("verdict"),
    ],
    comparison.metrics.flatMap((metric) =>
      metric.pairs.map((pair, i) => {
        const { symbol, word } = verdictWord(pair.verdict);
        const name = markup`${metric.primary ? markup`<strong>${metric.label}</strong>` : metric.label}
          <span class="reading">${ARROWS[metric.better]}</span>`;
        return [
          i === 0 ? name : "",
          ...metric.subjects.map((subject) => (i === 0 ? shownText(metric, subject) : "")),
          ...(comparison.subjects.length > 2 ? [pair.candidate] : []),
          estimateText(metric, pair),
          pair.threshold === null ? "–" : `±${(pair.threshold * 100).toFixed(1)} %`,
          pText(pair.adjustedP),
          `${symbol} ${word}`,
        ];
      }),
    ),
    "↓ lower is better, ↑ higher is better, ↕ neither; the primary metric is bold",
  );

const effectSection = (comparison: Comparison, series: readonly RunSeries[]): Section => {
  const base = comparison.subjects[0]?.name ?? "the base";
  const rows = forestRows(comparison);
  const effect: Figure = {
    title: `Change of each metric against ${base}`,
    reading: markup`Mark: ratio of medians over runs; line: its ${comparison.confidence * 100} % interval; grey band: too
    little to matter. Filled: shown and beyond the band. The primary metric is bold.`,
    key: comparison.subjects.length > 2 ? seriesKey(series.slice(1)) : null,
    draw: (width) =>
      forestChart(
        rows,
        { axis: `change against ${shortName(base, 24)} (%)`, label: `Change of each metric against ${base}.` },
        width,
      ),
    table: metricTable(comparison),
  };
  return { id: "change", title: "What changed", body: fullFigure(effect) };
};

/** The metrics drawn run by run: the primary one first, then the usual ones. */
const drawnMetrics = (comparison: Comparison): readonly MetricComparison[] => {
  const usual = ["wakeup-p99", "request-p99", "average-rps", "transfer-ops"];
  return comparison.metrics
    .filter((metric) => metric.primary || usual.includes(metric.id))
    .toSorted((a, b) => Number(b.primary) - Number(a.primary));
};

const orderSection = (
  subjects: readonly ReportSubject[],
  comparison: Comparison,
  series: readonly RunSeries[],
): Section | null => {
  const order = experimentOrder(subjects);
  if (order === null) return null;
  return sectionOf(
    "order",
    "Run by run",
    drawnMetrics(comparison).map((metric) =>
      runOrderFigure(orderedSeries(series, order, metricOf(metric.id).read), metric),
    ),
    withReading(RUN_ORDER_READING, inPairs),
  );
};

/** A subject with the runs that were judged: those during which the scheduler changed are left out. */
const judgedRuns = (subject: ReportSubject): ReportSubject => {
  const kept = subject.runs.map((run) => !schedulerChanged(run));
  const isKept = (_: unknown, run: number): boolean => kept[run] ?? false;
  return {
    ...subject,
    runs: subject.runs.filter(isKept),
    ...(subject.positions === undefined ? {} : { positions: subject.positions.filter(isKept) }),
  };
};

const dataOf = ({ subjects: compared, comparison }: ComparisonReportInput): Markup => {
  const subjects = compared.map(({ name, runs }) => ({ name, runs }));
  if (!arePacked(subjects)) return reportData("comparison", subjects, { comparison });
  const metrics = comparison.metrics.map(({ id }) => id);
  return packedReportData("comparison", subjects, { metrics, more: { comparison } });
};

/** The document for a comparison. */
export const comparisonReport = (input: ComparisonReportInput): string => {
  const { comparison } = input;
  const subjects = input.subjects.map(judgedRuns);
  const series = runSeries(subjects);
  const warnings = collectWarnings(subjects, comparison.warnings);
  const { symbol, sentence } = overallVerdict(comparison);
  const doubts = warnings.length;
  const sections = [
    effectSection(comparison, series),
    blockSection(comparison),
    warningSection(warnings, true),
    orderSection(subjects, comparison, series),
    ...chartSections(series),
    commandSection(subjects),
    hostSection(subjects),
  ].filter((section) => section !== null);
  return page({
    kind: "Comparison",
    title:
      input.title ??
      `${subjects
        .slice(1)
        .map(({ name }) => name)
        .join(", ")} against ${subjects[0]?.name ?? ""}`,
    meta: metaLine(subjects.flatMap(({ runs }) => runs)),
    verdict: {
      symbol,
      sentence,
      more: [
        verdictNotes(comparison).join(" "),
        doubts > 0
          ? markup` <a href="#warnings">${doubts === 1 ? "One warning" : `${doubts} warnings`}</a> to read first.`
          : null,
      ],
    },
    sections,
    data: dataOf(input),
  });
};
