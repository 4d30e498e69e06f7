/**
 * The metrics of a run: the one list behind comparison, sweep, envelope, reports and `--primary`. Parser, tables and types
 * derive from it.
 *
 * Upstream counterpart: the rows of show_latencies, and the average rps, transfer and sched delay lines of main.
 */
import { percentileIn } from "./distribution.js";
import { type FigureId, type FigureUnit, FINGERPRINT_FIGURES } from "./fingerprint-figures.js";
import { asMetric, type DistributionName, metricPercentiles, type MetricPercentile } from "./percentile-table.js";
import type { Distribution, RunResult } from "../result/run-result.js";

/** The percentile of which distribution a metric is. */
interface PercentileOfRun {
  readonly of: DistributionName;
  /** In percent. */
  readonly percentile: number;
}

/** What there is to know about a metric. */
export interface MetricDefinition {
  /** Stable name, as on the command line and in JSON. */
  readonly id: string;
  /** As in a table, without the unit. */
  readonly label: string;
  readonly unit: "usec" | "requests/s" | "ops/s" | "bytes/s" | FigureUnit;
  /** `neither`: it may change, but there is no better or worse in it. */
  readonly better: "lower" | "higher" | "neither";
  /** True where a run reports whole units from a histogram, so that values tie and small differences have no meaning. */
  readonly quantised: boolean;
  /** Relative difference below which a difference is of no consequence, however surely it is one (docs/statistics.md). */
  readonly noiseFloor: number;
  /** The same in the metric's own unit: what decides where it is near 0. */
  readonly absoluteFloor: number;
  /** A rate, or the faster half of the requests: what preemption and stolen time move least from run to run. */
  readonly steady: boolean;
  /** The group of workers that it is of; null: all of them. */
  readonly group: string | null;
  /** Where the metric is a percentile: of what; null otherwise. */
  readonly source: PercentileOfRun | null;
  /** The value of one run; null where the run does not have it. */
  readonly read: (result: RunResult) => number | null;
}

/** What a table says of a metric before its figures. */
export interface MetricHead extends Pick<MetricDefinition, "label" | "unit" | "better"> {
  readonly id: MetricId;
}

/** The same where it is judged. */
export interface JudgedHead extends MetricHead, Pick<MetricDefinition, "quantised"> {
  /** It is the one named beforehand. */
  readonly primary: boolean;
  /** In the correction: how many times as large a p is as remarkable as one of a metric of weight 1. */
  readonly weight: number;
}

const DISTRIBUTIONS = ["wakeup", "request", "response", "rps"] as const satisfies readonly DistributionName[];

const percentileMetric = (of: DistributionName, { percentile, noiseFloor }: MetricPercentile) => {
  const isRate = of === "rps";
  return {
    id: `${of}-p${percentile}`,
    label: `${of} p${percentile}`,
    unit: isRate ? "requests/s" : "usec",
    better: isRate ? "higher" : "lower",
    quantised: true,
    noiseFloor,
    absoluteFloor: 0,
    steady: isRate || (of === "request" && percentile <= 50),
    group: null,
    source: { of, percentile },
    read: (result: RunResult) => percentileIn(result[of], percentile),
  } as const;
};

/** What is no percentile. */
const OTHERS = [
  {
    id: "average-rps",
    label: "average rps",
    unit: "requests/s",
    better: "higher",
    quantised: false,
    noiseFloor: 0.01,
    absoluteFloor: 0,
    steady: true,
    group: null,
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
    absoluteFloor: 0,
    steady: true,
    group: null,
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
    absoluteFloor: 0,
    steady: true,
    group: null,
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
    absoluteFloor: 0,
    steady: false,
    group: null,
    source: null,
    read: (result: RunResult) => result.schedDelay?.workerUsec ?? null,
  },
] as const satisfies readonly MetricDefinition[];

/** The name of a metric of all workers; any percentile of a distribution is one, such as `wakeup-p95` or `request-p99.99`. */
type MetricOfAll = `${DistributionName}-p${number}` | (typeof OTHERS)[number]["id"] | FigureId;

/** The name of a metric; that of a group of workers has the group's name before it: `short.wakeup-p99`. */
export type MetricId = MetricOfAll | `${string}.${MetricOfAll}`;

/** A metric with its name. */
export interface Metric extends MetricDefinition {
  readonly id: MetricId;
}

interface MetricForAll extends Metric {
  readonly id: MetricOfAll;
}

/** What the kernel saw of a run: shown where it is asked for by name. */
const FIGURES = FINGERPRINT_FIGURES.map((figure) => {
  const { id, label, unit, better, noiseFloor, absoluteFloor, read } = figure;
  const plain = { quantised: false, steady: false, group: null, source: null } as const;
  return { id, label, unit, better, noiseFloor, absoluteFloor, read, ...plain } satisfies MetricForAll;
});

/** The metrics that are shown where none is asked for by name, in the order of a table. */
export const METRICS: readonly MetricForAll[] = [
  ...DISTRIBUTIONS.flatMap((of) => metricPercentiles(of).map((one) => percentileMetric(of, one))),
  ...OTHERS,
];

