/** Comparisons to print: one per kind of thing that a table has to say. */
import { compareSubjects } from "../../../src/compare/compare.js";
import type { Comparison } from "../../../src/compare/comparison.js";
import { seededRandom } from "../../../src/stats/random.js";
import { fakeBoots, fakeFleet } from "../../helpers/fakes/fake-fleet.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";
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

const machines = fakeFleet([0.1, 0.12, 0.09, -0.1, 0.11, 0.1, 0.005], {
  host: (machine) => (machine === 3 ? { cpuModel: "Other CPU 1" } : {}),
});

/** Seven machines: one goes the other way and has another CPU, one shows nothing, one was disturbed in two rounds. */
export const fleet: Comparison = compareSubjects(
  ["base", "patched"].map((name, subject) => ({
    name,
    runs: machines.flatMap(({ subjects }, machine) =>
      (subjects[subject]?.runs ?? []).map((run, round) =>
        machine === 2 && round < 2
          ? { ...run, warnings: [{ code: "steal-time", message: "12 % of the time was stolen", cure: null }] }
          : run,
      ),
    ),
  })),
  { metrics: ["request-p50", "average-rps"] },
);

/** Two boots of each kernel, which can show nothing. */
export const twoBoots: Comparison = compareSubjects(fakeBoots(2, 3, { boot: 0.03, run: 0.01 }, { effect: 0.15 }), {
  metrics: ["request-p50"],
});

/** Eight boots of each kernel. */
export const eightBoots: Comparison = compareSubjects(fakeBoots(8, 3, { boot: 0.03, run: 0.01 }, { effect: 0.15 }), {
  metrics: ["request-p50"],
});
