/**
 * The outcome of a comparison: plain data, complete enough that tables, mails and HTML need nothing else. What it means
 * is explained in docs/statistics.md; compare.ts makes it.
 *
 * Upstream has no counterpart; the spirit is that of benchstat (golang.org/x/perf) and Criterion.rs.
 */
import type { Warning } from "../model/result/run-result.js";
import type { Agreement } from "./blocks/agreement.js";
import type { Direction } from "./direction.js";
import type { Replicate } from "./blocks/design.js";
import type { NextExperiment } from "./blocks/next-experiment.js";
import type { BlockKind } from "./blocks/place.js";
import type { BlockFacts } from "./blocks/row-facts.js";
import type { Scatter } from "./blocks/scatter.js";
import type { JudgedHead, MetricId } from "../model/metrics/metrics.js";

/** The version of the comparison format; rises when a reader of the old one would misread the new one. */
export const COMPARISON_VERSION = 2;

/** A number with its confidence interval; `interval` is null where there are too few runs for one (fewer than two), or none was asked for. */
export interface Estimate {
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** A ratio of medians with its interval, as `Estimate`; `high` is null where the ratio may be as large as you like, since the base's median may be 0. */
export interface RatioEstimate {
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number | null } | null;
}

/** One subject's runs, seen through one metric. */
export interface SubjectMetric {
  readonly subject: string;
  /** One value per run kept, in run order; null where the run does not have the metric. */
  readonly values: readonly (number | null)[];
  /** Where a boot or a machine counts once: the median of each one's runs. Left out where every run counts. */
  readonly units?: readonly (number | null)[];
  /** Median over runs (over `units`, where these count); null when no run has the metric. The ratio of a pair is the ratio of these. */
  readonly median: Estimate | null;
  /** The percentile of the merged histograms of all runs; null where it is none, or a run has no histogram. */
  readonly merged: Estimate | null;
  /** What a table shows: `median`, whose ratio is the change beside it. */
  readonly shown: (Estimate & { readonly from: "median-of-runs" }) | null;
}

/** What was found out about one metric of a pair. */
export type Verdict =
  /** Shown, and large enough to matter. */
  | { readonly kind: "different"; readonly direction: Direction }
  /** Shown, but no larger than the noise threshold, or than the metric's resolution. */
  | { readonly kind: "negligible"; readonly because: "noise-threshold" | "resolution" }
  /**
   * Not shown. `neededRuns`: runs per subject that would find a ratio of `neededForRatio` in 80 % of experiments with
   * this scatter, more than there are; null where that cannot be said.
   */
  | { readonly kind: "not-shown"; readonly neededRuns: number | null; readonly neededForRatio: number | null }
  /** Could not be shown: so few runs cannot reach the level (`neededRuns` per subject could), or one side has no value. */
  | {
      readonly kind: "undecided";
      readonly because: "too-few-runs" | "no-data";
      readonly neededRuns: number | null;
    };

/** One metric of one pair of subjects. */
export interface PairMetric {
  readonly base: string;
  readonly candidate: string;
  /** What counts once, and what `neededRuns` counts; left out: the run. */
  readonly unit?: "boot" | "machine";
  /** Median over the candidate's runs less the median over the base's, in the metric's unit; null when either is missing. */
  readonly difference: number | null;
  /** Median over the candidate's runs divided by the median over the base's; null when either is missing or the base's is 0. */
  readonly ratio: RatioEstimate | null;
  /** Two-sided p of the exact rank test over runs; null without values on both sides. */
  readonly p: number | null;
  /** The smallest p that this many runs can reach, with ties as these have or without; null without values on both sides. */
  readonly smallestP: number | null;
  /**
   * p after correction over everything the comparison looks at, the same scale for all: at most 1 − confidence means that the
   * rank test sees a difference. Null without values on both sides.
   */
  readonly adjustedP: number | null;
  /**
   * Relative difference that had to be exceeded to matter: the noise threshold, or the resolution at these medians if that
   * is coarser; null when the base's median is missing or 0.
   */
  readonly threshold: number | null;
  readonly verdict: Verdict;
}

