/**
 * Judges runs of several subjects against those of the first: pure, from run results to a comparison. The rules and their
 * sources are in docs/statistics.md.
 */
import { at } from "../at.js";
import { UserError } from "../errors.js";
import type { RunResult } from "../model/result/run-result.js";
import { DEFAULT_RESAMPLES } from "../stats/intervals/bootstrap.js";
import { judgeBlocks } from "./block-judgement.js";
import type { BlockJudging, SeenMetric } from "./block-candidate.js";
import { isPlain } from "./blocks/design.js";
import { type BlockWishes, layOut } from "./blocks/lay-out.js";
import { corrections, judgedHead } from "./corrections.js";
import { judgedPair, testPair } from "./pair.js";
import { differences } from "./plan-differences.js";
import { onceEach } from "./repeated.js";
import { prepareSubject, subjectMetric, withoutMerging } from "./subject-metrics.js";
import { comparisonWarnings, schedulerChanged, type SubjectRuns, wasTraced } from "./comparison-warnings.js";
import { type Comparison, COMPARISON_VERSION, type MetricComparison } from "./comparison.js";
import { judgedMetrics, type MetricDefinition, type MetricId, metricOf, metricsIn } from "../model/metrics/metrics.js";

/** How to judge. */
export interface CompareOptions extends BlockWishes {
  /** The metric that counts most, named before the runs were seen; default by mode: see `defaultPrimary`. */
  readonly primaryMetric?: MetricId;
  /** Seed of what is drawn: the bootstrap, and the deals of the permutation test where there are too many to look at all; default 1. */
  readonly seed?: number;
  /** Level of intervals and tests; default 0.95. */
  readonly confidence?: number;
  /** Relative difference below which none matters, for every metric; default each metric's own floor. */
  readonly noiseThreshold?: number;
  /** Metrics to look at beside the primary one: the fewer, the less correction; default all that the runs have. None: the primary has the whole level. */
  readonly metrics?: readonly MetricId[];
  /** Bootstrap resamples for percentiles of merged histograms; default 2,000; 0: no intervals, and verdicts by the rank test alone. */
  readonly resamples?: number;
  /** Percentiles of merged histograms beside the medians, which need the runs' histograms; default true. No verdict depends on them. */
  readonly merged?: boolean;
}

/**
 * The metric that counts most when none was named: transfers in pipe mode; wakeup p99 when requests do no work (`-n 0`) or have
 * no sample; else request p99.
 */
export const defaultPrimary = (runs: readonly RunResult[]): MetricId => {
  if (runs.some((run) => run.mode === "pipe")) return "transfer-ops";
  const idle = runs.some((run) => run.plan !== null && run.plan.mode !== "pipe" && run.plan.work.operations === 0);
  return idle || runs.every((run) => run.request === null) ? "wakeup-p99" : "request-p99";
};

const inSomeRun = (metric: MetricDefinition, runs: readonly RunResult[]): boolean =>
  runs.some((run) => metric.read(run) !== null);

/** What differs in one block is a difference, too. */
const outcomeOf = (metrics: readonly MetricComparison[]): Comparison["outcome"] => {
  const pairs = metrics.flatMap((metric) => [
    ...metric.pairs,
    ...(metric.blocks ?? []).flatMap((block) => block.pairs),
  ]);
  if (pairs.some((pair) => pair.verdict.kind === "different")) return "different";
  const primary = metrics.filter((metric) => metric.primary).flatMap((metric) => metric.pairs);
  return primary.some((pair) => pair.verdict.kind === "undecided") ? "undecided" : "not-shown";
};

/** What the subjects' plans differ in; a subject without one says nothing, as a foreign program does. */
export const contrastsOf = (subjects: readonly SubjectRuns[]): readonly string[] =>
  differences(subjects.flatMap(({ runs }) => runs.filter(({ plan }) => plan !== null).slice(0, 1)));

