/** Which reports of a text belong to one run, and the run results they make. */
import type { IntervalResult, RunResult, Warning } from "../../model/result/run-result.js";
import { OWN_ERA } from "../../text/schbench-text.js";
import type { CommandWords } from "../result/command-words.js";
import type { Era } from "../result/eras.js";
import { checkedResult, unknownRate, unknownResult, withCommand, withDoubts } from "../result/parsed-result.js";
import { refuse, runtimeOf, type TextEvent, type TextReport } from "./report-state.js";
import type { TextTable } from "./text-table.js";

/** The reports of one run, before they are made into a result. */
interface TextRun {
  readonly intervals: readonly TextReport[];
  readonly final: TextReport | null;
  readonly words: CommandWords | null;
  readonly modern: boolean;
}

/** The table of wakeup latencies, which in the time of one table is that one. */
const wakeupTable = ({ tables }: TextReport): TextTable | undefined => tables.latency ?? tables.wakeup;
/** The table whose shape tells the age. */
const firstTable = (report: TextReport): TextTable | undefined =>
  wakeupTable(report) ?? report.tables.request ?? report.tables.rps;

const eraOf = (reports: readonly TextReport[], modern: boolean): Era => {
  if (reports.some((report) => report.own)) return OWN_ERA;
  const table = reports.map(firstTable).find((candidate) => candidate !== undefined);
  if (table === undefined || table.kind !== "latency") {
    if (table?.oldName === true) return "2023-04-10";
    return modern || reports.some((report) => report.schedDelay !== null) ? "2025-05" : "2023-04-11";
  }
  if (table.over) return "2016-04";
  if (table.shape?.decimals === 4) return "2016-05";
  if (table.shape?.counted === true) return table.shape.starGap ? "2021-12" : "2020-10-22";
  return table.runtimeSec === null ? "2019-08" : "2020-10-21";
};

/**
 * Whether a report whose shape does not say goes on with the run of the one before: run times rise, and what is counted
 * since the start cannot shrink. The final report repeats the time of an interval report, with next to no samples more.
 */
const goesOn = (before: TextReport, next: TextReport): boolean => {
  const [from, to] = [runtimeOf(before), runtimeOf(next)];
  const kind = firstTable(before)?.kind;
  const [a, b] = kind === undefined ? [] : [before.tables[kind]?.distribution, next.tables[kind]?.distribution];
  if (from === null || to === null || to < from || before.hasRateSummary) return false;
  if (!a || !b) return a === null && to > from;
  const grows = (b.max ?? 0) >= (a.max ?? 0) && (b.min ?? 0) <= (a.min ?? 0) && (b.samples ?? 0) >= (a.samples ?? 0);
  return grows && (to > from || (b.samples ?? 0) <= (a.samples ?? 0) * 1.1);
};

/** Reports in order, parted where one run ends and the next begins. */
const runsOf = (events: readonly TextEvent[]): readonly TextRun[] => {
  const runs: TextRun[] = [];
  const nothing: TextRun = { intervals: [], final: null, words: null, modern: false };
  let run = nothing;

  const finish = () => {
    if (run.final !== null || run.intervals.length > 0) runs.push(run);
    run = nothing;
  };
  const add = (report: TextReport) => {
    const before = run.final ?? run.intervals.at(-1);
    const [from, to] = [before === undefined ? null : runtimeOf(before), runtimeOf(report)];
    if (report.end === "unsaid") {
      if (before !== undefined && !goesOn(before, report)) finish();
      run = { ...run, intervals: run.final === null ? run.intervals : [...run.intervals, run.final], final: report };
      return;
    }
    // The header of an upstream final report has the asked run time, which a busy machine may overrun by a little.
    const isBack = from !== null && to !== null && (report.end === "interval" ? to <= from : to + 2 < from);
    if (run.final !== null || isBack) finish();
    run = report.end === "interval" ? { ...run, intervals: [...run.intervals, report] } : { ...run, final: report };
    if (report.end === "final") finish();
  };

  for (const event of events) {
    if (event.kind === "report") add(event.report);
    else if (event.kind === "modern") {
      if (run.final !== null) finish();
      run = { ...run, modern: true };
    } else {
      if (run.final !== null || run.intervals.length > 0) finish();
      run = { ...run, words: event.words ?? run.words };
    }
  }
  finish();
  return runs;
};

const parsedIntervalOf = (report: TextReport, source: string): IntervalResult => ({
  atSec: runtimeOf(report) ?? refuse("an interval report without a run time", { source, line: report.line }),
  wakeup: wakeupTable(report)?.distribution ?? null,
  request: report.tables.request?.distribution ?? null,
  rps: report.tables.rps?.distribution ?? null,
  currentRps: report.rps,
  schedDelay: report.schedDelay,
});

/** What a final report says of rate mode; null when nothing in it speaks of a rate. */
const rateOf = (report: TextReport): RunResult["rate"] => {
  if (report.isPipe) return null;
  if (report.goalPerSec === null)
    return report.hasRateSummary || (report.tables.latency !== undefined && report.rps !== null) ? unknownRate() : null;
  const rpsTable = report.tables.rps;
  return {
    ...unknownRate(),
    finalGoalPerSec: report.goalPerSec,
    targetBusyPercent: report.targetPercent,
    // RPS samples are only taken once the target was hit.
    targetHit: report.neverHit || rpsTable?.distribution === null ? false : rpsTable === undefined ? null : true,
  };
};

const noFinalReport: Warning = {
  code: "no-final-report",
  message: "the output ends before the final report: only interval reports were read",
  cure: "let the run end by itself, or keep all of its output",
};

const readerWarnings = (reports: readonly TextReport[]): readonly Warning[] => {
  const all = reports.flatMap(({ tables, warnings }) => [
    ...Object.values(tables).flatMap((table) => table.warnings),
    ...warnings,
  ]);
  return all.filter((warning, index) => all.findIndex(({ message }) => message === warning.message) === index);
};

const resultOf = ({ intervals, final, words, modern }: TextRun, file: string): RunResult | null => {
  const reports = [...intervals, ...(final === null ? [] : [final])];
  const first = reports[0];
  if (first === undefined) return null;
  const era = eraOf(reports, modern);
  const base = {
    ...unknownResult(era, file, first.line),
    intervals: intervals.map((report) => parsedIntervalOf(report, file)),
    interrupted: final === null,
    warnings: [...readerWarnings(reports), ...(final === null ? [noFinalReport] : [])],
  };
  const rate = final === null ? null : rateOf(final);
  const result =
    final === null
      ? base
      : {
          ...base,
          mode: final.isPipe ? ("pipe" as const) : rate === null ? null : ("rate" as const),
          runtimeSec: runtimeOf(final),
          wakeup: wakeupTable(final)?.distribution ?? null,
          request: final.tables.request?.distribution ?? null,
          rps: final.tables.rps?.distribution ?? null,
          response: final.tables.response?.distribution ?? null,
          averageRps: final.rps,
          rate,
          transfer: final.transfer,
          schedDelay: final.schedDelay,
        };
  const complete = withCommand(result, words);
  return checkedResult(era === OWN_ERA ? complete : withDoubts(complete), file, first.line);
};

/** The run results of a text's reports, in order. */
export const textResults = (events: readonly TextEvent[], file: string): readonly RunResult[] =>
  runsOf(events).flatMap((run) => resultOf(run, file) ?? []);
