/** The report of one run, or of several runs of the same thing. */
import { METRICS } from "../../model/metrics/metrics.js";
import { percentileIn } from "../../model/metrics/distribution.js";
import { PAGE_PERCENTILES } from "../../model/metrics/percentile-table.js";
import type { RunResult } from "../../model/result/run-result.js";
import { scaleBytes } from "../../units.js";
import { median, medianOfKnown } from "../../stats/sample.js";
import { runOrderFigure } from "../charts/run-order-chart.js";
import { type RunSeries, runSeries } from "../charts/run-series.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { collectWarnings, commandSection, hostSection, metaLine, warningSection } from "../html/facts.js";
import { type Content, type Markup, markup } from "../html/markup.js";
import { page, type Section, type Verdict } from "../html/page.js";
import { counted, figure, figureOr, spread, usecText, valueText } from "../html/quantity.js";
import type { RunReportInput } from "./report-input.js";
import { chartSections, inPairs, RUN_ORDER_READING, sectionOf, withReading } from "./chart-sections.js";
import { explanationSection, mainCause } from "./explanation-section.js";
import { cgroupSection, loadSection } from "./beside-sections.js";
import { groupsSection } from "./groups-section.js";
import { reportData } from "./embedded.js";
import { experimentOrder, orderedSeries } from "./ordered-runs.js";

const medianOf = (runs: readonly RunResult[], read: (result: RunResult) => number | null): number | null =>
  medianOfKnown(runs.map(read));

const sentence = (runs: readonly RunResult[]): Content => {
  const wakeup = medianOf(runs, (run) => percentileIn(run.wakeup, 99));
  const request = medianOf(runs, (run) => percentileIn(run.request, 99));
  const rate = medianOf(runs, (run) => run.averageRps);
  const transfer = medianOf(runs, (run) => run.transfer?.bytesPerSecPerWorker ?? null);
  const scaled = transfer === null ? null : scaleBytes(transfer);
  const parts = [
    wakeup === null ? null : `wakeups within ${usecText(wakeup)}`,
    request === null ? null : `requests within ${usecText(request)}`,
  ].filter((part) => part !== null);
  const latencies = parts.length === 0 ? "No latency is known" : `99 of 100 ${parts.join(", ")}`;
  const rates = [
    rate === null ? null : `${figure(rate)} requests a second`,
    scaled === null ? null : `${figure(scaled.value)} ${scaled.unit} a second for each worker`,
  ].filter((part) => part !== null);
  return `${latencies}${rates.length === 0 ? "" : `, at ${rates.join(", ")}`}.`;
};

const runBanner = (runs: readonly RunResult[], doubts: number): Verdict => {
  const interrupted = runs.filter((run) => run.interrupted).length;
  return {
    symbol: doubts > 0 || interrupted > 0 ? "⚠" : "●",
    sentence: sentence(runs),
    more: markup`${mainCause(runs)}${runs.length > 1 ? `Medians of ${counted(runs.length, "run")}. ` : ""}${
      interrupted > 0 ? `${counted(interrupted, "run")} ended early. ` : ""
    }${doubts > 0 ? markup`<a href="#warnings">${counted(doubts, "warning")}</a> to read first.` : "No warnings."}`,
  };
};

const latencyRows = (runs: readonly RunResult[]): readonly (readonly Content[])[] =>
  (["wakeup", "request", "response"] as const)
    .filter((name) => runs.some((run) => run[name] !== null))
    .map((name) => [
      `${name} latency (µs)`,
      ...PAGE_PERCENTILES.map((percentile) => {
        const values = runs.flatMap((run) => percentileIn(run[name], percentile) ?? []);
        return values.length === 0 ? "–" : markup`${figure(median(values))}${spread(values, "")}`;
      }),
      figureOr(
        runs.reduce<number | null>((largest, run) => Math.max(largest ?? 0, run[name]?.max ?? 0) || largest, null),
      ),
      figureOr(runs.reduce<number | null>((sum, run) => (sum ?? 0) + (run[name]?.samples ?? 0) || sum, null)),
    ]);

const otherRows = (runs: readonly RunResult[]): readonly (readonly Content[])[] => {
  const rows = METRICS.filter(({ source, id }) => source === null || id === "rps-p50").map(({ label, unit, read }) => ({
    label,
    unit,
    values: runs.flatMap((run) => read(run) ?? []),
  }));
  const rate = runs.length === 1 ? (runs[0]?.rate ?? null) : null;
  return [
    ...rows
      .filter(({ values }) => values.length > 0)
      .map(({ label, unit, values }) => [
        label,
        markup`${valueText(median(values), unit)}${spread(values, unit === "usec" ? "µs" : unit)}`,
      ]),
    ...(rate === null
      ? []
      : [
          ["requests offered", figureOr(rate.offered)],
          ["requests sent", figureOr(rate.sent)],
          ["requests dropped", figureOr(rate.dropped)],
        ]),
  ];
};

const figuresSection = (runs: readonly RunResult[]): Section => {
  const latencies = latencyRows(runs);
  const others = otherRows(runs);
  return {
    id: "figures",
    title: "Figures",
    body: markup`${runs.length > 1 ? markup`<p class="reading">Medians over the runs; below, the range.</p>` : null}${
      latencies.length === 0
        ? null
        : markup`<div class="scroll" tabindex="0" role="region" aria-label="Latencies">
            ${dataTable(
              [
                textColumn(""),
                ...PAGE_PERCENTILES.map((percentile) => numberColumn(`p${percentile}`)),
                numberColumn("max"),
                numberColumn("samples"),
              ],
              latencies,
            )}
          </div>`
    }${others.length === 0 ? null : markup`<div class="scroll" tabindex="0" role="region" aria-label="Rates">${dataTable([textColumn(""), numberColumn("")], others)}</div>`}`,
  };
};

const orderSection = (series: readonly RunSeries[]): Section | null => {
  const order = experimentOrder(series);
  if (order === null) return null;
  const drawn = METRICS.filter(
    ({ id }) => id === "wakeup-p99" || id === "request-p99" || id === "average-rps" || id === "transfer-ops",
  );
  return sectionOf(
    "order",
    "Run by run",
    drawn.map((metric) => runOrderFigure(orderedSeries(series, order, metric.read), metric)),
    withReading(RUN_ORDER_READING, inPairs),
  );
};

/** The document for one or more runs. */
export const runReport = ({ title, runs }: RunReportInput): string => {
  const name = title ?? runs.find((run) => run.jobname !== null)?.jobname ?? "schbench run";
  const subjects = [{ name, runs }];
  const series = runSeries(subjects);
  const warnings = collectWarnings(subjects);
  const sections = [
    warningSection(warnings, false),
    figuresSection(runs),
    groupsSection(runs),
    loadSection(runs),
    cgroupSection(runs),
    explanationSection(runs),
    ...chartSections(series),
    orderSection(series),
    commandSection(subjects),
    hostSection(subjects),
  ].filter((section) => section !== null);
  const data: Markup = reportData("run", subjects);
  return page({
    kind: runs.length > 1 ? "Runs" : "Run",
    title: name,
    meta: metaLine(runs),
    verdict: runBanner(runs, warnings.length),
    sections,
    data,
  });
};
