/** One metric of a candidate over all cells of a grid: the geometric mean of the ratios, and its verdict. Pure. */
import { at } from "../at.js";
import type { MetricDefinition } from "../model/metrics/metrics.js";
import { finiteOrNull, intervalOf } from "../stats/intervals/bootstrap.js";
import { drawnMedians, medianDistribution, quotient } from "../stats/intervals/median-bootstrap.js";
import { isAtMost } from "../stats/significance/multiple-testing.js";
import { labelledRandom } from "../stats/random.js";
import type { RatioEstimate, Verdict } from "./comparison.js";
import { directionOf } from "./direction.js";
import type { OverallPair } from "./grid-comparison.js";
import { type PairTest, ratioOf } from "./pair.js";
import { hasInterval, type IntervalOptions, knownValues } from "./subject-metrics.js";

/** What the family of tests says. */
export interface OverallCorrection {
  readonly p: number;
  readonly adjustedP: number;
  readonly alpha: number;
}

const geometricMean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);

/** A cell whose ratio is a positive number. */
interface UsableCell {
  readonly test: PairTest;
  readonly ratio: number;
}

/** The mean of the ratios, its interval from drawing medians anew within every cell. */
const meanRatio = (cells: readonly UsableCell[], options: IntervalOptions): RatioEstimate => {
  const sides = cells.map(({ test }) => ({ test, above: knownValues(test.candidate), below: knownValues(test.base) }));
  const runs = Math.min(...sides.flatMap(({ above, below }) => [above.length, below.length]));
  const value = geometricMean(cells.map(({ ratio }) => ratio));
  if (!hasInterval(runs, options)) return { value, interval: null };
  const drawn = sides.map(({ test: { metric, base, candidate }, above, below }, cell) => {
    const medians = (values: readonly number[], side: string): number[] => {
      const label = `overall ${metric.id} ${base.subject} ${candidate.subject} ${cell} ${side}`;
      return drawnMedians(medianDistribution(values), options.resamples, labelledRandom(options.seed, label));
    };
    const divisors = medians(below, "base");
    return medians(above, "candidate").map((median, index) => quotient(median, at(divisors, index)));
  });
  const means = Array.from({ length: options.resamples }, (_, index) =>
    geometricMean(drawn.map((ratios) => at(ratios, index))),
  );
  // Nothing in one cell and no end in another say nothing together.
  const { low, high } = intervalOf(
    means.map((mean) => (Number.isNaN(mean) ? 1 : mean)),
    options.confidence,
    runs,
  );
  return { value, interval: { low, high: finiteOrNull(high) } };
};

const verdictOn = (
  metric: MetricDefinition,
  ratio: RatioEstimate | null,
  threshold: number | null,
  { adjustedP, alpha }: OverallCorrection,
): Verdict => {
  if (ratio === null || threshold === null) return { kind: "undecided", because: "no-data", neededRuns: null };
  const isApart = ratio.interval === null || ratio.interval.low > 1 || (ratio.interval.high ?? Infinity) < 1;
  if (!isAtMost(adjustedP, alpha) || !isApart) return { kind: "not-shown", neededRuns: null, neededForRatio: null };
  if (Math.abs(ratio.value - 1) <= threshold) return { kind: "negligible", because: "noise-threshold" };
  return { kind: "different", direction: directionOf(metric, ratio.value < 1) };
};

/** One metric over the cells; `tests` are those of its cells, in order. */
export const overallPair = (
  metric: MetricDefinition,
  tests: readonly PairTest[],
  correction: OverallCorrection,
  options: IntervalOptions,
): OverallPair => {
  const { base, candidate } = at(tests, 0);
  const usable = tests.flatMap((test): readonly UsableCell[] => {
    const value = ratioOf(test)?.value ?? 0;
    return value > 0 ? [{ test, ratio: value }] : [];
  });
  const ratio = usable.length === 0 ? null : meanRatio(usable, options);
  const thresholds = usable.map(
    ({ test: { limits, base: side } }) =>
      Math.max(limits.noise, limits.resolution) / (side.median?.value ?? Number.NaN),
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
