/**
 * The text report, as upstream prints it: final and interval reports.
 *
 * Upstream counterpart: the printing at the end of main and in sleep_for_runtime.
 */
import { scaleBytes } from "../units.js";
import { orDash, percentileTable, TABLES, type TableLayout } from "./percentile-table.js";
import type { Distribution, IntervalResult, RunResult, SchedDelay, Transfer } from "../model/result/run-result.js";
import { isLostSchedDelay, upstreamArtefacts } from "./upstream-artefacts.js";

/** Follows a report whose numbers would otherwise be taken for a known mistake of upstream. */
export const OWN_MARK = "reported by schbench-ts";
/** The era of a parsed result that our own reporter printed. */
export const OWN_ERA = "schbench-ts";
/** Start and end of the line that says that the target of -A was never hit. */
export const NEVER_HIT = ["auto-rps target", "was never hit: no RPS sample was taken"] as const;
/** What stands in place of a number that is not known. */
export const NOT_AVAILABLE = "n/a";

const block = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const wholeUsec = (usec: number | null): string => orDash(usec === null ? null : Math.floor(usec));

const schedDelayLine = (delay: SchedDelay | null): readonly string[] =>
  delay === null || (delay.messageUsec === null && delay.workerUsec === null)
    ? []
    : [`sched delay: message ${wholeUsec(delay.messageUsec)} (usec) worker ${wholeUsec(delay.workerUsec)} (usec)`];

const rateLine = (label: string, rps: number | null): string =>
  `${label} rps: ${rps === null ? NOT_AVAILABLE : rps.toFixed(2)}`;

const transferLine = (transfer: Transfer | null): string => {
  if (transfer === null) return `avg worker transfer: ${NOT_AVAILABLE}`;
  const { value, unit } = scaleBytes(transfer.bytesPerSecPerWorker);
  return `avg worker transfer: ${transfer.opsPerSecPerWorker.toFixed(2)} ops/sec ${value.toFixed(2)}${unit}/s`;
};

const outcomeLines = ({ rate, averageRps }: RunResult): readonly string[] => {
  if (rate === null || rate.finalGoalPerSec === null) return [rateLine("average", averageRps)];
  const target = rate.targetBusyPercent === null ? "" : ` of ${rate.targetBusyPercent} % busy`;
  return [
    `final rps goal was ${rate.finalGoalPerSec}`,
    ...(rate.targetHit === false ? [`${NEVER_HIT[0]}${target} ${NEVER_HIT[1]}`] : []),
  ];
};

const isOurs = ({ source }: RunResult): boolean => source.kind === "engine" || source.era === OWN_ERA;

/** Pipe mode as the versions of 10 to 13 April 2023 printed it: with the tables of requests. Our engine has none there. */
const isPipeWithRequests = ({ source, mode, request, averageRps }: RunResult): boolean =>
  source.kind === "parsed" && mode === "pipe" && (request !== null || averageRps !== null);

/** Whether what is printed of a result holds numbers that upstream gets wrong in this way. */
const isMistakable = (result: RunResult): boolean => {
  if (result.mode === "pipe" && !isPipeWithRequests(result))
    return upstreamArtefacts({ ...result, request: null, rps: null, averageRps: null, intervals: [] }).length > 0;
  const averageRps = (result.rate?.finalGoalPerSec ?? null) === null ? result.averageRps : null;
  // Text does not always show the mode, so a reader of it may have to judge without.
  const isArtefact = [result.mode, null].some((mode) => upstreamArtefacts({ ...result, mode, averageRps }).length > 0);
  return isArtefact || isLostSchedDelay(result.schedDelay);
};

/** The final report of a run, every line ended. */
export const finalReport = (result: RunResult): string => {
  const context = { runtimeSec: result.runtimeSec, reported: result.source.kind === "engine" };
  const table = (layout: TableLayout, distribution: Distribution | null) =>
    percentileTable(layout, distribution, context);
  const withRequests = isPipeWithRequests(result);
  const lines =
    result.mode === "pipe" && !withRequests
      ? [...table(TABLES.pipe, result.wakeup), transferLine(result.transfer)]
      : [
          ...table(TABLES.wakeup, result.wakeup),
          ...table(TABLES.request, result.request),
          ...table(TABLES.rps, result.rps),
          ...(withRequests ? [transferLine(result.transfer)] : []),
          ...outcomeLines(result),
          ...schedDelayLine(result.schedDelay),
        ];
  const needsMark = isOurs(result) && isMistakable(result);
  return block(needsMark ? [...lines, OWN_MARK] : lines);
};

/**
 * The report at an interval's end, every line ended. Pipe mode has none.
 *
 * @param reported false for a result read from elsewhere, where a missing table says nothing about samples
 */
export const intervalReport = (interval: IntervalResult, reported = true): string => {
  const context = { runtimeSec: interval.atSec, reported };
  return block([
    ...percentileTable(TABLES.wakeup, interval.wakeup, context),
    ...percentileTable(TABLES.request, interval.request, context),
    ...percentileTable(TABLES.rps, interval.rps, context),
    ...schedDelayLine(interval.schedDelay),
    rateLine("current", interval.currentRps),
  ]);
};

/** A result read from an output that ended before the final report. */
const hasNoFinal = ({ source, intervals, interrupted, runtimeSec, wakeup }: RunResult): boolean =>
  source.kind === "parsed" && interrupted && intervals.length > 0 && runtimeSec === null && wakeup === null;

/** Interval reports and final report of a finished run, as the run would have printed them one after the other. */
export const wholeReport = (result: RunResult): string => {
  const intervals = result.mode === "pipe" && !isPipeWithRequests(result) ? [] : result.intervals;
  const reported = result.source.kind === "engine";
  return (
    intervals.map((interval) => intervalReport(interval, reported)).join("") +
    (hasNoFinal(result) ? "" : finalReport(result))
  );
};
