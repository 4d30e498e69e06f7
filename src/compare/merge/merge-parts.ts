/** The parts of a merged result: distributions are added exactly, rates weighed by measured time, what differs becomes null. */
import { at } from "../../at.js";
import { UserError } from "../../errors.js";
import { distributionOf, histogramIn } from "../../model/metrics/distribution.js";
import type {
  Distribution,
  GroupResult,
  RateOutcome,
  RunResult,
  SchedDelay,
  Transfer,
} from "../../model/result/run-result.js";
import { mergeHistograms } from "../../stats/histogram/plat.js";

/** Sum of the values; null if one is unknown. */
export const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);

/** The value if all are the same, else null. */
export const common = <T>(values: readonly (T | null)[]): T | null => {
  const [first = null] = values;
  return values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : null;
};

/** Mean of the known values, weighed; null where none is known. */
const weighedMean = (values: readonly (number | null)[], weights: readonly number[]): number | null => {
  let total = 0;
  let weight = 0;
  values.forEach((value, index) => {
    if (value === null) return;
    total += value * at(weights, index);
    weight += at(weights, index);
  });
  return weight === 0 ? null : total / weight;
};

/** The distributions added bucket by bucket; null where none is, or, if forced, where one is known as a table only. */
export const addDistributions = (
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

/** The mean transfer rates, weighed by measured time; null where no run has one. */
export const addTransfers = (results: readonly RunResult[]): Transfer | null => {
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

/** Rate mode: requests summed, settings kept where all runs share them; null where no run has them. */
export const addRates = (results: readonly RunResult[], force: boolean): RateOutcome | null => {
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

/** The groups of workers, added one by one; none where the runs were not divided in the same way. */
export const addGroups = (results: readonly RunResult[], force: boolean): GroupResult[] => {
  const division = results.map(({ groups }) => groups.map(({ name, workers, sched }) => ({ name, workers, sched })));
  const seconds = sum(results.map(({ measuredSec }) => measuredSec));
  return (common(division) ?? []).map((part, index) => {
    const parts = results.map(({ groups }) => at(groups, index));
    const added = (name: "wakeup" | "request" | "response") =>
      addDistributions(
        `${part.name} ${name}`,
        parts.map((one) => one[name]),
        force,
      );
    const loops = sum(parts.map((one) => one.loops));
    return {
      ...part,
      loops,
      averageRps: loops === null || seconds === null || seconds === 0 ? null : loops / seconds,
      wakeup: added("wakeup"),
      request: added("request"),
      response: added("response"),
    };
  });
};

/** The mean scheduling delays over the threads of all runs; null where no run has them. */
export const addSchedDelays = (results: readonly RunResult[]): SchedDelay | null => {
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

/** Requests per second over all measured time; the mean of the runs' averages where counts are missing. */
export const averageRps = (results: readonly RunResult[]): number | null => {
  const loops = sum(results.map((result) => result.loops));
  const seconds = sum(results.map((result) => result.measuredSec));
  if (loops !== null && seconds !== null && seconds > 0 && results.every((result) => result.averageRps !== null))
    return loops / seconds;
  return weighedMean(
    results.map((result) => result.averageRps),
    weightsOf(results),
  );
};
