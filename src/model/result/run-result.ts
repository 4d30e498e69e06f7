/**
 * The run result: our versioned format for one run of any schbench, ours or parsed. What is not known is null, never 0.
 *
 * This is the schema and the one source of the type; docs/json.md and the published JSON Schema are generated from it.
 * Code on the way to the first request imports the type only, so that the schema library stays out of start-up.
 */
import { z } from "zod";
import { fingerprint } from "./fingerprint.js";
import { cgroupResult } from "../plan/cgroup-plan.js";
import { loadResult } from "../plan/load-plan.js";
import { count, figure, moment, nsec, percent, sec, usec } from "../quantities.js";
import { PLAT_NR } from "../../stats/histogram/plat.js";
import { quick } from "./quick-schema.js";
import { contradictionsIn } from "./result-check.js";
import { runOrigin } from "./run-origin.js";
import { runPlan } from "../plan/run-plan.js";
import { schedAttributes, schedInForce } from "../plan/sched-attributes.js";

const nullable = <T extends z.ZodType>(type: T) => type.nullable();

/** Microseconds or requests per second. */
const amount = usec;
/** A CPU's number; -1 where the kernel did not say. */
const cpu = z.number().int().min(-1);

/** One row of a percentile table. */
const percentileRow = z.object({
  percentile: z.number().gt(0).max(100).describe("percent, such as 99.9"),
  value: amount,
  samples: nullable(count).describe("samples between the previous percentile of the list and this one"),
});

const isCountFrom = (value: unknown, least: number): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= least;

/** What the schema of a histogram says, in one loop. */
const isSparseHistogram = (value: unknown): boolean => {
  if (!Array.isArray(value)) return false;
  for (const entry of value) {
    if (!Array.isArray(entry) || entry.length !== 2) return false;
    const bucket: unknown = entry[0];
    if (!isCountFrom(bucket, 0) || bucket >= PLAT_NR || !isCountFrom(entry[1], 1)) return false;
  }
  return true;
};

/** The buckets of a plat histogram: hundreds in every distribution. */
const sparseHistogram = quick(z.array(z.tuple([count.max(PLAT_NR - 1), count.min(1)])), isSparseHistogram);

/** A distribution: table and, where the source has it, the complete histogram. */
export const distribution = z.object({
  unit: z.enum(["usec", "requests/s"]),
  samples: nullable(count).describe("number of samples; null where the source does not say"),
  min: nullable(amount),
  max: nullable(amount),
  percentiles: z.array(percentileRow).describe("ascending"),
  buckets: nullable(sparseHistogram).describe(
    "the plat histogram as [bucket index, count], ascending, empty buckets left out; null where the source has only a table",
  ),
});

/** Something to doubt in a result, and what would cure it. */
export const warning = z.object({
  code: z.string().describe("stable identifier, such as steal-time"),
  message: z.string(),
  cure: nullable(z.string()),
});

const schedDelay = z.object({
  messageUsec: nullable(usec).describe("mean over message threads of run delay / times run"),
  workerUsec: nullable(usec),
});

/** Rate mode: what was asked and what was sent. */
export const rateOutcome = z.object({
  askedPerSec: nullable(figure).describe("-R; with -A the seed"),
  pacing: z.enum(["paced", "burst"]),
  offered: nullable(count).describe("due in the measured time: sent, dropped, or not sent in time"),
  sent: nullable(count),
  dropped: nullable(count),
  lateness: nullable(distribution).describe("paced: how late each request was sent after it was due, usec"),
  finalGoalPerSec: nullable(figure).describe("-A: the total rate goal at the end"),
  targetBusyPercent: nullable(percent),
  targetHit: nullable(z.boolean()),
});

/** Pipe mode: the transfer rate. */
export const transfer = z.object({
  opsPerSecPerWorker: figure,
  bytesPerSecPerWorker: figure,
  opsPerSecTotal: nullable(figure),
  bytesPerSecTotal: nullable(figure),
});

