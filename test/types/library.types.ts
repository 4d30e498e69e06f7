/**
 * The library's types, held by the compiler: this file compiles only while right specs are accepted and wrong ones are
 * not. Nothing here runs.
 */
import {
  type Comparison,
  compareResults,
  expectLatency,
  type Experiment,
  type IntervalResult,
  type LatencyExpectation,
  mergeResults,
  type MetricId,
  openExperiment,
  parseOutput,
  percentile,
  planOf,
  type RunPlan,
  type RunResult,
  runSchbench,
  type SchbenchRun,
  type SchbenchSettings,
  type SchbenchSpec,
  type SecondResult,
  shareAbove,
} from "../../src/index.js";

type IsAny<T> = 0 extends 1 & T ? true : false;
/** `true` only if both types are the same, and `any` is none of them. */
type Equal<A, B> =
  IsAny<A> extends true
    ? false
    : [A] extends [B]
      ? [B] extends [A]
        ? IsAny<B> extends true
          ? false
          : true
        : false
      : false;
type Holds<T extends true> = T;

const kind = { kind: "schbench" } as const;

/** What is accepted. */
export const accepted: readonly SchbenchSpec[] = [
  { kind: "schbench" },
  { kind: "schbench", messageThreads: 1, workerThreads: 2, runtimeSec: 5 },
  { ...kind, mode: "closed-loop", footprintKib: 64, operations: 0, sleepUsec: 0, splitPercent: 50, calibrate: true },
  { ...kind, requestsPerSec: 1000 },
  { ...kind, mode: "rate", requestsPerSec: 1000, pacing: "burst", noLocking: true },
  { ...kind, autoBusyPercent: 50 },
  { ...kind, autoBusyPercent: 50, requestsPerSec: 100, pacing: "paced" },
  { ...kind, transferBytes: 4096 },
  { ...kind, mode: "pipe", transferBytes: 4096, engine: "v8", jobname: "a" },
  { ...kind, messageCpus: "auto", workerCpus: [0, 1], intervalSec: -1, zeroSec: 5, warmupSec: 1 },
  { ...kind, workerSched: "batch,nice=5", messageSched: { policy: "fifo", priority: 10 }, unthrottled: true },
  {
    ...kind,
    workerGroups: ["short=1:slice=500", { workers: 1, sched: { policy: "idle", uclamp: { min: 0, max: 9 } } }],
  },
  { ...kind, workerCpus: "0-3,8", requestsPerSec: undefined, transferBytes: undefined },
];

/** What is refused. */
export const refused: readonly SchbenchSpec[] = [
  // @ts-expect-error the kind is what a harness tells work by
  { runtimeSec: 5 },
  // @ts-expect-error another kind of work
  { kind: "stress", runtimeSec: 5 },
  // @ts-expect-error no such setting
  { ...kind, runtime: 5 },
  // @ts-expect-error fifo has no nice value
  { ...kind, workerSched: { policy: "fifo", nice: 5 } },
  // @ts-expect-error a deadline has three times
  { ...kind, workerSched: { policy: "deadline", runtimeUsec: 5 } },
  // @ts-expect-error a group says how many
  { ...kind, workerGroups: [{ sched: { policy: "idle" } }] },
  // @ts-expect-error a number, not its text
  { ...kind, messageThreads: "2" },
  // @ts-expect-error pipe mode does no work
  { ...kind, transferBytes: 4096, operations: 5 },
  // @ts-expect-error pipe mode has no rate
  { ...kind, transferBytes: 4096, requestsPerSec: 5 },
  // @ts-expect-error a pacing needs a rate
  { ...kind, pacing: "burst" },
  // @ts-expect-error a rate needs a number
  { ...kind, mode: "rate" },
  // @ts-expect-error pipe mode needs its size
  { ...kind, mode: "pipe" },
  // @ts-expect-error a rate is not a closed loop
  { ...kind, mode: "closed-loop", requestsPerSec: 5 },
  // @ts-expect-error no such pacing
  { ...kind, requestsPerSec: 5, pacing: "smooth" },
  // @ts-expect-error the command's own options are not a run's
  { ...kind, jsonFile: "x.json" },
  // @ts-expect-error an engine that does not exist
  { ...kind, engine: "jit" },
];

