/**
 * Judges a grid: several subjects under several settings (cells), each compared with the first subject within its cell. One 5 % holds
 * for everything that a grid shows: every metric in every cell, and every metric over all cells (docs/statistics.md).
 */
import { at } from "../at.js";
import { UserError } from "../errors.js";
import {
  judgedMetrics,
  type Metric,
  type MetricDefinition,
  type MetricId,
  metricOf,
  metricsIn,
} from "../model/metrics/metrics.js";
import { DEFAULT_RESAMPLES } from "../stats/intervals/bootstrap.js";
import { type GridOverall, gridRankTest } from "../stats/significance/grid-permutation.js";
import { labelledRandom } from "../stats/random.js";
import { mixedPlaces } from "./blocks/block-warnings.js";
import { type FileOfRun, placesOf } from "./blocks/place.js";
import { type CompareOptions, contrastsOf, defaultPrimary, judgeable } from "./compare.js";
import { comparisonWarnings, type SubjectRuns } from "./comparison-warnings.js";
import { judgedHead, weightOf } from "./corrections.js";
import {
  GRID_VERSION,
  type GridCellSubject,
  type GridComparison,
  type GridMetric,
  type GridRow,
  type OverallPair,
} from "./grid-comparison.js";
import { foldWarnings } from "./grid-warnings.js";
import { overallPair } from "./overall-pair.js";
import { type Correction, judgedPair, type PairTest, testPair } from "./pair.js";
import { onceInCells } from "./repeated.js";
import { type IntervalOptions, subjectMetric, withoutMerging } from "./subject-metrics.js";

/** One cell: every subject's runs under one setting, the base first. */
export interface GridCellRuns {
  readonly name: string;
  /** One value per varied option. */
  readonly values: readonly string[];
  readonly subjects: readonly SubjectRuns[];
}

/** A cell with the tests of its metrics. */
interface TestedCell {
  readonly cell: GridCellRuns;
  readonly metrics: readonly { readonly metric: MetricDefinition; readonly row: Omit<GridRow, "pairs"> }[];
  /** By candidate, then metric. */
  readonly tests: readonly (readonly PairTest[])[];
}

const testCell = (
  cell: GridCellRuns,
  index: number,
  metrics: readonly MetricDefinition[],
  intervals: IntervalOptions,
  noiseThreshold: number | null,
): TestedCell => {
  // Merged histograms are no part of a grid's table.
  const prepared = cell.subjects.map(({ name, runs }) => withoutMerging(name, runs));
  const rows = metrics.map((metric) => ({
    metric,
    row: {
      cell: index,
      subjects: prepared.map((subject) => subjectMetric(metric, subject, intervals)),
    },
  }));
  const tests = cell.subjects
    .slice(1)
    .map((_, candidate) =>
      rows.map(({ metric, row }) =>
        testPair(metric, at(row.subjects, 0), at(row.subjects, candidate + 1), noiseThreshold, intervals),
      ),
    );
  return { cell, metrics: rows, tests };
};

/** What the grid says of one candidate. */
interface CandidateJudgement {
  /** By cell, then metric. */
  readonly corrections: readonly (readonly Correction[])[];
  /** By metric. */
  readonly overall: readonly OverallPair[];
}

const judgeCandidate = (
  tested: readonly TestedCell[],
  metrics: readonly MetricDefinition[],
  candidate: number,
  how: {
    readonly primaryMetric: MetricId;
    readonly alpha: number;
    readonly share: number;
    readonly seed: number;
    readonly intervals: IntervalOptions;
  },
): CandidateJudgement => {
  const weights = metrics.map((metric) => weightOf(metric, how.primaryMetric));
  const ofCell = tested.map(({ tests }) => at(tests, candidate));
  // Only what has values on both sides is tested; `places` says where in the family each metric of each cell stands.
  const family = ofCell.map((tests) => tests.flatMap((test, metric) => (test.p === null ? [] : [{ test, metric }])));
  const overall = metrics.map((_, metric): GridOverall => ({
    weight: at(weights, metric),
    places: family.map((cell) => cell.findIndex((member) => member.metric === metric)),
  }));
  const judged = gridRankTest(
    family.map((cell, index) => {
      const [base, other] = [
        at(at(tested, index).cell.subjects, 0),
        at(at(tested, index).cell.subjects, candidate + 1),
      ];
      return {
        x: base.runs.length,
        total: base.runs.length + other.runs.length,
        metrics: cell.map(({ test, metric }) => ({
          weight: at(weights, metric),
          x: test.base.values,
          y: test.candidate.values,
        })),
      };
    }),
    overall,
    labelledRandom(how.seed, `grid ${candidate}`),
  );
  const level = judged.levelFor(how.alpha * how.share);
  const corrected = (p: number): number => Math.min(1, p / how.share);
  return {
    corrections: ofCell.map((tests, cell) =>
      tests.map((_, metric) => {
        const place = at(at(overall, metric).places, cell);
        return {
          adjustedP: place < 0 ? null : corrected(at(at(judged.cells, cell), place)),
          level: level * at(weights, metric),
        };
      }),
    ),
    overall: metrics.map((metric, index) => {
      const { p, adjusted } = at(judged.overall, index);
      return overallPair(
        metric,
        ofCell.map((tests) => at(tests, index)),
        { p, adjustedP: corrected(adjusted), alpha: how.alpha },
        how.intervals,
      );
    }),
  };
};

