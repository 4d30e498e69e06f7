/**
 * The JSON of `-j`: upstream's two objects with their names and types, so that a path such as
 * `.int."wakeup_latency_pct99.0"` keeps working, and the complete run result as a third, `schbench_ts`.
 *
 * Upstream counterpart: write_json_header, write_json_stats. Where upstream writes 0 for what was not measured, this
 * writes null, and it always parses.
 */
import { percentileName } from "../stats/histogram/percentiles.js";
import { percentileIn } from "../model/metrics/distribution.js";
import { PERCENTILES } from "../model/metrics/percentile-table.js";
import { wholeSeconds } from "./percentile-table.js";
import type { Distribution, RunResult } from "../model/result/run-result.js";

type Numbers = Record<string, number | null>;

const distributionKeys = (label: string, distribution: Distribution | null): Numbers => ({
  ...Object.fromEntries(
    PERCENTILES.map((percentile) => [
      `${label}_pct${percentileName(percentile)}`,
      percentileIn(distribution, percentile),
    ]),
  ),
  [`${label}_min`]: distribution?.min ?? null,
  [`${label}_max`]: distribution?.max ?? null,
});

/** Seconds since the epoch at the end of the run, which is when upstream reads its clock. */
const endTime = ({ startedAt, runtimeSec }: RunResult): number | null => {
  const startMsec = startedAt === null ? Number.NaN : Date.parse(startedAt);
  return Number.isNaN(startMsec) ? null : Math.floor(startMsec / 1000 + (runtimeSec ?? 0));
};

/** What upstream's JSON has: `normal` and `int`, with its names and types. */
export const upstreamHalf = (
  result: RunResult,
): { readonly normal: Readonly<Record<string, string | null>>; readonly int: Readonly<Numbers> } => {
  const reported = result.source.kind === "parsed" ? result.source.machine : undefined;
  const machine = result.host ?? reported ?? null;
  return {
    normal: {
      version: machine?.kernel ?? null,
      ...(result.jobname === null ? {} : { jobname: result.jobname }),
      hostname: machine?.hostname ?? null,
      sched_ext: machine?.schedExt ?? null,
      cmdline: result.commandLine?.join(" ") ?? null,
    },
    int: {
      time: endTime(result),
      ...distributionKeys("wakeup_latency", result.wakeup),
      ...(result.mode === "pipe"
        ? {}
        : { ...distributionKeys("request_latency", result.request), ...distributionKeys("rps", result.rps) }),
      runtime: result.runtimeSec === null ? null : wholeSeconds(result.runtimeSec),
    },
  };
};

/** One JSON object on one line, ended. */
export const schbenchJson = (result: RunResult): string =>
  `${JSON.stringify({ ...upstreamHalf(result), schbench_ts: result })}\n`;
