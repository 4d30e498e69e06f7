/**
 * The outcome of a comparison over a grid of settings: plain data, complete enough that tables, mails and HTML need nothing else.
 * grid.ts makes it; docs/statistics.md explains it.
 */
import type { JudgedHead, MetricId } from "../model/metrics/metrics.js";
import type { Warning } from "../model/result/run-result.js";
import type { PairMetric, RatioEstimate, SubjectMetric, Verdict } from "./comparison.js";

/** The version of the grid format; rises when a reader of the old one would misread the new one. */
export const GRID_VERSION = 1;

/** A subject's part in one cell. */
export interface GridCellSubject {
  /** Runs that were judged. */
  readonly runs: number;
  /** Runs left out because the scheduler changed while they ran. */
  readonly leftOut: number;
}

/** One metric in one cell. */
export interface GridRow {
  /** Index into `GridComparison.cells`. */
  readonly cell: number;
  /** In the order of `GridComparison.subjects`. */
  readonly subjects: readonly SubjectMetric[];
  /** One per subject after the first (the base), in order; p is corrected over the whole grid. */
  readonly pairs: readonly PairMetric[];
}

/** One metric of a candidate over all cells. */
export interface OverallPair {
  readonly base: string;
  readonly candidate: string;
  /** Geometric mean over cells of the ratios of medians; null where no cell has a ratio that is a positive number. */
  readonly ratio: RatioEstimate | null;
  /** Cells whose ratio went into the mean. */
  readonly cells: number;
  /** Two-sided p of van Elteren's stratified rank test; null without values on both sides in any cell. */
  readonly p: number | null;
  /** p corrected over the whole grid. */
  readonly adjustedP: number | null;
  /** Relative difference that had to be exceeded to matter: the mean of the cells' thresholds; null without any. */
  readonly threshold: number | null;
  readonly verdict: Verdict;
}

/** One metric over the grid. */
export interface GridMetric extends JudgedHead {
  /** One per cell, in order. */
  readonly rows: readonly GridRow[];
  /** One per candidate, in order. */
  readonly overall: readonly OverallPair[];
}

/** Subjects compared with the first of them under several settings. */
export interface GridComparison {
  readonly format: "schbench-ts/grid";
  readonly version: typeof GRID_VERSION;
  /** Names of the varied options. */
  readonly varied: readonly string[];
  /** Names of the subjects, the base first. */
  readonly subjects: readonly string[];
  readonly cells: readonly {
    readonly name: string;
    /** One value per varied option. */
    readonly values: readonly string[];
    /** In the order of `subjects`. */
    readonly subjects: readonly GridCellSubject[];
  }[];
  readonly primaryMetric: MetricId;
  readonly primaryNamed: boolean;
  readonly seed: number;
  readonly confidence: number;
  readonly metrics: readonly GridMetric[];
  /** As `Comparison.outcome`, over all cells and over all cells together. */
  readonly outcome: "different" | "not-shown" | "undecided";
  /** As `Comparison.contrasts`, in the first cell. */
  readonly contrasts: readonly string[];
  readonly warnings: readonly Warning[];
}