/** One thread at the end of the run. */
export const threadResult = z.object({
  role: z.enum(["message", "worker"]),
  index: count.describe("message thread index, or index of the worker over all message threads"),
  tid: count,
  allowedCpus: z.string().describe("the mask in force, as a CPU list"),
  loops: nullable(count).describe("requests done in the measured time; null for message threads"),
  voluntarySwitches: nullable(count),
  involuntarySwitches: nullable(count),
  migrations: nullable(count),
  runDelayUsec: nullable(usec).describe("time spent runnable but waiting"),
  timesRun: nullable(count),
  group: z.string().nullable().default(null).describe("of --worker-group; rest: in no group; null: there are none"),
  sched: schedInForce
    .nullable()
    .default(null)
    .describe("what the thread was to the scheduler, as the kernel said at the end; null where it does not say"),
});

/** The workers of one group of `--worker-group`, or those in none. */
export const groupResult = z.object({
  name: z.string().describe("rest: the workers in no group"),
  workers: count.describe("threads, over all message threads"),
  sched: nullable(schedAttributes).describe("what they asked for; null: nothing"),
  loops: nullable(count).describe("requests done in the measured time"),
  averageRps: nullable(figure),
  wakeup: nullable(distribution),
  request: nullable(distribution),
  response: nullable(distribution),
});

/** A reading in the middle of the run, at an interval's end; distributions are since the start or the last restart. */
export const interval = z.object({
  atSec: sec.describe("seconds since the clock started"),
  wakeup: nullable(distribution),
  request: nullable(distribution),
  rps: nullable(distribution),
  currentRps: nullable(figure),
  schedDelay: nullable(schedDelay),
});

/** One second of the run: what drifted, and when a hiccup was. */
export const second = z.object({
  atSec: sec,
  rps: figure,
  goalPerSec: nullable(figure),
  busyPercent: nullable(percent),
  wakeup: nullable(sparseHistogram).describe("sparse histogram of this second alone; null when not kept"),
  request: nullable(sparseHistogram),
});

/** A part of the run between two marks, set by a library's caller; the phases add up to the whole. */
export const phase = z.object({
  name: z.string(),
  startSec: sec,
  endSec: sec,
  loops: count,
  wakeup: nullable(distribution),
  request: nullable(distribution),
  response: nullable(distribution),
  runDelayUsec: nullable(usec).describe("summed over the worker threads"),
});

/** The machine as it was, read before the run. */
export const hostFacts = z.object({
  hostname: z.string(),
  kernel: z.string().describe("uname -r"),
  schedExt: z.string().describe("name of the sched_ext scheduler, or disabled"),
  cpuModel: nullable(z.string()),
  cpuSignature: nullable(z.string()).optional().describe("vendor, family and model, which say what core it is"),
  cpusOnline: count,
  cpusAllowed: z.string().describe("mask of this process: the CPUs its threads use unless pinned"),
  governor: nullable(z.string()),
  smt: nullable(z.string()),
  transparentHugepage: nullable(z.string()),
  virtualization: nullable(z.string()).describe("hypervisor or emulator; null: bare metal"),
  container: nullable(z.string()).default(null).describe("container engine; null: none"),
  cgroupCpuMax: nullable(z.string()).describe("the tightest cpu.max above this process; null: no limit"),
  loadAverage1: nullable(z.number().nonnegative().max(1e9)),
  memoryTotalKib: nullable(count),
  node: z.string(),
  v8: z.string(),
});

/** The machine during the run. */
export const environment = z.object({
  stealPercent: nullable(percent).describe("share of all CPU time that the hypervisor gave to others"),
  busyPercent: nullable(percent),
  cpuPressureSomePercent: nullable(percent).describe("PSI: share of the run in which some task waited for a CPU"),
  schedExtBefore: nullable(z.string()),
  schedExtAfter: nullable(z.string()),
});

/** One wakeup among the slowest: the raw stamps, on the monotonic clock. */
export const slowWakeup = z.object({
  workerIndex: count,
  tid: count,
  wakeNsec: nsec.describe("stamp of the post"),
  runNsec: nsec.describe("stamp of the worker running again"),
  wakerTid: count,
  cpuBefore: cpu,
  cpuAfter: cpu,
});

