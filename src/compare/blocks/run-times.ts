/** How long a run takes, and how long a boot before its first one. Pure. */
import type { RunResult } from "../../model/result/run-result.js";
import { median } from "../../stats/sample.js";
import type { RunPlace } from "./place.js";

/** A run with its place. */
interface PlacedRun {
  readonly run: RunResult;
  readonly place: RunPlace;
}

/** Seconds, medians over runs and over boots; null where the runs do not say. */
export const runTimes = (
  placed: readonly PlacedRun[],
): { readonly runSec: number | null; readonly bootSec: number | null } => {
  const lengths = placed.flatMap(({ run }) => run.runtimeSec ?? []);
  const runSec = lengths.length === 0 ? null : median(lengths);
  const begun = placed
    .flatMap(({ run, place }) => (run.startedAt === null ? [] : [{ at: Date.parse(run.startedAt) / 1000, place }]))
    .toSorted((a, b) => a.at - b.at);
  // From the end of one boot's last run to the beginning of the next boot's first.
  const pauses = begun.flatMap(({ at, place }, index) => {
    const before = begun[index - 1];
    return before === undefined || before.place.machine !== place.machine || before.place.boot === place.boot
      ? []
      : [at - before.at - (runSec ?? 0)];
  });
  return { runSec, bootSec: pauses.length === 0 ? null : Math.max(0, median(pauses)) };
};
