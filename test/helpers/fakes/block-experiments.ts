/** Experiments on several boots and machines whose truth is known: how often they are called different. */
import { type CompareOptions, compareSubjects } from "../../../src/compare/compare.js";
import type { SubjectRuns } from "../../../src/compare/comparison-warnings.js";
import { type Random, seededRandom } from "../../../src/stats/random.js";
import { fakeBoots, normal, placedRun } from "./fake-fleet.js";

/** A latency of each kind and a rate: what is tested holds for any; fewer are faster. */
const METRICS = ["wakeup-p99", "request-p50", "request-p99", "average-rps"] as const;

/** What is made of an experiment's runs. */
export type Design = (random: Random) => readonly SubjectRuns[];

/** Each subject has boots of its own, as kernels do; boots scatter by 2 % and runs by 1 %. */
export const ownBoots =
  (boots: number, runs: number, effect = 0): Design =>
  (random) =>
    fakeBoots(boots, runs, { boot: 0.02, run: 0.01 }, { effect, random, samples: 40 });

/** Machines that run both subjects; their speeds scatter by 20 %, their runs by 2 %, the effect by `tau`; some lose runs of one subject. */
export const machines =
  (
    count: number,
    runs: number,
    { effect = 0, tau = 0, lost = 0 }: { readonly effect?: number; readonly tau?: number; readonly lost?: number } = {},
  ): Design =>
  (random) => {
    const places = Array.from({ length: count }, (_, index) => ({
      machine: `m${index}`,
      boot: `b${index}`,
      speed: Math.exp(0.2 * normal(random)),
      factor: (1 + effect) * Math.exp(tau * normal(random)),
    }));
    return ["base", "new"].map((name, subject) => ({
      name,
      runs: places.flatMap(({ machine, boot, speed, factor }, index) =>
        // Every second machine that loses runs loses those of the base, the others those of the candidate.
        Array.from({ length: index % 2 === subject ? runs - lost : runs }, () =>
          placedRun(random, {
            machine,
            boot,
            factor: speed * (subject === 0 ? 1 : factor),
            runScatter: 0.02,
            samples: 40,
          }),
        ),
      ),
    }));
  };

/** In how many of some experiments any metric is called different over all blocks, in how many the primary one is, and in how many anything at all is. */
export const simulateBlocks = (
  count: number,
  design: Design,
  options: CompareOptions = {},
): { readonly any: number; readonly primary: number; readonly anywhere: number } => {
  const found = { any: 0, primary: 0, anywhere: 0 };
  for (let experiment = 0; experiment < count; experiment++) {
    const random = seededRandom(experiment + 1);
    const { metrics, outcome } = compareSubjects(design(random), {
      metrics: METRICS,
      primaryMetric: "request-p99",
      seed: experiment + 1,
      resamples: 1,
      ...options,
    });
    const differs = metrics.filter(({ pairs }) => pairs.some(({ verdict }) => verdict.kind === "different"));
    if (differs.length > 0) found.any++;
    if (differs.some(({ primary }) => primary)) found.primary++;
    if (outcome === "different") found.anywhere++;
  }
  return found;
};
