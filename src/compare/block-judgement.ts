/**
 * Judges runs that lie in blocks (machines, boots, files). docs/statistics.md says what counts once, and why. Pure.
 */
import { at } from "../at.js";
import { labelledRandom } from "../stats/random.js";
import { type BlockColumns, type BlockJudging, columnsOf, judgeCandidate, type SeenMetric } from "./block-candidate.js";
import { agreementOf } from "./blocks/agreement.js";
import { isFleet, replicateOf } from "./blocks/design.js";
import { nextBoots, nextMachines } from "./blocks/next-experiment.js";
import { type BlockedRuns, blockFacts } from "./blocks/row-facts.js";
import { runTimes } from "./blocks/run-times.js";
import { scatterOf } from "./blocks/scatter.js";
import type { BlockMetric, Comparison, MetricComparison, PairMetric } from "./comparison.js";
import { corrections, judgedHead } from "./corrections.js";
import { judgedPair, testPair } from "./pair.js";

/** A change that most want to find. */
const USUAL_CHANGE = 0.05;

/** What is compared, when there is one block in which boots or machines count once. */
const inOneBlock = (columns: readonly BlockColumns[], how: BlockJudging) => {
  const tests = columns.flatMap(({ metric, all: [base, ...candidates] }) =>
    base === undefined
      ? []
      : candidates.map((candidate) => testPair(metric, base, candidate, how.noiseThreshold, how.intervals)),
  );
  const corrected = corrections(tests, {
    primaryMetric: how.primaryMetric,
    alpha: how.alpha,
    seed: how.intervals.seed,
  });
  return columns.map(({ metric }) => {
    const own = corrected.filter(([test]) => test.metric.id === metric.id);
    return {
      pairs: own.map(([test, correction]) => judgedPair(test, correction, how.alpha)),
      level: Math.max(...own.map(([, { level }]) => level)),
    };
  });
};

/** Every metric, and the blocks. */
export const judgeBlocks = (
  runs: BlockedRuns,
  seen: readonly SeenMetric[],
  how: BlockJudging,
): { readonly metrics: readonly MetricComparison[]; readonly blocks: NonNullable<Comparison["blocks"]> } => {
  const { subjects, places, design } = runs;
  const { intervals, alpha } = how;
  const columns = seen.map((one) => columnsOf(one, design, intervals));
  const replicate = replicateOf(design);
  const isOne = design.strata.length === 1;
  const candidates = subjects.slice(1).map((_, index) => index + 1);
  const alone = isOne ? inOneBlock(columns, how) : [];
  const judged = isOne
    ? []
    : candidates.map((candidate) => judgeCandidate(columns, design, candidate, 1 / candidates.length, how));
  const times = runTimes(
    subjects.flatMap((subject, index) =>
      subject.runs.map((run, place) => ({ run, place: at(at(places, index), place) })),
    ),
  );
  const counted = (pair: PairMetric): PairMetric => (replicate === "run" ? pair : { ...pair, unit: replicate });

  const metrics = columns.map(({ metric, all, rows }, index): MetricComparison => {
    const pairs = isOne ? at(alone, index).pairs : judged.map((verdicts) => at(verdicts, index).pooled);
    const agreement = judged.map((verdicts, candidate) =>
      agreementOf(
        at(verdicts, index).sides,
        alpha,
        labelledRandom(intervals.seed, `agreement ${metric.id} ${candidate}`),
      ),
    );
    const scatter = scatterOf(
      all.map(({ values }, subject) =>
        values.flatMap((value, run) => (value === null ? [] : [{ value, place: at(at(places, subject), run) }])),
      ),
    );
    const matters = Math.max(...pairs.map(({ threshold }) => threshold ?? 0));
    const level = isOne
      ? at(alone, index).level
      : Math.min(...judged.map((verdicts) => at(verdicts, index).level)) * design.rows.length;
    const plan = {
      scatter: scatter ?? { machine: null, boot: null, run: null },
      tau: Math.max(0, ...agreement.map((one) => one?.tau ?? 0)),
      level: Math.min(alpha, level),
      ...times,
    };
    const planFor = replicate === "boot" ? nextBoots : isFleet(design) ? nextMachines : null;
    const next = [...new Set([Math.max(USUAL_CHANGE, matters), matters])].flatMap(
      (change) => planFor?.({ ...plan, change }) ?? [],
    );
    const byRow = design.rows.map((_, row): BlockMetric => ({
      subjects: at(rows, row).map(({ subject, median }) => ({ subject, median })),
      pairs: judged.map((verdicts) => counted(at(at(verdicts, index).rows, row))),
    }));
    return {
      ...judgedHead(metric, how.primaryMetric),
      subjects: all,
      pairs: pairs.map(counted),
      ...(design.rows.length > 1 ? { blocks: byRow, agreement } : {}),
      ...(scatter === null ? {} : { scatter, next }),
    };
  });
  return {
    metrics,
    blocks: {
      by: design.by,
      replicate,
      scope: isFleet(design) ? "like-these" : "these",
      rows: design.rows.length > 1 ? blockFacts(runs) : [],
    },
  };
};
