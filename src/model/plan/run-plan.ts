/**
 * What one run will do, decided once: the command line (or a library's caller) is parsed into this, and nobody checks
 * again. A discriminated union by mode, so that no mode carries another's settings. Plain JSON throughout: it travels
 * to the engine's process and into the result unchanged.
 *
 * The schemas are the one source of the types, and check the plan of a stored result. Code on the way to the first
 * request imports the types only, so that the schema library stays out of start-up.
 */
import { z } from "zod";
import { cgroupSettings } from "./cgroup-plan.js";
import { loadPlan } from "./load-plan.js";
import { count, percent } from "../quantities.js";
import { schedAttributes } from "./sched-attributes.js";

const atLeastOne = count.min(1);
const nullable = <T extends z.ZodType>(type: T) => type.nullable();
const cpuList = z.array(count).readonly();

const pacing = z.enum(["paced", "burst"]).describe("evenly spaced, or a whole second's batch at once (upstream's way)");
const engineChoice = z
  .enum(["auto", "native", "v8"])
  .describe("machine code on plain pthreads, or the Wasm module on Node worker threads");

const workPlan = z.object({
  footprintKib: count,
  operations: count,
  sleepUsec: count,
  locking: z.boolean().describe("hold the per-CPU lock during the work"),
  calibrate: z.boolean().describe("take the sleep before the clock of the request starts"),
  splitPercent: nullable(percent).describe(
    "private share of the footprint of each worker, 0–100; null without --split",
  ),
});

const workerGroup = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  workers: atLeastOne.describe("per message thread"),
  sched: schedAttributes,
});

const common = {
  messageThreads: atLeastOne,
  workerThreads: atLeastOne.describe("per message thread"),
  runtimeSec: count.describe("0 = until interrupted"),
  warmupSec: count,
  intervalSec: nullable(atLeastOne).describe("null: no interval reports"),
  zeroSec: nullable(atLeastOne).describe("statistics of the interval reports restart every so often; null: never"),
  messageCpus: nullable(z.array(cpuList).readonly()).describe("one CPU list per message thread; null: unchanged"),
  workerCpus: nullable(cpuList).describe("the CPUs every worker may use; null: unchanged"),
  slowWakeups: nullable(z.object({ perThread: atLeastOne, breakUsec: nullable(count) })).describe(
    "keep the slowest wakeups of each thread, for --explain and --break; null: off",
  ),
  workerSched: schedAttributes
    .optional()
    .describe("scheduling attributes of the workers in no group; absent: unchanged"),
  messageSched: schedAttributes.optional().describe("of the message threads; absent: unchanged"),
  workerGroups: z
    .array(workerGroup)
    .readonly()
    .optional()
    .describe("the first workers of each message thread, by group, with attributes of their own; absent: none"),
  engine: engineChoice,
  messageCgroup: cgroupSettings.optional().describe("the message threads' own control group; absent: none"),
  workerCgroup: cgroupSettings.optional().describe("the workers' own control group; absent: none"),
  loads: z.array(loadPlan).readonly().optional().describe("what runs beside the benchmark; absent: nothing"),
  loadCpus: cpuList.optional().describe("the CPUs of all loads; absent: unchanged"),
  loadCgroup: cgroupSettings.optional().describe("the control group of all loads; absent: none"),
  birth: z
    .literal("crossed")
    .optional()
    .describe(
      "the main thread creates all threads and lets them go at once, which scatters the groups of workers over the CPUs, for tests; absent: each message thread creates its own workers",
    ),
} as const;

const closedLoopPlan = z.object({ mode: z.literal("closed-loop"), work: workPlan, ...common });

const ratePlan = z.object({
  mode: z.literal("rate"),
  work: workPlan,
  ...common,
  requestsPerSec: count.describe("over all message threads; with autoBusyPercent only the seed"),
  pacing,
  autoBusyPercent: nullable(percent).describe("CPU utilisation to steer to; null: the rate is fixed"),
});

const pipePlan = z.object({ mode: z.literal("pipe"), ...common, transferBytes: count });

/** The form of a plan. */
export const runPlan = z.discriminatedUnion("mode", [closedLoopPlan, ratePlan, pipePlan]);

/** Which host runs the threads: machine code on plain pthreads, or the Wasm module on Node worker threads. */
export type EngineChoice = z.infer<typeof engineChoice>;

/** The matrix work of one request. */
export type WorkPlan = Readonly<z.infer<typeof workPlan>>;

/** Some of the workers of each message thread, with attributes of their own. */
export type WorkerGroup = Readonly<z.infer<typeof workerGroup>>;

/** Workers ask for their next request themselves: as fast as they can. */
export type ClosedLoopPlan = Readonly<z.infer<typeof closedLoopPlan>>;

/** Requests arrive at a rate, whether or not the workers keep up. */
export type RatePlan = Readonly<z.infer<typeof ratePlan>>;

/** Message thread and worker hand pages to each other. */
export type PipePlan = Readonly<z.infer<typeof pipePlan>>;

/** What one run will do. */
export type RunPlan = ClosedLoopPlan | RatePlan | PipePlan;