/** A subject's part in one block. */
export interface BlockSubject {
  readonly subject: string;
  /** Median over its runs in the block (over its boots, where these count); null when none has the metric. */
  readonly median: Estimate | null;
}

/** One metric in one block: a machine, a boot or a file. */
export interface BlockMetric {
  /** In the order of `Comparison.subjects`. */
  readonly subjects: readonly BlockSubject[];
  /** One per candidate; p is corrected for all blocks, too. */
  readonly pairs: readonly PairMetric[];
}

/** One metric over all subjects. */
export interface MetricComparison extends JudgedHead {
  /** In the order of `Comparison.subjects`. */
  readonly subjects: readonly SubjectMetric[];
  /** One per subject after the first (the base), in order; of runs in blocks, over all blocks. */
  readonly pairs: readonly PairMetric[];
  /** Where the runs lie in several blocks: one per row of `Comparison.blocks`, in order. */
  readonly blocks?: readonly BlockMetric[];
  /** One per pair: whether the blocks show one effect; null where fewer than two can say. Only beside `blocks`. */
  readonly agreement?: readonly (Agreement | null)[];
  /** How the scatter of the runs divides; only where they come from several machines or boots. */
  readonly scatter?: Scatter;
  /** The cheapest next experiments, for large changes first; empty where they are not known. Only beside `scatter`. */
  readonly next?: readonly NextExperiment[];
}

/** The blocks of a comparison. */
interface ComparedBlocks {
  /** What a block is; null: there is one, and boots or machines count once in it. */
  readonly by: BlockKind | null;
  /** What counts once. */
  readonly replicate: Replicate;
  /** The answer is for places like these (random effects); else for these very ones. */
  readonly scope: "these" | "like-these";
  /** One per block; empty where `by` is null. */
  readonly rows: readonly BlockFacts[];
}

/** A subject as it entered the comparison. */
interface ComparedSubject {
  readonly name: string;
  /** Runs that were judged. */
  readonly runs: number;
  /** Runs left out because the scheduler changed while they ran. */
  readonly leftOut: number;
  /** Some run was made with tracing on. */
  readonly traced: boolean;
}

/** What a look found. */
export interface Look {
  /** Runs of each subject so far, and at most. */
  readonly runs: number;
  readonly mostRuns: number;
  /** The level of this look; its intervals have 1 − level. */
  readonly level: number;
  /** What is known of each candidate's primary metric. */
  readonly decisions: readonly ("different" | "equivalent" | "undecided")[];
  readonly isDecided: boolean;
}

/** Subjects compared with the first of them. */
export interface Comparison {
  readonly format: "schbench-ts/comparison";
  readonly version: typeof COMPARISON_VERSION;
  /** The base first. */
  readonly subjects: readonly ComparedSubject[];
  /** The metric named beforehand; see `MetricComparison.weight`. */
  readonly primaryMetric: MetricId;
  /** The metric was named by the caller beforehand, not chosen by the mode of the runs. */
  readonly primaryNamed: boolean;
  readonly seed: number;
  /** Such as 0.95: level of the intervals; the tests are made at 1 − confidence. */
  readonly confidence: number;
  /** Metrics that at least one subject has, in the order of the metrics table. */
  readonly metrics: readonly MetricComparison[];
  /**
   * The decision: `different` if any metric of any pair differs, else `undecided` if the primary metric of some pair is, else
   * `not-shown` (which includes negligible differences).
   */
  readonly outcome: "different" | "not-shown" | "undecided";
  /** In which settings the subjects' plans differ, such as `work.operations: 5, 6`: what is compared. */
  readonly contrasts: readonly string[];
  /** Which look of an experiment that went on until it was decided; left out: the number of runs was fixed beforehand. */
  readonly look?: Look;
  /** Left out: the runs were judged as one sample of one machine and boot. */
  readonly blocks?: ComparedBlocks;
  readonly warnings: readonly Warning[];
}
