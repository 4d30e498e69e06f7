/**
 * Axes that do not measure on this machine what they are meant to: a utilisation target that cannot be reached, a rate above
 * capacity, a percentile of next to no samples. Each is said, and the metrics that it spoils are not judged. Pure.
 */
import { reportArtefacts } from "../text/upstream-artefacts.js";
import type { RunResult } from "../model/result/run-result.js";
import type { Axis } from "./axes.js";
import type { MetricId } from "../model/metrics/metrics.js";

/** Results of one subject on one axis. */
export interface SubjectResults {
  readonly subject: string;
  readonly isReference: boolean;
  readonly results: readonly RunResult[];
}

/** What is wrong with an axis here. */
export interface Degeneracy {
  readonly code: "target-not-reached" | "over-capacity" | "stop-artefact" | "few-samples" | "few-seconds";
  /** One sentence, with the figures of each subject it was seen in. */
  readonly message: string;
  /** Metrics that are shown, but not judged. */
  readonly spoils: readonly MetricId[];
}

const RATE_METRICS = ["rps-p50", "average-rps"] as const satisfies readonly MetricId[];
/** Served less than this share of what was asked: over capacity. */
const SERVED_SHARE = 0.95;
/** A 99th percentile of fewer samples is their maximum. */
const P99_SAMPLES = 100;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

/** "gcc 12, ours 15 (2 of 3 runs)" for the subjects in which something was seen. */
const seenIn = (
  subjects: readonly SubjectResults[],
  seen: (result: RunResult) => boolean,
  figure: (results: readonly RunResult[]) => string,
): string | null => {
  const parts = subjects.flatMap(({ subject, results }) => {
    const hits = results.filter(seen);
    if (hits.length === 0) return [];
    const share = hits.length === results.length ? "" : ` (${hits.length} of ${results.length} runs)`;
    return [`${subject} ${figure(hits)}${share}`];
  });
  return parts.length === 0 ? null : parts.join(", ");
};

const missedTarget = (result: RunResult): boolean =>
  result.rate?.targetHit === false || result.rps === null || result.rps.samples === 0;

const goalText = (results: readonly RunResult[]): string => {
  const goals = results.flatMap((result) => result.rate?.finalGoalPerSec ?? []);
  return goals.length === 0 ? "no goal reported" : `goal ${rounded(mean(goals))}/s at the end`;
};

const targetNotReached = (axis: Axis, subjects: readonly SubjectResults[]): Degeneracy | null => {
  if (axis.load !== "auto-rate") return null;
  const seen = seenIn(subjects, missedTarget, goalText);
  if (seen === null) return null;
  return {
    code: "target-not-reached",
    message: `the utilisation target was not reached, so no rate was measured: ${seen}; latencies alone are judged`,
    spoils: RATE_METRICS,
  };
};

/** The rate that an axis asks for; null: none. */
const askedRate = (axis: Axis): number | null => {
  const at = axis.flags.indexOf("-R");
  return at < 0 ? null : Number(axis.flags[at + 1]);
};

const served = (results: readonly RunResult[]): number => mean(results.flatMap((result) => result.averageRps ?? []));

const overCapacity = (axis: Axis, subjects: readonly SubjectResults[]): Degeneracy | null => {
  const asked = askedRate(axis);
  if (asked === null) return null;
  const fallsShort = (result: RunResult) => result.averageRps !== null && result.averageRps < asked * SERVED_SHARE;
  // If the references keep up, it is us who do not, and that is for the verdict to say.
  if (!subjects.some(({ isReference, results }) => isReference && results.some(fallsShort))) return null;
  const seen = seenIn(subjects, fallsShort, (results) => `${rounded(served(results))}/s`);
  if (seen === null) return null;
  return {
    code: "over-capacity",
    message: `${asked}/s is above capacity (served: ${seen}): up to 128 requests wait at each worker, which hardly ever sleeps; the few wakeups are not judged`,
    spoils: ["wakeup-p99"],
  };
};

const isStopArtefact = (result: RunResult): boolean =>
  result.source.kind === "parsed" &&
  reportArtefacts({ ...result, mode: "rate", rate: null }).some((warning) => warning.code === "rate-stop-artefact");

const slowestWakeup = (results: readonly RunResult[]): number =>
  Math.max(...results.map((result) => result.wakeup?.max ?? 0));

const stopArtefact = (axis: Axis, subjects: readonly SubjectResults[]): Degeneracy | null => {
  if (axis.load !== "rate" && axis.load !== "auto-rate") return null;
  const seen = seenIn(subjects, isStopArtefact, (results) => `${rounded(slowestWakeup(results))} µs`);
  if (seen === null) return null;
  return {
    code: "stop-artefact",
    message: `at its end the reference wakes idle workers with an old stamp (slowest wakeup: ${seen}), which is not scheduling delay; wakeups are not judged`,
    spoils: ["wakeup-p99"],
  };
};

const fewSamples = (subjects: readonly SubjectResults[]): readonly Degeneracy[] =>
  (["wakeup", "request"] as const).flatMap((name) => {
    const few = (result: RunResult) => (result[name]?.samples ?? P99_SAMPLES) < P99_SAMPLES;
    const seen = seenIn(subjects, few, (results) => rounded(mean(results.map((result) => result[name]?.samples ?? 0))));
    if (seen === null) return [];
    return [
      {
        code: "few-samples" as const,
        message: `${name} p99 of fewer than ${P99_SAMPLES} samples a run is their maximum (samples: ${seen}); a longer --runtime fixes it`,
        spoils: [],
      },
    ];
  });

/** A run of one second has one sample of requests per second; the reference has a zero beside it. */
const RPS_SAMPLES = 2;

const fewSeconds = (axis: Axis, subjects: readonly SubjectResults[]): Degeneracy | null => {
  if (axis.load === "pipe") return null;
  const few = ({ rps }: RunResult) =>
    rps !== null && rps.samples !== null && rps.samples > 0 && rps.samples < RPS_SAMPLES;
  const seen = seenIn(subjects, few, (results) => rounded(mean(results.flatMap(({ rps }) => rps?.samples ?? []))));
  if (seen === null) return null;
  return {
    code: "few-seconds",
    message: `rps p50 of fewer than ${RPS_SAMPLES} samples a run is no percentile (samples: ${seen}); average rps is judged`,
    spoils: ["rps-p50"],
  };
};

/** Everything that is degenerate about an axis, as its results show it. */
export const degeneracies = (axis: Axis, subjects: readonly SubjectResults[]): readonly Degeneracy[] => [
  ...[targetNotReached, overCapacity, stopArtefact, fewSeconds].flatMap((check) => check(axis, subjects) ?? []),
  ...fewSamples(subjects),
];
