/** Runs that were really made, all of one plan, for tests of the judging: see test/fixtures/experiment/README.md. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { distributionOf } from "../../../src/model/metrics/distribution.js";
import type { Distribution, RunResult } from "../../../src/model/result/run-result.js";
import { fromSparse, PLAT_NR, platIndex, platValue } from "../../../src/stats/histogram/plat.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const flat = z.array(z.number());
const line = z.object({
  machine: z.enum(["quiet", "loaded"]),
  wakeup: flat,
  request: flat,
  rps: flat,
  averageRps: z.number(),
  schedDelayUsec: z.number(),
});

const distribution = ([min = 0, max = 0, ...pairs]: readonly number[], unit: Distribution["unit"]) => {
  const buckets = pairs.flatMap((bucket, index) => (index % 2 === 0 ? [[bucket, pairs[index + 1] ?? 0] as const] : []));
  return distributionOf(fromSparse(buckets, min, max), unit);
};

const STORED = readFileSync("test/fixtures/experiment/runs-of-one-plan.ndjson", "utf8")
  .trim()
  .split("\n")
  .map((text) => line.parse(JSON.parse(text)));

/** The runs made while little else ran, or beside other work. */
export const realRuns = (machine: "quiet" | "loaded"): readonly RunResult[] =>
  STORED.filter((stored) => stored.machine === machine).map((stored) =>
    fakeResult(
      { averageRps: stored.averageRps },
      {
        wakeup: distribution(stored.wakeup, "usec"),
        request: distribution(stored.request, "usec"),
        rps: distribution(stored.rps, "requests/s"),
        schedDelay: { messageUsec: null, workerUsec: stored.schedDelayUsec },
      },
    ),
  );

/** Every sample times a factor, bucket by bucket. */
const stretched = (from: Distribution | null, factor: number): Distribution | null => {
  if (from === null || from.buckets === null || from.min === null || from.max === null) return null;
  const counts = new Float64Array(PLAT_NR);
  for (const [bucket, count] of from.buckets) {
    const to = platIndex(Math.round(platValue(bucket) * factor));
    counts[to] = (counts[to] ?? 0) + count;
  }
  return distributionOf({ counts, min: Math.round(from.min * factor), max: Math.round(from.max * factor) }, from.unit);
};

/** A run whose requests all took so many times as long; `wakeups`: the wakeups, too. */
export const slowed = (run: RunResult, factor: number, wakeups = false): RunResult => ({
  ...run,
  request: stretched(run.request, factor),
  rps: stretched(run.rps, 1 / factor),
  averageRps: run.averageRps === null ? null : run.averageRps / factor,
  ...(wakeups ? { wakeup: stretched(run.wakeup, factor) } : {}),
});
