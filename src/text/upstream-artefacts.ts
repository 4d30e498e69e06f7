/**
 * Numbers that upstream is known to get wrong, recognised in a result. The reader of foreign outputs warns of them; our
 * own reporter, whose numbers are right, marks its text where they would be mistaken for one of these.
 */
import type { Distribution, RunResult, Warning } from "../model/result/run-result.js";

/** The distributions and rates of a final or interval report, as the checks see them. */
export interface ReportNumbers {
  readonly runtimeSec: number | null;
  readonly mode: RunResult["mode"];
  readonly wakeup: Distribution | null;
  readonly request: Distribution | null;
  readonly rps: Distribution | null;
  /** Average rps of a final report, current rps of an interval. */
  readonly rate: number | null;
}

const USEC_PER_SEC = 1_000_000;
const WRAP = 2 ** 32;

const firstRpsSample = ({ rps, runtimeSec }: ReportNumbers): Warning | null => {
  if (rps === null) return null;
  const lowest = rps.percentiles[0];
  const zeroBelowMin = lowest !== undefined && lowest.value === 0 && rps.min !== null && rps.min > 0;
  const oneTooMany = runtimeSec !== null && rps.samples === Math.floor(runtimeSec) + 1;
  if (!zeroBelowMin && !oneTooMany) return null;
  return {
    code: "rps-first-sample",
    message:
      "the RPS table includes a bogus sample taken at the start of the run, so its lower percentiles are too low",
    cure: "use the average rate",
  };
};

/** So slow no wakeup should be on a machine that keeps up with the rate. */
const STOP_ARTEFACT_USEC = 100_000;

const stopArtefact = ({ mode, wakeup, request }: ReportNumbers): Warning | null => {
  // Without a table of requests it is the rate mode of before 2023, whose latencies include the queueing.
  if (wakeup === null || request === null || (wakeup.max ?? 0) < STOP_ARTEFACT_USEC) return null;
  const fewer = wakeup.samples !== null && request.samples !== null && wakeup.samples * 2 <= request.samples;
  if (mode !== "rate" && !(mode === null && fewer)) return null;
  return {
    code: "rate-stop-artefact",
    message:
      "the slowest wakeups are likely those of idle workers woken at the end of the run with an old stamp, not scheduling delay",
    cure: "measure rate mode with schbench-ts",
  };
};

const IMPLAUSIBLE_RPS = 1_000_000;

/** No second can have served this many more requests than the whole report counts. */
const implausibleRate = ({ rate, rps, request, wakeup }: ReportNumbers): Warning | null => {
  const fastest = Math.max(rate ?? 0, rps?.max ?? 0);
  const counted = request?.samples ?? wakeup?.samples ?? null;
  if (fastest <= Math.max(10 * (counted ?? 0), IMPLAUSIBLE_RPS)) return null;
  return {
    code: "implausible-rps",
    message: `an rps of ${fastest} cannot be right: versions of October 2020 print it a million times too large, and any version when it divides by next to no time`,
    cure: "leave this number out",
  };
};

const restarted = ({ rate, runtimeSec, request }: ReportNumbers): Warning | null => {
  if (rate === null || runtimeSec === null || request?.samples === undefined || request.samples === null) return null;
  const done = Math.round(rate * runtimeSec);
  if (rate > IMPLAUSIBLE_RPS || done <= 1.5 * request.samples + 100) return null;
  return {
    code: "statistics-restarted",
    message: `the tables hold ${request.samples} requests of about ${done}: they cover only the time since the statistics were last restarted (-z or -w)`,
    cure: "compare the average rates, or measure with schbench-ts, whose final tables cover the whole run",
  };
};

const runtimeOverflow = ({ runtimeSec }: ReportNumbers): Warning | null => {
  if (runtimeSec === null || runtimeSec < WRAP / USEC_PER_SEC) return null;
  const ranSec = ((runtimeSec * USEC_PER_SEC) % WRAP) / USEC_PER_SEC;
  return {
    code: "runtime-overflow",
    message: `the run says ${runtimeSec} s but ran about ${Math.ceil(ranSec)} s: its run time overflowed 32 bits, and the average rate is wrong by the same factor`,
    cure: "repeat it with a run time below 2147 s, or with schbench-ts",
  };
};

const aboveMax = ({ wakeup, request, rps }: ReportNumbers): readonly Warning[] =>
  Object.entries({ wakeup, request, rps }).flatMap(([name, distribution]) => {
    const max = distribution?.max ?? null;
    const row = max === null ? undefined : distribution?.percentiles.find(({ value }) => value > max);
    if (row === undefined) return [];
    return [
      {
        code: "percentile-above-max",
        message: `the ${name} percentile ${row.percentile} (${row.value}) is above the maximum (${max}): percentiles are the middles of their buckets`,
        cure: null,
      },
    ];
  });

/** The warnings that one report deserves if upstream printed it. */
export const reportArtefacts = (numbers: ReportNumbers): readonly Warning[] => [
  ...[firstRpsSample, stopArtefact, implausibleRate, runtimeOverflow].flatMap((check) => check(numbers) ?? []),
  ...aboveMax(numbers),
];

/** Whether a final sched delay is what upstream prints when all threads are already gone. */
export const isLostSchedDelay = (delay: RunResult["schedDelay"]): boolean =>
  delay !== null &&
  delay.messageUsec !== null &&
  delay.workerUsec !== null &&
  Math.floor(delay.messageUsec) === 0 &&
  Math.floor(delay.workerUsec) === 0;

const finalNumbers = (result: RunResult): ReportNumbers => ({ ...result, rate: result.averageRps });

const intervalNumbers = (result: RunResult): readonly ReportNumbers[] =>
  result.intervals.map((interval) => ({
    ...interval,
    mode: result.mode,
    runtimeSec: interval.atSec,
    rate: interval.currentRps,
  }));

/** The warnings that a result deserves if upstream printed it, each kind once. */
export const upstreamArtefacts = (result: RunResult): readonly Warning[] => {
  const final = finalNumbers(result);
  const restart = restarted(final);
  const warnings = [
    ...[final, ...intervalNumbers(result)].flatMap(reportArtefacts),
    ...(restart === null ? [] : [restart]),
  ];
  if (result.rate?.finalGoalPerSec === 0)
    warnings.push({
      code: "goal-zero",
      message: "the rate goal ended at 0: the rate was divided among the message threads with truncation",
      cure: "use fewer message threads, or schbench-ts",
    });
  return warnings.filter((warning, index) => warnings.findIndex(({ code }) => code === warning.code) === index);
};
