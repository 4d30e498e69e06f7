/** One candidate in blocks: every metric within each block and over all of them, as one family of tests. Pure. */
import { at } from "../at.js";
import type { Metric, MetricId } from "../model/metrics/metrics.js";
import { type GridOverall, gridRankTest } from "../stats/significance/grid-permutation.js";
import { labelledRandom } from "../stats/random.js";
import type { BlockSides } from "./blocks/agreement.js";
import { type BlockDesign, isFleet, replicateOf } from "./blocks/design.js";
import type { PairMetric, SubjectMetric } from "./comparison.js";
import { weightOf } from "./corrections.js";
import { type Correction, judgedPair, type PairTest, testPair } from "./pair.js";
import {
  judgedPooled,
  logSides,
  type PooledTest,
  ratioInThese,
  ratioLikeThese,
  stepVariance,
  twoSided,
} from "./pooled-pair.js";
import { figuresOfUnits, hasInterval, type IntervalOptions, unitValues } from "./subject-metrics.js";

/** How to judge. */
export interface BlockJudging {
  readonly primaryMetric: MetricId;
  readonly noiseThreshold: number | null;
  readonly alpha: number;
  readonly intervals: IntervalOptions;
}

/** One metric over all runs, one column per subject. */
export interface SeenMetric {
  readonly metric: Metric;
  readonly subjects: readonly SubjectMetric[];
}

/** A metric with its columns in each stratum, each row, and altogether. */
export interface BlockColumns {
  readonly metric: Metric;
  /** By stratum, then subject: one value for each that counts once. */
  readonly strata: readonly (readonly (readonly (number | null)[])[])[];
  /** By row, then subject. */
  readonly rows: readonly (readonly SubjectMetric[])[];
  readonly all: readonly SubjectMetric[];
}

/** Deals times values that are looked at: of very many runs fewer deals, which only make the ps coarser. */
const WORK = 4e8;
const FEWEST_DEALS = 1000;
const MOST_DEALS = 20_000;

/** A metric in its blocks. */
export const columnsOf = (
  { metric, subjects }: SeenMetric,
  design: BlockDesign,
  intervals: IntervalOptions,
): BlockColumns => {
  const replicate = replicateOf(design);
  const unitsIn = (strata: readonly number[], subject: number) =>
    strata.flatMap((stratum) => at(at(design.strata, stratum).subjects, subject));
  const valuesIn = (strata: readonly number[], subject: number) =>
    unitValues(at(subjects, subject), unitsIn(strata, subject));
  return {
    metric,
    strata: design.strata.map((_, stratum) => subjects.map((_subject, subject) => valuesIn([stratum], subject))),
    rows: design.rows.map(({ strata }) =>
      subjects.map(({ subject: name }, subject): SubjectMetric => {
        const values = valuesIn(strata, subject);
        return { subject: name, values, merged: null, ...figuresOfUnits(values, intervals) };
      }),
    ),
    all: subjects.map((subject, index) => {
      if (replicate === "run") return subject;
      const units = valuesIn([...design.strata.keys()], index);
      return { ...subject, units, ...figuresOfUnits(units, intervals) };
    }),
  };
};

/** The verdicts on one candidate: by metric, in each row and over all. */
export type CandidateVerdicts = readonly {
  readonly rows: readonly PairMetric[];
  readonly pooled: PairMetric;
  readonly sides: readonly BlockSides[];
  readonly level: number;
}[];

/** The values of both sides of a stratum. */
interface Sides {
  readonly x: readonly (number | null)[];
  readonly y: readonly (number | null)[];
}

const hasBoth = ({ x, y }: Sides): boolean => [x, y].every((side) => side.some((value) => value !== null));

/**
 * Judges one candidate.
 *
 * @param candidate index of the subject
 * @param share of the level that this candidate has
 */
