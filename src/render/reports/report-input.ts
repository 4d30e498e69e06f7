/** What an HTML report is made from: one kind of report, one shape. Plain data, whatever command it comes from. */
import type { Comparison } from "../../compare/comparison.js";
import type { GridComparison } from "../../compare/grid-comparison.js";
import type { GridOrigin } from "../comparison/grid-origin.js";
import type { MetricId } from "../../model/metrics/metrics.js";
import type { Validation } from "../../validate/validation.js";
import type { MergedLatencies } from "../../model/metrics/merged-latencies.js";
import type { RunResult } from "../../model/result/run-result.js";

/** The runs of one subject, and what a reader must know to repeat them. */
export interface ReportSubject {
  readonly name: string;
  /** The runs that count, in the order in which they were made. */
  readonly runs: readonly RunResult[];
  /** The latencies of all of them together, where none has a histogram of its own. */
  readonly merged?: MergedLatencies;
  /** Place of each run in the whole experiment, from 1; left out: taken from the runs' start times. */
  readonly positions?: readonly number[];
  /** Shell commands around its runs, such as `["set-up", "scx_rusty &"]`; left out: none. */
  readonly surroundings?: readonly (readonly [step: string, command: string])[];
}

/** One or more runs of one thing. */
export interface RunReportInput {
  readonly kind: "run";
  readonly title?: string;
  readonly runs: readonly RunResult[];
}

/** Subjects and the judgement over them; the base comes first in both. */
export interface ComparisonReportInput {
  readonly kind: "comparison";
  readonly title?: string;
  readonly subjects: readonly ReportSubject[];
  readonly comparison: Comparison;
}

/** Subjects under several settings, and the judgement over all of them. */
export interface GridReportInput {
  readonly kind: "grid";
  readonly title?: string;
  readonly grid: GridComparison;
  readonly origin: GridOrigin;
  /** Sentences on where a metric of a subject leaves its flat part. */
  readonly knees?: readonly string[];
  /** One per cell of the grid, in order; subjects in its order, too. */
  readonly cells: readonly {
    readonly name: string;
    readonly values: readonly string[];
    readonly subjects: readonly ReportSubject[];
  }[];
}

/** The runs at one combination of varied values. */
export interface SweepCell {
  /** One value for each varied option, as it was written. */
  readonly values: readonly string[];
  readonly runs: readonly RunResult[];
}

/** Runs over the values of one or more options. */
export interface SweepReportInput {
  readonly kind: "sweep";
  readonly title?: string;
  /** Names of the varied options, such as `t` or `split`, or `subject`; the first is drawn along the axis. */
  readonly varied: readonly string[];
  readonly cells: readonly SweepCell[];
  /** The metrics that are drawn; left out: all that have a chart. */
  readonly metrics?: readonly MetricId[];
  /** Sentences on where a metric leaves its flat part; the first becomes the verdict. */
  readonly knees?: readonly string[];
}

/** Our builds against the envelope of the references. */
export interface ValidationReportInput {
  readonly kind: "validation";
  readonly title?: string;
  readonly validation: Validation;
  /** The runs behind it, by subject, to be embedded; left out: the report has no runs to read back. */
  readonly subjects?: readonly ReportSubject[];
}

/** Any report. */
export type ReportInput =
  | RunReportInput
  | ComparisonReportInput
  | GridReportInput
  | SweepReportInput
  | ValidationReportInput;
