/**
 * The library: run the benchmark, read, merge and compare results, conduct experiments, check latencies against limits.
 * docs/library.md shows it in use. Nothing here changes the calling process.
 */
export { runSchbench, type RunSettings, type SchbenchRun } from "./library/run-schbench.js";
export { commandLineOf, planOf } from "./library/plan-of.js";
export type {
  AutoRateSpec,
  ClosedLoopSpec,
  CommonSpec,
  Cpus,
  FixedRateSpec,
  PipeSpec,
  SchbenchSettings,
  SchbenchSpec,
} from "./library/run-spec.js";
export { percentile, shareAbove, type WithDistributions } from "./library/percentile.js";
export type { Duration } from "./library/duration.js";
export {
  type DistributionExpectation,
  expectLatency,
  type LatencyExpectation,
  type ResultExpectation,
} from "./library/expect-latency.js";
export {
  type ConductSettings,
  type Experiment,
  type ExperimentSettings,
  openExperiment,
} from "./library/open-experiment.js";
export type { ExperimentSpec, SubjectSpec, Vary } from "./library/experiment-spec.js";

export { compareSubjects as compareResults, type CompareOptions } from "./compare/compare.js";
export type { SubjectRuns } from "./compare/comparison-warnings.js";
export type {
  Comparison,
  Estimate,
  MetricComparison,
  PairMetric,
  SubjectMetric,
  Verdict,
} from "./compare/comparison.js";
export { mergeResults, type MergeOptions } from "./compare/merge/merge.js";
export { type MetricDefinition, type MetricId, METRICS } from "./model/metrics/metrics.js";
export type { DistributionName } from "./model/metrics/percentile-table.js";
export type { ExperimentHeader, RunRecord, Slot } from "./experiment/record.js";
export type { ExperimentEvent } from "./experiment/runner.js";
export type { Sweep } from "./compare/sweep.js";

export { parseOutput } from "./parse/parse-output.js";
export { schbenchJson } from "./text/schbench-json.js";
export { wholeReport as textReport } from "./text/schbench-text.js";
export type {
  Distribution,
  Environment,
  HostFacts,
  IntervalResult,
  PhaseResult,
  RateOutcome,
  RunResult,
  SchedDelay,
  SecondResult,
  SlowWakeup,
  ThreadResult,
  Transfer,
  Warning,
} from "./model/result/run-result.js";
export type { ClosedLoopPlan, PipePlan, RatePlan, RunPlan, WorkPlan } from "./model/plan/run-plan.js";
export { EngineError, ParseError, UsageError, UserError } from "./errors.js";
