/** Comparisons to print: one per kind of thing that a table has to say. */
import { compareSubjects } from "../../../src/compare/compare.js";
import type { Comparison } from "../../../src/compare/comparison.js";
import { seededRandom } from "../../../src/stats/random.js";
import { fakeResult } from "../../helpers/fake-result.js";
import { simulatedPool } from "../experiment/compare-simulated-runs.js";

const random = seededRandom(1);

/** Slower, faster and equal candidates, with a name that is wide and full of Markdown. */
export const threeCandidates: Comparison = compareSubjects([
  { name: "eevdf", runs: simulatedPool(random, 6) },
  { name: "調度|器_*v2*", runs: simulatedPool(random, 6, { requests: 1.2 }) },
  { name: "tuned", runs: simulatedPool(random, 6, { requests: 0.9 }) },
  { name: "same", runs: simulatedPool(random, 6) },
]);

/** Three runs a side, one of them traced. */
export const tooFew: Comparison = compareSubjects(
  [
    { name: "base", runs: simulatedPool(random, 3).map((run) => ({ ...run, explanation: { version: 1 } })) },
    { name: "new", runs: simulatedPool(random, 3) },
  ],
  { primaryMetric: "request-p50", seed: 7 },
);

const pipeRuns = (ops: readonly number[]) =>
  ops.map((opsPerSecPerWorker) =>
    fakeResult(
      { averageRps: null },
      {
        mode: "pipe",
        request: null,
        rps: null,
        wakeup: null,
        transfer: {
          opsPerSecPerWorker,
          bytesPerSecPerWorker: opsPerSecPerWorker * 65_536,
          opsPerSecTotal: null,
          bytesPerSecTotal: null,
        },
      },
    ),
  );

/** Transfers, a little slower: shown, but too little to matter. */
export const pipe: Comparison = compareSubjects([
  { name: "gcc", runs: pipeRuns([20_000, 20_010, 20_020, 20_030, 20_040, 20_050]) },
  { name: "clang", runs: pipeRuns([19_900, 19_910, 19_920, 19_930, 19_940, 19_950]) },
]);