const presentMetrics = (cells: readonly GridCellRuns[], wanted: readonly Metric[]): readonly Metric[] =>
  wanted.filter((metric) =>
    cells.some(({ subjects }) => subjects.some(({ runs }) => runs.some((run) => metric.read(run) !== null))),
  );

const verdictsOf = (metric: GridMetric) => [
  ...metric.rows.flatMap(({ pairs }) => pairs.map(({ verdict }) => verdict.kind)),
  ...metric.overall.map(({ verdict }) => verdict.kind),
];

const outcomeOf = (metrics: readonly GridMetric[]): GridComparison["outcome"] => {
  if (metrics.some((metric) => verdictsOf(metric).includes("different"))) return "different";
  const primary = metrics.filter((metric) => metric.primary);
  return primary.some((metric) => verdictsOf(metric).includes("undecided")) ? "undecided" : "not-shown";
};

/** The same subjects in the same order in every cell. */
const checkCells = (cells: readonly GridCellRuns[]): void => {
  const names = ({ subjects }: GridCellRuns) => subjects.map(({ name }) => name).join(", ");
  const [first] = cells;
  if (first === undefined) throw new UserError("cannot compare a grid without cells", "Run the experiment first.");
  const other = cells.find((cell) => names(cell) !== names(first));
  if (other !== undefined)
    throw new UserError(
      `cannot compare cells with different subjects: ${first.name} has ${names(first)}, ${other.name} has ${names(other)}`,
      "Compare files that hold the same subjects.",
    );
};

/** The places of a subject's runs over all cells. */
const placesOverCells = (cells: readonly GridCellRuns[], files: FileOfRun) =>
  at(cells, 0).subjects.map(({ name }, subject) => ({
    name,
    places: placesOf(
      cells.flatMap(({ subjects }) => at(subjects, subject).runs),
      files,
    ),
  }));

/**
 * Compares every subject with the first, cell by cell and over all cells.
 *
 * @param varied names of the varied options, as many as each cell has values
 * @throws UserError for no cells, cells with different subjects, a subject without runs, or a primary metric that no run has
 */
export const compareGrid = (
  varied: readonly string[],
  given: readonly GridCellRuns[],
  options: CompareOptions = {},
): GridComparison => {
  checkCells(given);
  const { cells, warnings: repeats } = onceInCells(given);
  const { seed = 1, confidence = 0.95, resamples = DEFAULT_RESAMPLES, noiseThreshold = null } = options;
  const kept = cells.map((cell) => ({ ...cell, subjects: judgeable(cell.subjects) }));
  const allRuns = kept.flatMap(({ subjects }) => subjects.flatMap(({ runs }) => runs));
  const primaryMetric = options.primaryMetric ?? defaultPrimary(allRuns);
  const metrics = presentMetrics(kept, judgedMetrics(primaryMetric, options.metrics, allRuns));
  if (!metrics.some(({ id }) => id === primaryMetric))
    throw new UserError(
      `cannot judge by the metric "${primaryMetric}": no run has it`,
      `These runs have: ${presentMetrics(kept, metricsIn(allRuns))
        .map(({ id }) => id)
        .join(", ")}.`,
    );
  const intervals = { seed, confidence, resamples };
  const tested = kept.map((cell, index) => testCell(cell, index, metrics, intervals, noiseThreshold));
  const candidates = at(kept, 0).subjects.slice(1);
  const alpha = 1 - confidence;
  const judged = candidates.map((_, candidate) =>
    judgeCandidate(tested, metrics, candidate, { primaryMetric, alpha, share: 1 / candidates.length, seed, intervals }),
  );
  const leftOut = (cell: number, subject: number): number =>
    at(at(cells, cell).subjects, subject).runs.length - at(at(kept, cell).subjects, subject).runs.length;

  const rowsOf = (metric: number): readonly GridRow[] =>
    tested.map(({ metrics: rows, tests }, cell) => ({
      ...at(rows, metric).row,
      pairs: judged.map(({ corrections }, candidate) =>
        judgedPair(at(at(tests, candidate), metric), at(at(corrections, cell), metric), alpha),
      ),
    }));
  const gridMetrics = metrics.map((metric, index): GridMetric => ({
    ...judgedHead(metric, primaryMetric),
    rows: rowsOf(index),
    overall: judged.map(({ overall }) => at(overall, index)),
  }));
  return {
    format: "schbench-ts/grid",
    version: GRID_VERSION,
    varied,
    subjects: at(kept, 0).subjects.map(({ name }) => name),
    cells: kept.map(({ name, values, subjects }, cell) => ({
      name,
      values,
      subjects: subjects.map(({ runs }, subject): GridCellSubject => ({
        runs: runs.length,
        leftOut: leftOut(cell, subject),
      })),
    })),
    primaryMetric,
    primaryNamed: options.primaryMetric !== undefined,
    seed,
    confidence,
    metrics: gridMetrics,
    outcome: outcomeOf(gridMetrics),
    contrasts: contrastsOf(at(kept, 0).subjects),
    warnings: [
      ...repeats,
      // A setting has too few runs of each boot to be split further.
      ...mixedPlaces(placesOverCells(kept, options.files ?? new Map())),
      ...foldWarnings(
        kept.map(({ name, subjects }, cell) => ({
          cell: name,
          warnings: comparisonWarnings(
            subjects,
            subjects.map((_, subject) => leftOut(cell, subject)),
            { primary: metricOf(primaryMetric), metrics },
          ),
        })),
      ),
    ],
  };
};