export const judgeable = (subjects: readonly SubjectRuns[]): readonly SubjectRuns[] => {
  if (subjects.length < 2)
    throw new UserError(`cannot compare ${subjects.length} subject(s): at least two are needed`, "Name a second one.");
  const kept = subjects.map(({ name, runs }) => ({ name, runs: runs.filter((run) => !schedulerChanged(run)) }));
  const names = new Set<string>();
  for (const { name, runs } of kept) {
    if (names.has(name)) throw new UserError(`two subjects are called "${name}": names must differ`);
    if (runs.length === 0) throw new UserError(`subject "${name}" has no run to judge: at least one is needed`);
    names.add(name);
  }
  return kept;
};

/** Every metric of runs that are one sample. */
const judgeSample = (
  seen: readonly SeenMetric[],
  { primaryMetric, noiseThreshold, alpha, intervals }: BlockJudging,
): readonly MetricComparison[] => {
  const tests = seen.flatMap(({ metric, subjects: [base, ...candidates] }) =>
    base === undefined
      ? []
      : candidates.map((candidate) => testPair(metric, base, candidate, noiseThreshold, intervals)),
  );
  const corrected = corrections(tests, { primaryMetric, alpha, seed: intervals.seed });
  return seen.map(({ metric, subjects: columns }): MetricComparison => ({
    ...judgedHead(metric, primaryMetric),
    subjects: columns,
    pairs: corrected
      .filter(([test]) => test.metric.id === metric.id)
      .map(([test, correction]) => judgedPair(test, correction, alpha)),
  }));
};

/**
 * Compares every subject with the first, metric by metric. A run that is there twice counts once, with a warning.
 *
 * @throws UserError for fewer than two subjects, a subject without runs of its own, or a primary metric that no run has
 */
export const compareSubjects = (subjects: readonly SubjectRuns[], options: CompareOptions = {}): Comparison => {
  const { seed = 1, confidence = 0.95, resamples = DEFAULT_RESAMPLES, merged = true } = options;
  const once = onceEach(subjects);
  const admitted = judgeable(once.subjects);
  const laidOut = layOut(admitted, options);
  const kept = laidOut.subjects;
  const allRuns = kept.flatMap((subject) => subject.runs);
  const primaryMetric = options.primaryMetric ?? defaultPrimary(allRuns);
  const primary = metricOf(primaryMetric);
  if (!inSomeRun(primary, allRuns))
    throw new UserError(
      `cannot judge by the metric "${primaryMetric}": no run has it`,
      `These runs have: ${metricsIn(allRuns)
        .filter((metric) => inSomeRun(metric, allRuns))
        .map(({ id }) => id)
        .join(", ")}.`,
    );

  const intervals = { seed, confidence, resamples };
  const prepared = kept.map(({ name, runs }) => (merged ? prepareSubject : withoutMerging)(name, runs));
  const seen = judgedMetrics(primaryMetric, options.metrics, allRuns)
    .filter((metric) => inSomeRun(metric, allRuns))
    .map((metric) => ({
      metric,
      subjects: prepared.map((subject) => subjectMetric(metric, subject, intervals)),
    }));
  const how = { primaryMetric, noiseThreshold: options.noiseThreshold ?? null, alpha: 1 - confidence, intervals };
  const { metrics, blocks } = isPlain(laidOut.design)
    ? { metrics: judgeSample(seen, how), blocks: undefined }
    : judgeBlocks(laidOut, seen, how);

  const leftOut = admitted.map(({ runs }, index) => at(once.subjects, index).runs.length - runs.length);
  return {
    format: "schbench-ts/comparison",
    version: COMPARISON_VERSION,
    subjects: kept.map(({ name, runs }, index) => ({
      name,
      runs: runs.length,
      leftOut: at(leftOut, index),
      traced: runs.some(wasTraced),
    })),
    primaryMetric,
    primaryNamed: options.primaryMetric !== undefined,
    seed,
    confidence,
    metrics,
    outcome: outcomeOf(metrics),
    contrasts: contrastsOf(kept),
    warnings: [
      ...once.warnings,
      ...laidOut.warnings,
      ...comparisonWarnings(kept, leftOut, {
        primary,
        metrics: seen.map(({ metric }) => metric),
        acrossMachines: blocks?.by === "machine",
      }),
    ],
    ...(blocks === undefined ? {} : { blocks }),
  };
};
