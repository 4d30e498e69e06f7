/**
 * Which percentiles are shown, and where: the one list behind the text tables, the JSON's keys, the metrics of comparisons,
 * the pages and the library. One more is a line here.
 *
 * Upstream counterpart: plist, and the masks that show_latencies takes.
 */
import { at } from "../../at.js";

/** The distributions of a run that have percentiles. */
export type DistributionName = "wakeup" | "request" | "response" | "rps";

/** The tables of the text report; `pipe` is the wakeup table of pipe mode. */
export type TextTableName = DistributionName | "pipe";

/** Where a percentile is shown. */
interface PercentileUse {
  /** In percent. */
  readonly percentile: number;
  /** The text tables with a row for it, and those in which that row is starred. */
  readonly rows: readonly TextTableName[];
  readonly stars: readonly TextTableName[];
  /** The distributions of which it is a metric, each with the relative difference below which one is of no consequence. */
  readonly floors: Readonly<Partial<Record<DistributionName, number>>>;
  /** It is a column in the tables of pages, and a line in the charts of sweeps. */
  readonly pages: boolean;
}

const LATENCIES = ["wakeup", "request", "response", "pipe"] as const;
const ALL = [...LATENCIES, "rps"] as const;

/** The percentiles, ascending. */
const PERCENTILE_TABLE = [
  { percentile: 20, rows: ["rps", "pipe"], stars: [], floors: { request: 0.01 }, pages: false },
  { percentile: 50, rows: ALL, stars: ["rps"], floors: { wakeup: 0.05, request: 0.01, rps: 0.01 }, pages: true },
  { percentile: 90, rows: ALL, stars: [], floors: { wakeup: 0.05, request: 0.01 }, pages: true },
  {
    percentile: 99,
    rows: LATENCIES,
    stars: LATENCIES,
    floors: { wakeup: 0.05, request: 0.02, response: 0.05 },
    pages: true,
  },
  { percentile: 99.9, rows: LATENCIES, stars: [], floors: { wakeup: 0.05, request: 0.05 }, pages: true },
] as const satisfies readonly PercentileUse[];

const USES: readonly PercentileUse[] = PERCENTILE_TABLE;

/** A percentile of the list. */
export type Percentile = (typeof PERCENTILE_TABLE)[number]["percentile"];

/** All of them, ascending: the rows that a result keeps of each distribution. */
export const PERCENTILES: readonly Percentile[] = PERCENTILE_TABLE.map(({ percentile }) => percentile);

/** Those in the tables of pages. */
export const PAGE_PERCENTILES: readonly Percentile[] = PERCENTILE_TABLE.flatMap(({ percentile, pages }) =>
  pages ? percentile : [],
);

const those = (holds: (use: PercentileUse) => boolean): readonly number[] =>
  USES.filter(holds).map(({ percentile }) => percentile);

/** Those that a text table shows. */
export const rowsOf = (table: TextTableName): readonly number[] => those(({ rows }) => rows.includes(table));

/** Those that a text table does not show. */
export const hiddenIn = (table: TextTableName): readonly number[] => those(({ rows }) => !rows.includes(table));

/** Those that are starred in a text table. */
export const starredIn = (table: TextTableName): readonly number[] => those(({ stars }) => stars.includes(table));

/** A percentile that is a metric. */
export interface MetricPercentile {
  readonly percentile: number;
  readonly noiseFloor: number;
}

/** Those of a distribution that are metrics, ascending. */
export const metricPercentiles = (of: DistributionName): readonly MetricPercentile[] =>
  USES.flatMap(({ percentile, floors }) => {
    const noiseFloor = floors[of];
    return noiseFloor === undefined ? [] : { percentile, noiseFloor };
  });

/** Any percentile as a metric: it has the noise floor of the next higher one in the list, or of the highest. */
export const asMetric = (of: DistributionName, percentile: number): MetricPercentile => {
  const known = metricPercentiles(of);
  const { noiseFloor } = known.find((one) => one.percentile >= percentile) ?? at(known, known.length - 1);
  return { percentile, noiseFloor };
};
