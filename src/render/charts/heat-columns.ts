/**
 * The data of the latency heat map: seconds of all runs one after the other, each with its own histogram, in cells whose
 * edges are whole µs, about evenly spaced on a logarithmic axis.
 */
import { at } from "../../at.js";
import type { RunResult } from "../../model/result/run-result.js";
import { platValue } from "../../stats/histogram/plat.js";

/** The latencies that are kept second by second. */
export type PerSecondName = "wakeup" | "request";

/** A cell: so many samples from `lowUsec` to below `highUsec`. */
interface HeatCell {
  readonly lowUsec: number;
  readonly highUsec: number;
  readonly count: number;
}

/** One column: a second of a run, several where the time is long, or several runs where they are many. */
export interface HeatColumn {
  /** Index of the run, from 0; of several, of the first and the last. */
  readonly run: number;
  readonly lastRun: number;
  /** On the axis of all runs in a row. */
  readonly fromSec: number;
  readonly toSec: number;
  /** Within its run. */
  readonly runFromSec: number;
  readonly runToSec: number;
  readonly cells: readonly HeatCell[];
  readonly p50Usec: number | null;
  readonly p99Usec: number | null;
}

/** Edges of cells in whole µs from 0 to past `maxUsec`, `perDecade` to a decade where whole numbers allow it. */
export const cellEdges = (maxUsec: number, perDecade: number): readonly number[] => {
  const edges = [0, 1];
  for (let k = 1; (edges.at(-1) ?? 0) <= maxUsec; k++) {
    const edge = Math.ceil(10 ** (k / perDecade) - 1e-9);
    if (edge > (edges.at(-1) ?? 0)) edges.push(edge);
  }
  return edges;
};

type Sparse = readonly (readonly [number, number])[];

const cellsOf = (sparse: Sparse, edges: readonly number[]): readonly HeatCell[] => {
  const counts = new Map<number, number>();
  for (const [bucket, count] of sparse) {
    const value = platValue(bucket);
    const index = Math.max(
      edges.findLastIndex((edge) => edge <= value),
      0,
    );
    counts.set(index, (counts.get(index) ?? 0) + count);
  }
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([index, count]) => ({ lowUsec: at(edges, index), highUsec: edges.at(index + 1) ?? Infinity, count }));
};

const merged = (parts: readonly Sparse[]): Sparse => {
  const counts = new Map<number, number>();
  for (const part of parts) for (const [bucket, count] of part) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  return [...counts].toSorted(([a], [b]) => a - b);
};

/** As `percentileOf`, of ascending buckets without extremes. */
const percentile = (sparse: Sparse, p: number): number | null => {
  const total = sparse.reduce((sum, [, count]) => sum + count, 0);
  let running = 0;
  for (const [bucket, count] of sparse) {
    running += count;
    if (running >= (p / 100) * total) return platValue(bucket);
  }
  return null;
};

/** The largest value of the histograms that are drawn; null when no run kept any. */
export const largestDrawn = (runs: readonly RunResult[], name: PerSecondName, byRun: boolean): number | null => {
  let largestBucket = -1;
  for (const result of runs)
    for (const part of byRun ? [result[name]?.buckets] : result.seconds.map((second) => second[name]))
      for (const entry of part ?? []) largestBucket = Math.max(largestBucket, entry[0]);
  return largestBucket < 0 ? null : platValue(largestBucket);
};

/** Columns for many runs in a row, each of one run or several; runs without a histogram are left out. */
export const columnsByRun = (
  runs: readonly RunResult[],
  name: PerSecondName,
  edges: readonly number[],
  mostColumns: number,
): readonly HeatColumn[] => {
  const kept = runs.flatMap((run, index) => {
    const buckets = run[name]?.buckets ?? null;
    return buckets === null ? [] : [{ index, buckets, took: run.measuredSec ?? run.runtimeSec ?? 1 }];
  });
  const perColumn = Math.max(1, Math.ceil(kept.length / mostColumns));
  let offset = 0;
  return Array.from({ length: Math.ceil(kept.length / perColumn) }, (_, column): HeatColumn => {
    const group = kept.slice(column * perColumn, (column + 1) * perColumn);
    const sparse = merged(group.map(({ buckets }) => buckets));
    const fromSec = offset;
    offset += group.reduce((sum, { took }) => sum + took, 0);
    return {
      run: at(group, 0).index,
      lastRun: at(group, group.length - 1).index,
      fromSec,
      toSec: offset,
      runFromSec: 0,
      runToSec: at(group, group.length - 1).took,
      cells: cellsOf(sparse, edges),
      p50Usec: percentile(sparse, 50),
      p99Usec: percentile(sparse, 99),
    };
  });
};

/** Columns for some runs in a row, at most about `mostColumns` of them; runs without per-second histograms are left out. */
export const heatColumns = (
  runs: readonly RunResult[],
  name: PerSecondName,
  edges: readonly number[],
  mostColumns: number,
): readonly HeatColumn[] => {
  const kept = runs.map((result) => result.seconds.filter((second) => second[name] !== null));
  const total = kept.reduce((sum, seconds) => sum + seconds.length, 0);
  const perColumn = Math.max(1, Math.ceil(total / mostColumns));
  const columns: HeatColumn[] = [];
  let offset = 0;
  for (const [run, seconds] of kept.entries()) {
    for (let i = 0; i < seconds.length; i += perColumn) {
      const group = seconds.slice(i, i + perColumn);
      const sparse = merged(group.map((second) => second[name] ?? []));
      columns.push({
        run,
        lastRun: run,
        fromSec: offset + i,
        toSec: offset + i + group.length,
        // A second that the main thread missed is joined to the next: a column begins where the one before it ends.
        runFromSec: i === 0 ? at(group, 0).atSec - 1 : at(seconds, i - 1).atSec,
        runToSec: at(group, group.length - 1).atSec,
        cells: cellsOf(sparse, edges),
        p50Usec: percentile(sparse, 50),
        p99Usec: percentile(sparse, 99),
      });
    }
    offset += seconds.length;
  }
  return columns;
};
