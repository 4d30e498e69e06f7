/**
 * Several runs as one long run: histograms are added bucket by bucket, counts and times are summed, rates follow from the
 * sums. For runs that were split over time or over machines.
 *
 * Upstream counterpart: combine_message_thread_stats does the same for the threads of one run.
 */
import { UserError } from "../errors.js";
import { distributionOf, histogramIn } from "../report/distribution.js";
import type { Distribution, RateOutcome, RunResult, SchedDelay, Transfer, Warning } from "../report/run-result.js";
import { mergeHistograms } from "../stats/plat.js";
import { differences } from "./plan-differences.js";

/** How strict to be. */
export interface MergeOptions {
  /** Merge runs of different plans, and leave out distributions that cannot be added exactly. */
  readonly force?: boolean;
}

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);

/** The value if all are the same, else null. */
const common = <T>(values: readonly (T | null)[]): T | null => {
  const [first = null] = values;
  return values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : null;
};

/** Mean of the known values, weighed; null where none is known. */
const weighedMean = (values: readonly (number | null)[], weights: readonly number[]): number | null => {
  let total = 0;
  let weight = 0;
  values.forEach((value, index) => {
    if (value === null) return;
    total += value * (weights[index] ?? 0);
    weight += weights[index] ?? 0;
  });
  return weight === 0 ? null : total / weight;
};

const addDistributions = (
  name: string,
  distributions: readonly (Distribution | null)[],
  force: boolean,
): Distribution | null => {
  const present = distributions.filter((distribution) => distribution !== null);
  const [first] = present;
  if (first === undefined) return null;
  const histograms = present.map(histogramIn).filter((histogram) => histogram !== null);
  if (histograms.length === present.length) return distributionOf(mergeHistograms(histograms), first.unit);
  if (force) return null;
  throw new UserError(
    `cannot add the ${name} distributions: ${present.length - histograms.length} of ${present.length} runs have only a percentile table`,
    "Percentiles cannot be averaged; merge JSON of schbench-ts, or use --force to leave this distribution out.",
  );
};

/** Measured time where it is known of all runs, else equal weights. */
const weightsOf = (results: readonly RunResult[]): readonly number[] => {
  const seconds = results.map((result) => result.measuredSec);
  return sum(seconds) === null ? results.map(() => 1) : seconds.map((value) => value ?? 0);
};

const addTransfers = (results: readonly RunResult[]): Transfer | null => {
  const weights = weightsOf(results);
  const meanOf = (read: (transfer: Transfer) => number | null): number | null =>
    weighedMean(
      results.map((result) => (result.transfer === null ? null : read(result.transfer))),
      weights,
    );
  const opsPerSecPerWorker = meanOf((transfer) => transfer.opsPerSecPerWorker);
  const bytesPerSecPerWorker = meanOf((transfer) => transfer.bytesPerSecPerWorker);
  if (opsPerSecPerWorker === null || bytesPerSecPerWorker === null) return null;
  return {
    opsPerSecPerWorker,
    bytesPerSecPerWorker,
    opsPerSecTotal: meanOf((transfer) => transfer.opsPerSecTotal),
    bytesPerSecTotal: meanOf((transfer) => transfer.bytesPerSecTotal),
  };
};

const addRates = (results: readonly RunResult[], force: boolean): RateOutcome | null => {
  const rates = results.map((result) => result.rate).filter((rate) => rate !== null);
  const [first] = rates;
  if (first === undefined) return null;
  return {
    askedPerSec: common(rates.map((rate) => rate.askedPerSec)),
    pacing: first.pacing,
    offered: sum(rates.map((rate) => rate.offered)),
    sent: sum(rates.map((rate) => rate.sent)),
    dropped: sum(rates.map((rate) => rate.dropped)),
    lateness: addDistributions(
      "lateness",
      rates.map((rate) => rate.lateness),
      force,
    ),
    finalGoalPerSec: common(rates.map((rate) => rate.finalGoalPerSec)),
    targetBusyPercent: common(rates.map((rate) => rate.targetBusyPercent)),
    targetHit: common(rates.map((rate) => rate.targetHit)),
  };
};

const addSchedDelays = (results: readonly RunResult[]): SchedDelay | null => {
  if (results.every((result) => result.schedDelay === null)) return null;
  // A mean over threads, so that each run weighs as many threads as it had.
  const messages = results.map(({ plan }) => plan?.messageThreads ?? 1);
  const workers = results.map(({ plan }) => (plan === null ? 1 : plan.messageThreads * plan.workerThreads));
  return {
    messageUsec: weighedMean(
      results.map((result) => result.schedDelay?.messageUsec ?? null),
      messages,
    ),
    workerUsec: weighedMean(
      results.map((result) => result.schedDelay?.workerUsec ?? null),
      workers,
    ),
  };
};

const averageRps = (results: readonly RunResult[]): number | null => {
  const loops = sum(results.map((result) => result.loops));
  const seconds = sum(results.map((result) => result.measuredSec));
  if (loops !== null && seconds !== null && seconds > 0 && results.every((result) => result.averageRps !== null))
    return loops / seconds;
  return weighedMean(
    results.map((result) => result.averageRps),
    weightsOf(results),
  );
};

const warningsOf = (results: readonly RunResult[]): Warning[] => {
  const seen = new Map(
    results.flatMap((result) => result.warnings).map((warning) => [`${warning.code} ${warning.message}`, warning]),
  );
  const merged: Warning = {
    code: "merged",
    message: `${results.length} runs merged into one: intervals, seconds and phases were left out`,
    cure: null,
  };
  const traced: Warning = { code: "traced", message: "some of the merged runs were traced", cure: null };
  return [merged, ...(results.some((result) => result.explanation !== null) ? [traced] : []), ...seen.values()];
};

const refuseDifferentPlans = (results: readonly RunResult[]): void => {
  const found = differences(results);
  if (found.length > 0)
    throw new UserError(
      `cannot merge runs of different plans: ${found.join("; ")}`,
      "Merge runs made with the same options, or use --force to merge them all the same.",
    );
};

/**
 * The runs as one. Exact for histograms, counts and times; `averageRps` and the transfer rates are those of one run after
 * the other (their mean, weighed by measured time), not the sum over machines.
 *
 * @throws UserError without a result; without `force` also for different plans (listing what differs) and for
 *   distributions that are known as a table only
 */
export const mergeResults = (results: readonly RunResult[], options: MergeOptions = {}): RunResult => {
  const [first] = results;
  if (first === undefined) throw new UserError("cannot merge: no run given", "Name at least one result file.");
  if (results.length === 1) return first;
  const force = options.force ?? false;
  if (!force) refuseDifferentPlans(results);
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
    slowWakeups: results.flatMap((result) => result.slowWakeups),
    explanation: null,
    host: common(results.map((result) => result.host)),
    environment: null,
    warnings: warningsOf(results),
  };
};