const BY_ID: ReadonlyMap<string, MetricForAll> = new Map([...METRICS, ...FIGURES].map((metric) => [metric.id, metric]));

/** Every metric that has a name of its own. */
export const METRIC_NAMES: readonly string[] = [...BY_ID.keys()];

/** The metric of a name such as `wakeup-p95`: more than 0, up to 100, written as short as can be. */
const percentileNamed = (name: string): MetricForAll | null => {
  const [, distribution, digits] = /^(\w+)-p([\d.]+)$/u.exec(name) ?? [];
  const of = DISTRIBUTIONS.find((one) => one === distribution);
  const percentile = Number(digits);
  if (of === undefined || String(percentile) !== digits || !(percentile > 0 && percentile <= 100)) return null;
  return percentileMetric(of, asMetric(of, percentile));
};

const forAllNamed = (name: string): MetricForAll | null => BY_ID.get(name) ?? percentileNamed(name);

/** Whether there is a metric for the workers of a group alone: of their latencies, and of what they got done. */
const countsByGroup = ({ id, source }: MetricForAll): boolean =>
  source === null ? id === "average-rps" : source.of !== "rps";

const ofGroup = (metric: MetricForAll, group: string): Metric => ({
  ...metric,
  id: `${group}.${metric.id}`,
  label: `${group}.${metric.label}`,
  group,
  read: (result) => {
    const part = result.groups.find(({ name }) => name === group);
    if (part === undefined) return null;
    const { wakeup, request, response, averageRps } = part;
    return metric.read({ ...result, wakeup, request, response, averageRps });
  },
});

/** The metric of a name such as `short.wakeup-p99`: a group, and what of it. */
const groupMetricNamed = (name: string): Metric | null => {
  const [, group, rest] = /^([a-z][a-z0-9-]*)\.(.+)$/u.exec(name) ?? [];
  const metric = rest === undefined ? null : forAllNamed(rest);
  return group === undefined || metric === null || !countsByGroup(metric) ? null : ofGroup(metric, group);
};

const named = (name: string): Metric | null => forAllNamed(name) ?? groupMetricNamed(name);

/** What is shown of each group where no metric is asked for by name. */
const SHOWN_OF_GROUPS: ReadonlySet<MetricOfAll> = new Set(["wakeup-p50", "wakeup-p99", "request-p99", "average-rps"]);

/** The metrics of some runs that are shown unasked: those of all workers, and those of each group that a run has. */
export const metricsIn = (runs: readonly RunResult[]): readonly Metric[] => {
  const groups = [...new Set(runs.flatMap((run) => run.groups.map(({ name }) => name)))];
  const shown = METRICS.filter(({ id }) => SHOWN_OF_GROUPS.has(id));
  return [...METRICS, ...groups.flatMap((group) => shown.map((metric) => ofGroup(metric, group)))];
};

/** The distribution that a metric is a percentile of; null where it is of none, or the run does not have it. */
export const distributionBehind = (result: RunResult, { source, group }: MetricDefinition): Distribution | null => {
  if (source === null) return null;
  const { of } = source;
  if (group === null) return result[of];
  return of === "rps" ? null : (result.groups.find(({ name }) => name === group)?.[of] ?? null);
};

/** Is this text the name of a metric? */
export const isMetricId = (text: string): text is MetricId => named(text) !== null;

/** The definition of a metric. */
export const metricOf = (id: MetricId): Metric => {
  const metric = named(id);
  if (metric === null) throw new TypeError(`no metric "${id}"`);
  return metric;
};

/** The head of a metric. */
export const metricHead = ({ id, label, unit, better }: Metric): MetricHead => ({ id, label, unit, better });

/** The name of the metric of all workers that a group's metric is of. */
export const idForAll = ({ id, group }: MetricDefinition): string => (group === null ? id : id.slice(group.length + 1));

/** Where a metric stands in a table: percentiles by distribution, ascending; then the others. */
const placeOf = (metric: Metric): readonly [group: number, within: number] => {
  const { source } = metric;
  return source === null
    ? [DISTRIBUTIONS.length, METRIC_NAMES.indexOf(idForAll(metric))]
    : [DISTRIBUTIONS.indexOf(source.of), source.percentile];
};

/** The metrics of these names, each once, in the order of a table. */
export const metricsNamed = (ids: readonly MetricId[]): readonly Metric[] =>
  [...new Set(ids)].map(metricOf).toSorted((a, b) => {
    // Those of all workers first.
    const [ofA, ofB] = [a.group ?? "", b.group ?? ""];
    if (ofA !== ofB) return ofA < ofB ? -1 : 1;
    const [[groupA, withinA], [groupB, withinB]] = [placeOf(a), placeOf(b)];
    return groupA - groupB || withinA - withinB;
  });

/** Those that are judged: the primary one, and those that are wanted, or else all of these runs that are shown unasked. */
export const judgedMetrics = (
  primary: MetricId,
  wanted: readonly MetricId[] | undefined,
  runs: readonly RunResult[],
): readonly Metric[] => metricsNamed([primary, ...(wanted ?? metricsIn(runs).map(({ id }) => id))]);
