/** The outcome of a sweep: per metric a value at each point, and where a latency leaves its flat part. Pure. */
import { findKnee, type Knee } from "./knee.js";
import {
  type MetricDefinition,
  type MetricHead,
  metricHead,
  type MetricId,
  metricsIn,
  metricsNamed,
} from "../model/metrics/metrics.js";
import type { RunResult } from "../model/result/run-result.js";
import { largest, median, smallest } from "../stats/sample.js";

/** The version of the sweep format; rises when a reader of the old one would misread the new one. */
const SWEEP_VERSION = 1;

/** The runs of one subject at one point. */
export interface SweptRuns {
  readonly subject: string;
  /** One value per varied option. */
  readonly values: readonly string[];
  readonly runs: readonly RunResult[];
}

/** One metric of one subject at one point. */
export interface SweptValue {
  readonly subject: string;
  readonly values: readonly string[];
  readonly median: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly runs: number;
}

/** A curve along the first varied option, all others held. */
export interface SweptKnee {
  readonly subject: string;
  /** Values of the other varied options. */
  readonly held: readonly string[];
  readonly knee: Knee;
}

/** One metric over all points. */
export interface SweptMetric extends MetricHead {
  readonly points: readonly SweptValue[];
  /** For the 99th percentiles of latencies, along the first option if its values are numbers. */
  readonly knees: readonly SweptKnee[];
}

/** A sweep. */
export interface Sweep {
  readonly format: "schbench-ts/sweep";
  readonly version: typeof SWEEP_VERSION;
  readonly subjects: readonly string[];
  /** Names of the varied options. */
  readonly varied: readonly string[];
  readonly metrics: readonly SweptMetric[];
}

const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

const valueAt = (metric: MetricDefinition, { subject, values, runs }: SweptRuns): SweptValue => {
  const known = runs.map((run) => metric.read(run)).filter((value) => value !== null);
  const none = { subject, values, median: null, min: null, max: null, runs: 0 };
  if (known.length === 0) return none;
  return {
    ...none,
    median: median(known),
    min: smallest(known),
    max: largest(known),
    runs: known.length,
  };
};

const kneesOf = (metric: MetricDefinition, swept: readonly SweptRuns[]): readonly SweptKnee[] => {
  const isTail = metric.unit === "usec" && metric.source?.percentile === 99;
  if (!isTail || swept.some(({ values: [first] }) => !/^\d+$/.test(first ?? ""))) return [];
  const keyOf = ({ subject, values }: SweptRuns) => JSON.stringify([subject, ...values.slice(1)]);
  return distinct(swept.map(keyOf)).flatMap((key) => {
    const curve = swept.filter((point) => keyOf(point) === key);
    const [first] = curve;
    const points = curve.map(({ values: [x], runs }) => ({
      x: Number(x),
      values: runs.map((run) => metric.read(run)).filter((value) => value !== null),
    }));
    // A single value is no curve.
    if (first === undefined || points.length < 2 || points.every((point) => point.values.length === 0)) return [];
    return [{ subject: first.subject, held: first.values.slice(1), knee: findKnee(points) }];
  });
};

/**
 * Sums up a sweep: every metric that some run has.
 *
 * @param wanted only these; default: all
 */
export const summarizeSweep = (
  varied: readonly string[],
  swept: readonly SweptRuns[],
  wanted?: readonly MetricId[],
): Sweep => {
  const runs = swept.flatMap((point) => point.runs);
  const present = metricsNamed(wanted ?? metricsIn(runs).map(({ id }) => id)).filter((metric) =>
    runs.some((run) => metric.read(run) !== null),
  );
  return {
    format: "schbench-ts/sweep",
    version: SWEEP_VERSION,
    subjects: distinct(swept.map((point) => point.subject)),
    varied,
    metrics: present.map((metric) => ({
      ...metricHead(metric),
      points: swept.map((point) => valueAt(metric, point)),
      knees: kneesOf(metric, swept),
    })),
  };
};
