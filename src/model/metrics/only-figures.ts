/** A run as far as its metrics go: what is left of each where there are many. Pure. */
import { percentileIn, rowsIn } from "./distribution.js";
import type { Metric } from "./metrics.js";
import type { DistributionName } from "./percentile-table.js";
import type { Distribution, RunResult } from "../result/run-result.js";
import { withoutCourse } from "../result/without-course.js";

/** The table in place of the histogram: the usual rows, and those of other percentiles. */
const tableOf = (distribution: Distribution | null, others: readonly number[]): Distribution | null => {
  if (distribution === null || distribution.buckets === null) return distribution;
  const rows = rowsIn(distribution);
  const more = others
    .filter((percentile) => !rows.some((row) => row.percentile === percentile))
    .flatMap((percentile) => {
      const value = percentileIn(distribution, percentile);
      // How many samples lie below it and above the row before is told of the usual rows only.
      return value === null ? [] : [{ percentile, value, samples: null }];
    });
  return {
    ...distribution,
    percentiles: more.length === 0 ? rows : [...rows, ...more].toSorted((a, b) => a.percentile - b.percentile),
    buckets: null,
  };
};

/** The first of all values that are alike. */
const sharing = <T>(): ((value: T) => T) => {
  const known = new Map<string, T>();
  return (value) => {
    const text = JSON.stringify(value);
    const first = known.get(text);
    if (first === undefined) known.set(text, value);
    return first ?? value;
  };
};

/**
 * Takes one run after the other and leaves of each what its metrics are read from: neither histograms nor course. Plans, machines
 * and builds that are alike are kept once, so that a hundred thousand runs fit into memory.
 *
 * @param metrics those that will be asked for beside the usual ones
 */
export const onlyFigures = (metrics: readonly Metric[]): ((run: RunResult) => RunResult) => {
  const others = (name: DistributionName): readonly number[] =>
    metrics.flatMap(({ source }) => (source?.of === name ? source.percentile : []));
  const wanted = {
    wakeup: others("wakeup"),
    request: others("request"),
    response: others("response"),
    rps: others("rps"),
  };
  const plans = sharing<RunResult["plan"]>();
  const hosts = sharing<RunResult["host"]>();
  const sources = sharing<RunResult["source"]>();
  const commandLines = sharing<RunResult["commandLine"]>();
  return (run) => ({
    ...withoutCourse(run),
    wakeup: tableOf(run.wakeup, wanted.wakeup),
    request: tableOf(run.request, wanted.request),
    response: tableOf(run.response, wanted.response),
    rps: tableOf(run.rps, wanted.rps),
    plan: plans(run.plan),
    host: hosts(run.host),
    source: sources(run.source),
    commandLine: commandLines(run.commandLine),
  });
};
