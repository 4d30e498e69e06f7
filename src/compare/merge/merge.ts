/**
 * Several runs as one long run: histograms are added bucket by bucket, counts and times are summed, rates follow from the
 * sums. For runs that were split over time or over machines.
 *
 * Upstream counterpart: combine_message_thread_stats does the same for the threads of one run.
 */
import { UserError } from "../../errors.js";
import type { Distribution, RunResult, Warning } from "../../model/result/run-result.js";
import {
  addDistributions,
  addGroups,
  addRates,
  addSchedDelays,
  addTransfers,
  averageRps,
  common,
  sum,
} from "./merge-parts.js";
import { refuseOverlap, runsOnce } from "./merge-overlap.js";
import { differences } from "../plan-differences.js";

/** How strict to be. */
export interface MergeOptions {
  /** Merge runs of different plans, and leave out distributions that cannot be added exactly. */
  readonly force?: boolean;
}

const warningsOf = (results: readonly RunResult[], repeated: readonly Warning[]): Warning[] => {
  const seen = new Map(
    results.flatMap((result) => result.warnings).map((warning) => [`${warning.code} ${warning.message}`, warning]),
  );
  const merged: Warning = {
    code: "merged",
    message: `${results.length} runs merged into one: intervals, seconds and phases were left out`,
    cure: null,
  };
  const traced: Warning = { code: "traced", message: "some of the merged runs were traced", cure: null };
  return [
    merged,
    ...repeated,
    ...(results.some((result) => result.explanation !== null) ? [traced] : []),
    ...seen.values(),
  ];
};

const refuseDifferentPlans = (results: readonly RunResult[]): void => {
  const found = differences(results);
  if (found.length > 0)
    throw new UserError(
      `cannot merge runs of different plans: ${found.join("; ")}`,
      "Merge runs made with the same options, or use --force to merge them anyway.",
    );
};

/**
 * The runs as one. Exact for histograms, counts and times; `averageRps` and the transfer rates are those of one run after
 * the other (their mean, weighed by measured time), not the sum over machines. A run that is given twice, or is part of another
 * merged result, is added once, with a warning.
 *
 * @throws UserError without a result; without `force` also for different plans (listing what differs) and for
 *   distributions that are known as a table only, and for merged results that have a part of their runs in common
 */
export const mergeResults = (given: readonly RunResult[], options: MergeOptions = {}): RunResult => {
  const { results, warnings } = runsOnce(given);
  const [first] = results;
  if (first === undefined) throw new UserError("cannot merge: no run given", "Name at least one result file.");
  if (results.length === 1)
    return warnings.length === 0 ? first : { ...first, warnings: [...first.warnings, ...warnings] };
  const force = options.force ?? false;
  if (!force) {
    refuseDifferentPlans(results);
    refuseOverlap(results);
  }
  const added = (name: "wakeup" | "request" | "response" | "rps"): Distribution | null =>
    addDistributions(
      name,
      results.map((result) => result[name]),
      force,
    );
  return {
    format: first.format,
    version: first.version,
    source: first.source,
    jobname: common(results.map((result) => result.jobname)),
    commandLine: common(results.map((result) => result.commandLine)),
    startedAt:
      results
        .map((result) => result.startedAt)
        .filter((at) => at !== null)
        .toSorted()[0] ?? null,
    plan: common(results.map((result) => result.plan)),
    mode: common(results.map((result) => result.mode)),
    interrupted: results.some((result) => result.interrupted),
    runtimeSec: sum(results.map((result) => result.runtimeSec)),
    measuredSec: sum(results.map((result) => result.measuredSec)),
    wakeup: added("wakeup"),
    request: added("request"),
    response: added("response"),
    rps: added("rps"),
    averageRps: averageRps(results),
    loops: sum(results.map((result) => result.loops)),
    rate: addRates(results, force),
    transfer: addTransfers(results),
    schedDelay: addSchedDelays(results),
    intervals: [],
    seconds: [],
    phases: [],
    threads: results.flatMap((result) => result.threads),
    groups: addGroups(results, force),
    slowWakeups: results.flatMap((result) => result.slowWakeups),
    fingerprint: null,
    explanation: null,
    host: common(results.map((result) => result.host)),
    environment: null,
    warnings: warningsOf(results, warnings),
  };
};