/** What comes back. */
export type Returned = [
  Holds<Equal<ReturnType<typeof runSchbench>, SchbenchRun>>,
  Holds<Equal<SchbenchRun["result"], Promise<RunResult>>>,
  Holds<Equal<SchbenchRun["seconds"], AsyncIterable<SecondResult>>>,
  Holds<Equal<SchbenchRun["intervals"], AsyncIterable<IntervalResult>>>,
  Holds<Equal<SchbenchRun["pid"], number | null>>,
  Holds<Equal<ReturnType<SchbenchRun["phase"]>, Promise<void>>>,
  Holds<Equal<ReturnType<typeof planOf>, RunPlan>>,
  Holds<Equal<ReturnType<typeof percentile>, number | null>>,
  Holds<Equal<ReturnType<typeof mergeResults>, RunResult>>,
  Holds<Equal<ReturnType<typeof compareResults>, Comparison>>,
  Holds<Equal<ReturnType<typeof parseOutput>, RunResult[]>>,
  Holds<Equal<ReturnType<typeof expectLatency>["wakeup"]["p99"], LatencyExpectation>>,
  Holds<Equal<ReturnType<Experiment["run"]>, Promise<"done" | "interrupted">>>,
  Holds<Equal<ReturnType<Experiment["compare"]>, Comparison>>,
  Holds<
    Equal<Extract<"wakeup-p99.5" | "wakeup-p" | "sleep-p99" | "sched-delay", MetricId>, "wakeup-p99.5" | "sched-delay">
  >,
  Holds<Equal<NonNullable<SchbenchSettings["pacing"]>, "paced" | "burst">>,
  Holds<Equal<NonNullable<SchbenchSettings["noLocking"]>, boolean>>,
  Holds<Equal<NonNullable<SchbenchSettings["footprintKib"]>, number>>,
];

/** A plan is told apart by its mode. */
export const sizeOf = (plan: RunPlan): number => (plan.mode === "pipe" ? plan.transferBytes : plan.work.footprintKib);

/** What is done with results. */
export const results = (result: RunResult): void => {
  runSchbench({ kind: "schbench" }, { signal: AbortSignal.timeout(1000), phases: true, onStarting: () => undefined });
  percentile(result.phases[0] ?? {}, "response", 50);
  percentile(result.intervals[0] ?? {}, "rps", 50);
  // @ts-expect-error no such distribution
  percentile(result, "latency", 50);
  // @ts-expect-error a share above a latency, not above a rate
  shareAbove(result, "rps", "50us");
  compareResults([{ name: "a", runs: [result] }], { primaryMetric: "wakeup-p99" });
  // @ts-expect-error no such metric
  compareResults([], { primaryMetric: "sleep-p99" });
};

/** Limits are durations. */
export const limits = (result: RunResult): void => {
  const { p99 } = expectLatency(result).wakeup;
  p99.above(1).below("50us").atMost("1.5ms").atLeast("800ns");
  // @ts-expect-error no unit
  p99.below("50");
  // @ts-expect-error an unknown unit
  p99.below("50min");
  // @ts-expect-error no such percentile by name
  void expectLatency(result).wakeup.p98;
};

/** Experiments. */
export const experiments = (): readonly Promise<Experiment>[] => [
  openExperiment({
    subjects: [{ name: "a" }, { name: "b", settings: { operations: 6 }, setup: "true" }],
    workload: { ...kind, runtimeSec: 5 },
    vary: { workerThreads: [1, 2], noLocking: [false, true] },
  }),
  // @ts-expect-error at least one subject
  openExperiment({ subjects: [], workload: kind }),
  // @ts-expect-error values of another type
  openExperiment({ subjects: [{ name: "a" }], workload: kind, vary: { workerThreads: ["1"] } }),
  // @ts-expect-error a label is nothing to vary
  openExperiment({ subjects: [{ name: "a" }], workload: kind, vary: { jobname: ["a"] } }),
];
