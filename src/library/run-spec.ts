/**
 * What a caller asks for: a run, written down with the names and defaults of the command line's option table, and typed
 * so that no mode takes another's settings. run-plan.ts is what it becomes.
 */
import type { CgroupSettings } from "../model/plan/cgroup-plan.js";
import type { LoadPlan } from "../model/plan/load-plan.js";
import type { GroupRequest, SchedAttributes } from "../model/plan/sched-attributes.js";
import type { RunOptions } from "../options/run/run-table.js";

/** CPUs as a list of ids or as text such as `0-3,8`; `auto` gives message threads a CPU each, the workers the rest. */
export type Cpus = readonly number[] | "auto" | (string & {});

/** What a caller may write for an option: its value, and for CPUs a list as text too. */
type Written<V> = readonly number[] extends V ? Cpus : CgroupSettings extends V ? Cgroup : V;

/** Settings of a control group as `--worker-cgroup` takes them, or as the plan has them: `{ weight: 100 }`. */
export type Cgroup = CgroupSettings | (string & {});

/** A load as `--load` takes it (`spin:4`, a command), or as the plan has it: `{ kind: "spin", threads: 4 }`. */
export type Load = LoadPlan | (string & {});

type Some<I extends keyof RunOptions> = { readonly [K in I]?: Written<NonNullable<RunOptions[K]>> | undefined };
type None<K extends string> = { readonly [P in K]?: undefined };

type WorkId = "footprintKib" | "operations" | "sleepUsec" | "splitPercent" | "noLocking" | "calibrate";
type RateId = "requestsPerSec" | "autoBusyPercent" | "pacing";
type CommonId =
  | ("messageThreads" | "workerThreads" | "messageCpus" | "workerCpus")
  | ("runtimeSec" | "warmupSec" | "intervalSec" | "zeroSec")
  | ("jobname" | "engine" | "loadCpus")
  | ("messageCgroup" | "workerCgroup" | "loadCgroup");

/** Scheduling attributes as a plan has them, `{ policy: "batch", nice: 5 }`, or as the command takes them: `batch,nice=5`. */
export type Sched = SchedAttributes | (string & {});

/** Workers with attributes of their own, `{ name: "short", workers: 4, sched: { sliceUsec: 500 } }` or `short=4:slice=500`. */
export type Group = GroupRequest | (string & {});

/** What the scheduler is to know of the threads (`schbench-ts help sched`). */
interface Scheduling {
  readonly workerSched?: Sched | undefined;
  readonly messageSched?: Sched | undefined;
  readonly workerGroups?: readonly Group[] | undefined;
  /** Real time is wanted although nothing limits it on this machine. */
  readonly unthrottled?: boolean | undefined;
}

/** What runs beside the benchmark. */
interface Beside {
  readonly loads?: Load | readonly Load[] | undefined;
}

/**
 * The settings that every mode has. Times are whole seconds; `runtimeSec: 0` runs until the signal comes; a negative
 * `intervalSec` means no intervals. `workerThreads` are per message thread. Defaults: docs/options.md.
 */
export interface CommonSpec extends Some<CommonId>, Beside, Scheduling {
  /** Always `schbench`: the kind of work, for harnesses that know several. */
  readonly kind: "schbench";
}

/** Workers ask for their next request themselves, as fast as they can: schbench's default mode. */
export interface ClosedLoopSpec extends CommonSpec, Some<WorkId>, None<RateId | "transferBytes"> {
  readonly mode?: "closed-loop" | undefined;
}

interface AnyRateSpec extends CommonSpec, Some<WorkId | "pacing">, None<"transferBytes"> {
  readonly mode?: "rate" | undefined;
}

/** Requests arrive at a rate, over all message threads, whether or not the workers keep up. */
export interface FixedRateSpec extends AnyRateSpec {
  /** 1 and up. */
  readonly requestsPerSec: number;
  readonly autoBusyPercent?: undefined;
}

/** The rate is steered until the CPUs are so busy, in percent; it starts from `requestsPerSec`, or from 10. */
export interface AutoRateSpec extends AnyRateSpec {
  readonly requestsPerSec?: number | undefined;
  /** 1–100. */
  readonly autoBusyPercent: number;
}

/** Message thread and worker hand pages of so many bytes to each other, at most 1 MiB, in place of the work. */
export interface PipeSpec extends CommonSpec, None<WorkId | RateId> {
  readonly mode?: "pipe" | undefined;
  /** 1–1,048,576. */
  readonly transferBytes: number;
}

/**
 * A run, as a caller asks for it. `mode` may be left out: `requestsPerSec` or `autoBusyPercent` make it `rate`,
 * `transferBytes` makes it `pipe`. Units are in the names.
 */
export type SchbenchSpec = ClosedLoopSpec | FixedRateSpec | AutoRateSpec | PipeSpec;

/** Any of a run's settings, on top of others: what one subject of an experiment has for itself. */
export interface SchbenchSettings extends Some<CommonId | WorkId | RateId>, Beside, Scheduling {
  readonly transferBytes?: number | undefined;
}
