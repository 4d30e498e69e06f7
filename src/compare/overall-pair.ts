/** One metric of a candidate over all cells of a grid: the geometric mean of the ratios, and its verdict. Pure. */
import { at } from "../at.js";
import type { MetricDefinition } from "../model/metrics.js";
import { bootstrapMedians } from "../stats/bootstrap.js";
import { labelledRandom } from "../stats/random.js";
import type { Estimate, Verdict } from "./comparison.js";
import type { OverallPair } from "./grid-comparison.js";
import type { PairTest } from "./pair.js";
import { estimateOf, type IntervalOptions, knownValues } from "./subject-metrics.js";

/** What the family of tests says. */
export interface OverallCorrection {
  readonly p: number;
  readonly adjustedP: number;
  readonly alpha: number;
}

const geometricMean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);

const isUsable = (ratio: number): boolean => Number.isFinite(ratio) && ratio > 0;

/** The mean of the ratios, its interval from drawing runs anew within every cell. */
const meanRatio = (tests: readonly PairTest[], options: IntervalOptions): Estimate => {
  const runs = Math.min(
    ...tests.flatMap(({ base, candidate }) => [knownValues(base).length, knownValues(candidate).length]),
  );
  const value = geometricMean(tests.map(({ ratio }) => ratio?.value ?? Number.NaN));
  return estimateOf(value, runs, options, () => {
    const drawn = tests.map(({ metric, base, candidate }, cell) => {
      const medians = (values: readonly number[], side: string): number[] =>
        bootstrapMedians(
          values,
          options.resamples,
          labelledRandom(options.seed, `overall ${metric.id} ${base.subject} ${candidate.subject} ${cell} ${side}`),
        );
      const below = medians(knownValues(base), "base");
      return medians(knownValues(candidate), "candidate").map((median, index) => median / at(below, index));
    });
    return Array.from({ length: options.resamples }, (_, index) =>
      geometricMean(drawn.map((ratios) => at(ratios, index))),
    ).filter(isUsable);
  });
};

const verdictOn = (
  metric: MetricDefinition,
  ratio: Estimate | null,
  threshold: number | null,
  { adjustedP, alpha }: OverallCorrection,
): Verdict => {
  if (ratio === null || threshold === null) return { kind: "undecided", because: "no-data", neededRuns: null };
  const isApart = ratio.interval === null || ratio.interval.low > 1 || ratio.interval.high < 1;
  if (adjustedP > alpha || !isApart) return { kind: "not-shown", neededRuns: null, neededForRatio: null };
  if (Math.abs(ratio.value - 1) <= threshold) return { kind: "negligible", because: "noise-threshold" };
  return { kind: "different", direction: ratio.value < 1 === (metric.better === "lower") ? "better" : "worse" };
};

/** One metric over the cells; `tests` are those of its cells, in order. */
export const overallPair = (
  metric: MetricDefinition,
  tests: readonly PairTest[],
  correction: OverallCorrection,
  options: IntervalOptions,
): OverallPair => {
  const { base, candidate } = at(tests, 0);
  const usable = tests.filter(({ ratio }) => ratio !== null && isUsable(ratio.value));
  const ratio = usable.length === 0 ? null : meanRatio(usable, options);
  const thresholds = usable.map(
    ({ limits, base: { median } }) => Math.max(limits.noise, limits.resolution) / (median?.value ?? Number.NaN),
  );
  const threshold = thresholds.length === 0 ? null : thresholds.reduce((sum, one) => sum + one, 0) / thresholds.length;
  const tested = tests.some(({ p }) => p !== null);
  return {
    base: base.subject,
    candidate: candidate.subject,
    ratio,
    cells: usable.length,
    p: tested ? correction.p : null,
    adjustedP: tested ? correction.adjustedP : null,
    threshold,
    verdict: verdictOn(metric, ratio, threshold, correction),
  };
};