export const judgeCandidate = (
  columns: readonly BlockColumns[],
  design: BlockDesign,
  candidate: number,
  share: number,
  { primaryMetric, noiseThreshold, alpha, intervals }: BlockJudging,
): CandidateVerdicts => {
  const strataOf = (column: BlockColumns) =>
    column.strata.map((subjects) => ({ x: at(subjects, 0), y: at(subjects, candidate) }));
  const weights = columns.map(({ metric }) => weightOf(metric, primaryMetric));
  // Of the metrics with values on both sides: where each stands in a stratum.
  const members = design.strata.map((_, stratum) =>
    columns.flatMap((column, metric) => (hasBoth(at(strataOf(column), stratum)) ? [metric] : [])),
  );
  const placesIn = (metric: number, strata: readonly number[]): readonly number[] =>
    members.map((present, stratum) => (strata.includes(stratum) ? present.indexOf(metric) : -1));
  const several = design.rows.filter(({ strata }) => strata.length > 1);
  const cells = design.strata.map(({ subjects, row }, stratum) => {
    const [x, y] = [at(subjects, 0).length, at(subjects, candidate).length];
    return {
      x,
      total: x + y,
      isTested: design.rows.length > 1 && at(design.rows, row).strata.length === 1,
      metrics: at(members, stratum).map((metric) => ({
        weight: at(weights, metric),
        ...at(strataOf(at(columns, metric)), stratum),
      })),
    };
  });
  const all = [...design.strata.keys()];
  const overall = columns.flatMap((_, metric): readonly GridOverall[] => [
    // What holds over all blocks counts as much as all blocks together: it is the question.
    { weight: at(weights, metric) * design.rows.length, places: placesIn(metric, all) },
    ...several.map(({ strata }) => ({ weight: at(weights, metric), places: placesIn(metric, strata) })),
  ]);
  const values = cells.reduce((sum, { total, metrics }) => sum + total * metrics.length, 0);
  const deals = Math.round(Math.min(MOST_DEALS, Math.max(FEWEST_DEALS, WORK / Math.max(1, values))));
  const judged = gridRankTest(cells, overall, labelledRandom(intervals.seed, `blocks ${candidate}`), deals);
  const level = judged.levelFor(alpha * share);
  const corrected = (p: number): number => Math.min(1, p / share);

  return columns.map((column, metric) => {
    const weight = at(weights, metric);
    const stride = 1 + several.length;
    const test = testPair(column.metric, at(column.all, 0), at(column.all, candidate), noiseThreshold, intervals);
    const strata = strataOf(column);
    const confidence = hasInterval(2, intervals) ? intervals.confidence : null;
    const sides = design.rows.flatMap((row, index) => {
      const medians = [0, candidate].flatMap((subject) => at(at(column.rows, index), subject).median?.value ?? []);
      const found = logSides(
        twoSided(row.strata.map((stratum) => at(strata, stratum))),
        stepVariance(column.metric.quantised, medians),
        index,
      );
      return found === null ? [] : [found];
    });
    const pooledOf = (
      among: readonly number[],
      of: PairTest,
      overallIndex: number,
      isOverFleet: boolean,
    ): { readonly pooled: PooledTest; readonly correction: Correction } => {
      const both = twoSided(among.map((stratum) => at(strata, stratum)));
      const { p, adjusted } = at(judged.overall, overallIndex);
      const ratio =
        isOverFleet && sides.length > 1 ? ratioLikeThese(sides, confidence) : ratioInThese(both, confidence);
      const isThere = both.length > 0;
      return {
        pooled: { test: of, strata: both, p: isThere ? p : null, ratio: isThere ? ratio : null },
        correction: {
          adjustedP: isThere ? corrected(adjusted) : null,
          level: level * at(overall, overallIndex).weight,
        },
      };
    };
    const rows = design.rows.map((row, index) => {
      const [base, other] = [at(at(column.rows, index), 0), at(at(column.rows, index), candidate)];
      const own = testPair(column.metric, base, other, noiseThreshold, intervals);
      if (row.strata.length > 1) {
        const { pooled, correction } = pooledOf(row.strata, own, metric * stride + 1 + several.indexOf(row), false);
        return judgedPooled(pooled, correction, alpha);
      }
      const stratum = at(row.strata, 0);
      const place = at(members, stratum).indexOf(metric);
      const p = place < 0 || !at(cells, stratum).isTested ? null : at(at(judged.cells, stratum), place);
      return judgedPair(own, { adjustedP: p === null ? null : corrected(p), level: level * weight }, alpha);
    });
    const { pooled, correction } = pooledOf(all, test, metric * stride, isFleet(design));
    return { rows, pooled: judgedPooled(pooled, correction, alpha), sides, level: level * weight };
  });
};
