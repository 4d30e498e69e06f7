/** Experiments of made-up runs that go on until they are decided. */
import { type LookedAt, lookAt, looksUpTo } from "../../../src/compare/sequential.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { seededRandom } from "../../../src/stats/random.js";
import { fakeResult } from "./fake-result.js";

/** One run whose request latency scatters by 5 %, with a slow outlier now and then. */
const draw = (uniform: () => number, factor: number): RunResult => {
  const scatter = Array.from({ length: 6 }, uniform).reduce((sum, u) => sum + u, -3);
  const outlier = uniform() < 0.1 ? 1.3 : 1;
  return fakeResult({ requestUsec: [5000 * factor * outlier * (1 + scatter * 0.07)], wakeupUsec: [], rps: [] });
};

/** How an experiment ends whose second subject takes `factor` times as long. */
export const untilDecided = (seed: number, factor: number, most: number, resamples: number): LookedAt => {
  const { uniform } = seededRandom(seed);
  const looks = looksUpTo(most);
  const [a, b]: [RunResult[], RunResult[]] = [[], []];
  for (;;) {
    a.push(draw(uniform, 1));
    b.push(draw(uniform, factor));
    if (a.length < looks.first) continue;
    const looked = lookAt(
      [
        { name: "a", runs: a },
        { name: "b", runs: b },
      ],
      looks,
      { primaryMetric: "request-p50", metrics: [], resamples, seed },
    );
    if (looked.look.isDecided || a.length === most) return looked;
  }
};

/** Of some experiments: how many called the subjects different, how many ended early, and runs of each subject on average. */
export const simulate = (experiments: number, factor: number, most: number, resamples: number) => {
  const ends = Array.from({ length: experiments }, (_, seed) => untilDecided(seed, factor, most, resamples).look);
  return {
    different: ends.filter(({ decisions }) => decisions.includes("different")).length,
    decided: ends.filter(({ isDecided }) => isDecided).length,
    meanRuns: ends.reduce((sum, { runs }) => sum + runs, 0) / experiments,
  };
};
