/**
 * An experiment that goes on until its primary metric is decided: after each round the subjects are compared at the level that this look
 * may spend, so that looking often costs no false alarms (stats/significance/alpha-spending.ts). Decided means shown to differ, or shown not to
 * differ by more than what would matter. Pure.
 */
import { type Looks, lookLevel } from "../stats/significance/alpha-spending.js";
import { compareSubjects, type CompareOptions } from "./compare.js";
import type { Comparison, Look, PairMetric } from "./comparison.js";
import { RECOMMENDED_RUNS, type SubjectRuns } from "./comparison-warnings.js";

/** A comparison at a look. */
export interface LookedAt {
  readonly comparison: Comparison;
  readonly look: Look;
}

/** When `ab --until decided` looks: fewer runs than recommended cannot decide. */
export const looksUpTo = (most: number): Looks => ({ first: Math.min(RECOMMENDED_RUNS, most), most });

const decisionOn = ({ verdict, ratio, threshold }: PairMetric): Look["decisions"][number] => {
  if (verdict.kind === "different") return "different";
  if (verdict.kind === "negligible") return "equivalent";
  if (ratio === null || ratio.interval === null || threshold === null) return "undecided";
  const { low, high } = ratio.interval;
  return low >= 1 / (1 + threshold) && (high ?? Infinity) <= 1 + threshold ? "equivalent" : "undecided";
};

/**
 * Compares subjects after some rounds of an experiment with several looks.
 *
 * @param subjects with the same number of runs each
 * @param options as for one comparison; `confidence` holds for all looks together
 */
export const lookAt = (subjects: readonly SubjectRuns[], looks: Looks, options: CompareOptions = {}): LookedAt => {
  const runs = Math.min(...subjects.map((subject) => subject.runs.length));
  const level = lookLevel(1 - (options.confidence ?? 0.95), looks, runs);
  const comparison = compareSubjects(subjects, { ...options, confidence: 1 - level });
  const primary = comparison.metrics.find((metric) => metric.primary);
  const decisions = (primary?.pairs ?? []).map(decisionOn);
  return {
    comparison,
    look: {
      runs,
      mostRuns: looks.most,
      level,
      decisions,
      isDecided: decisions.length > 0 && !decisions.includes("undecided"),
    },
  };
};
