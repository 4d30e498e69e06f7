/**
 * The metrics of a run: the one list behind comparison, sweep, envelope, reports and `--primary`. Parser, tables and types
 * derive from it.
 *
 * Upstream counterpart: the rows of show_latencies, and the average rps, transfer and sched delay lines of main.
 */
import { percentileIn } from "./distribution.js";
import type { Distribution, RunResult } from "./run-result.js";

/** The distributions of a run that have percentiles to compare. */
export type DistributionName = "wakeup" | "request" | "response" | "rps";

/** The percentile of which distribution a metric is. */
interface PercentileOfRun {
  readonly of: DistributionName;
  /** In percent, one of PERCENTILES. */
  readonly percentile: number;
}

/** What there is to know about a metric. */
export interface MetricDefinition {
  /** Stable name, as on the command line and in JSON. */
  readonly id: string;
  /** As in a table, without the unit. */
  readonly label: string;
  readonly unit: "usec" | "requests/s" | "ops/s" | "bytes/s";
  readonly better: "lower" | "higher";
  /** True where a run reports whole units from a histogram, so that values tie and small differences have no meaning. */
  readonly quantised: boolean;
  /** Relative difference below which a difference is of no consequence, however surely it is one (docs/statistics.md). */
  readonly noiseFloor: number;
  /** A rate, or the faster half of the requests: what preemption and stolen time move least from run to run. */
  readonly steady: boolean;
  /** Where the metric is a percentile: of what; null otherwise. */
  readonly source: PercentileOfRun | null;
  /** The value of one run; null where the run does not have it. */
  readonly read: (result: RunResult) => number | null;
}

const distributionNamed = (result: RunResult, name: DistributionName): Distribution | null => result[name];

const latency = <Id extends string>(
  id: Id,
  of: DistributionName,
  percentile: number,
  label: string,
  noiseFloor: number,
) =>
  ({
    id,
    label,
    unit: "usec",
    better: "lower",
    quantised: true,
    noiseFloor,
    steady: of === "request" && percentile <= 50,
    source: { of, percentile },
    read: (result: RunResult) => percentileIn(distributionNamed(result, of), percentile),
  }) as const;

/** Every metric, in the order of a table. */
export const METRICS = [
  latency("wakeup-p50", "wakeup", 50, "wakeup p50", 0.05),
  latency("wakeup-p90", "wakeup", 90, "wakeup p90", 0.05),
  latency("wakeup-p99", "wakeup", 99, "wakeup p99", 0.05),
  latency("wakeup-p99.9", "wakeup", 99.9, "wakeup p99.9", 0.05),
  latency("request-p20", "request", 20, "request p20", 0.01),
  latency("request-p50", "request", 50, "request p50", 0.01),
  latency("request-p90", "request", 90, "request p90", 0.01),
  latency("request-p99", "request", 99, "request p99", 0.02),
  latency("request-p99.9", "request", 99.9, "request p99.9", 0.05),
  latency("response-p99", "response", 99, "response p99", 0.05),
  {
    id: "rps-p50",
    label: "rps p50",
    unit: "requests/s",
    better: "higher",
    quantised: true,
    noiseFloor: 0.01,
    steady: true,
    source: { of: "rps", percentile: 50 },
    read: (result: RunResult) => percentileIn(result.rps, 50),
  },
  {
    id: "average-rps",
    label: "average rps",
    unit: "requests/s",
    better: "higher",
    quantised: false,
    noiseFloor: 0.01,
    steady: true,
    source: null,
    read: (result: RunResult) => result.averageRps,
  },
  {
    id: "transfer-ops",
    label: "transfer per worker",
    unit: "ops/s",
    better: "higher",
    quantised: false,
    noiseFloor: 0.02,
    steady: true,
    source: null,
    read: (result: RunResult) => result.transfer?.opsPerSecPerWorker ?? null,
  },
  {
    id: "transfer-bytes",
    label: "throughput per worker",
    unit: "bytes/s",
    better: "higher",
    quantised: false,
    noiseFloor: 0.02,
    steady: true,
    source: null,
    read: (result: RunResult) => result.transfer?.bytesPerSecPerWorker ?? null,
  },
  {
    id: "sched-delay",
    label: "worker sched delay",
    unit: "usec",
    better: "lower",
    quantised: false,
    noiseFloor: 0.05,
    steady: false,
    source: null,
    read: (result: RunResult) => result.schedDelay?.workerUsec ?? null,
  },
] as const satisfies readonly MetricDefinition[];

/** The name of a metric. */
export type MetricId = (typeof METRICS)[number]["id"];

/** Is this text the name of a metric? */
export const isMetricId = (text: string): text is MetricId => METRICS.some((metric) => metric.id === text);

const BY_ID: ReadonlyMap<string, MetricDefinition> = new Map(METRICS.map((metric) => [metric.id, metric]));

/** The definition of a metric. */
export const metricOf = (id: MetricId): MetricDefinition => {
  const metric = BY_ID.get(id);
  if (metric === undefined) throw new TypeError(`no metric "${id}"`);
  return metric;
};