/** Where a result comes from. */
const source = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("engine"),
    version: z.string().describe("version of schbench-ts"),
    engine: z.enum(["native", "v8"]),
    build: z.string().describe("which build ran, such as x86-64-v3 gcc 12.2.0, or V8 11.3"),
  }),
  z.object({
    kind: z.literal("parsed"),
    era: z.string().describe("which version of schbench printed it; see docs/parse.md"),
    file: z.string(),
    line: count,
    machine: z
      .object({ hostname: z.string(), kernel: z.string(), schedExt: nullable(z.string()) })
      .optional()
      .describe("the machine as the JSON of that schbench names it; left out where the output names none"),
  }),
]);

/** The version of the run-result format; rises when a reader of the old one would misread the new one. */
export const RUN_RESULT_VERSION = 1;

/**
 * The form of one run, without what its numbers must be to each other. For what this very package has just measured, and
 * for the published schema; everything that is read goes through `runResult`.
 */
export const runResultForm = z.object({
  format: z.literal("schbench-ts/run-result"),
  version: z.literal(RUN_RESULT_VERSION),
  source,
  jobname: nullable(z.string()),
  commandLine: nullable(z.array(z.string())),
  startedAt: nullable(moment).describe("ISO 8601, wall clock"),
  plan: nullable(runPlan).describe("the plan as resolved; null for a parsed result"),
  mode: z.enum(["closed-loop", "rate", "pipe"]).nullable(),
  interrupted: z.boolean(),
  runtimeSec: nullable(sec).describe("the run time as reported"),
  measuredSec: nullable(sec).describe("the measured time, without warm-up"),
  wakeup: nullable(distribution),
  request: nullable(distribution),
  response: nullable(distribution).describe("rate mode: intended arrival to done, queueing included"),
  rps: nullable(distribution),
  averageRps: nullable(figure),
  loops: nullable(count).describe("requests done in the measured time"),
  rate: nullable(rateOutcome),
  transfer: nullable(transfer),
  schedDelay: nullable(schedDelay),
  intervals: z.array(interval),
  seconds: z.array(second),
  phases: z.array(phase),
  threads: z.array(threadResult),
  groups: z
    .array(groupResult)
    .default([])
    .describe("the parts that --worker-group divides the workers into; they add up to the whole. Empty without it"),
  slowWakeups: z.array(slowWakeup),
  cgroups: z
    .array(cgroupResult)
    .optional()
    .describe("the control groups that were made for the run; left out where none was"),
  loads: z
    .array(loadResult)
    .optional()
    .describe("what ran beside the benchmark on purpose (--load), and what it got done; left out where nothing did"),
  workerWaitSec: nullable(sec)
    .optional()
    .describe(
      "time that all workers spent runnable and waiting for a CPU in the measured time; only beside `loads`, null where the kernel does not say",
    ),
  fingerprint: nullable(fingerprint)
    .default(null)
    .describe("what the kernel saw of the run, by role (docs/fingerprint.md); null where nobody watched"),
  explanation: nullable(z.looseObject({ version: count })).describe("what --explain found; null when tracing was off"),
  host: nullable(hostFacts),
  origin: runOrigin
    .optional()
    .describe("which boot of which machine made it; left out where nobody said, as in a plain run"),
  environment: nullable(environment),
  warnings: z.array(warning),
});

/** One run of any schbench, its numbers checked against each other. */
export const runResult = runResultForm.superRefine((result, context) => {
  for (const { path, message } of contradictionsIn(result))
    context.addIssue({ code: "custom", path: [...path], message });
});

export type RunResult = z.infer<typeof runResultForm>;
export type Distribution = z.infer<typeof distribution>;
export type Warning = z.infer<typeof warning>;
export type RateOutcome = z.infer<typeof rateOutcome>;
export type Transfer = z.infer<typeof transfer>;
export type ThreadResult = z.infer<typeof threadResult>;
export type GroupResult = z.infer<typeof groupResult>;
export type IntervalResult = z.infer<typeof interval>;
export type SecondResult = z.infer<typeof second>;
export type PhaseResult = z.infer<typeof phase>;
export type HostFacts = z.infer<typeof hostFacts>;
export type Environment = z.infer<typeof environment>;
export type SlowWakeup = z.infer<typeof slowWakeup>;
export type SchedDelay = z.infer<typeof schedDelay>;
