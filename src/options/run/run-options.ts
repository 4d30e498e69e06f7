/**
 * From parsed options and what this process may use to the plan of a run, the choices of output and the lines that
 * precede the run. Pure; what it lets pass needs no further check.
 *
 * Upstream counterpart: the end of parse_options and the beginning of main.
 */
import { UsageError } from "../../errors.js";
import { resolveLoads } from "./load-options.js";
import { loadThreads } from "../values/load-language.js";
import { matrixParts } from "./matrix.js";
import { checkSched, type SchedRules } from "./sched-needs.js";
import { resolveGroups } from "./worker-groups.js";
import { type PinnableCpus, resolvePinning } from "./pinning.js";
import type { LoadPlan } from "../../model/plan/load-plan.js";
import type { RunPlan, WorkPlan } from "../../model/plan/run-plan.js";
import { MAX_THREADS, MAX_TRANSFER_BYTES, type RunOptions } from "./run-table.js";

/** What becomes of the result. */
export interface OutputChoices {
  /** `-` = standard output; null: none. */
  readonly jsonFile: string | null;
  readonly jobname: string | null;
  /** `-` = standard output; null: none. */
  readonly htmlFile: string | null;
  readonly details: boolean;
  /** Neither interval reports nor a status line. */
  readonly quiet: boolean;
  /** Trace the run and say why its slowest wakeups were slow. */
  readonly explain: boolean;
  /** Trace the run and count what the kernel saw of it. */
  readonly fingerprint: boolean;
}

/** A run, decided. */
export interface ResolvedRun {
  readonly plan: RunPlan;
  readonly output: OutputChoices;
  /** Lines for stderr before the run, without line ends. */
  readonly preamble: readonly string[];
}

/** Rate from which `-A` starts unless `-R` says otherwise, per second. */
export const AUTO_RPS_SEED = 10;

/** How many of the slowest wakeups each thread keeps under `--explain`. */
export const SLOW_WAKEUPS_PER_THREAD = 64;

const refuseContradictions = (options: RunOptions): void => {
  const { pipeBytes, requestsPerSec, autoBusyPercent, runtimeSec, warmupSec } = options;
  if (pipeBytes && (requestsPerSec > 0 || autoBusyPercent !== null)) {
    const rate = requestsPerSec > 0 ? `-R "${requestsPerSec}"` : `-A "${autoBusyPercent}"`;
    throw new UsageError(
      `cannot combine -p "${pipeBytes}" with ${rate}: pipe mode has no request rate`,
      `Leave out -p for a run at a rate, or ${rate.slice(0, 2)} for pipe mode.`,
    );
  }
  if (runtimeSec > 0 && warmupSec >= runtimeSec)
    throw new UsageError(
      `cannot warm up for "${warmupSec}" s in a run of ${runtimeSec} s: nothing would be measured`,
      "The warm-up is part of the run: make -w shorter or -r longer.",
    );
  if (options.jsonFile === "-" && options.htmlFile === "-")
    throw new UsageError('cannot write both --json and --html to "-": give one of them a file');
};

const reportEverySecOf = ({ intervalSec, runtimeSec, pipeBytes }: RunOptions): number | null => {
  const isBeyondRun = runtimeSec > 0 && intervalSec > runtimeSec;
  return intervalSec < 0 || isBeyondRun || pipeBytes ? null : Math.max(intervalSec, 1);
};

const workOf = (options: RunOptions): WorkPlan => ({
  footprintKib: options.footprintKib,
  operations: options.operations,
  sleepUsec: options.sleepUsec,
  locking: !options.noLocking && !options.calibrate,
  calibrate: options.calibrate,
  splitPercent: options.splitPercent,
});

/** The lines about `--split`: shares in KiB, then sides. */
const splitLines = ({ footprintKib, operations, splitPercent }: WorkPlan): readonly string[] => {
  if (splitPercent === null) return [];
  const parts = matrixParts(footprintKib, operations, splitPercent);
  return [
    `split mode: ${splitPercent}% private (${parts.private.kib} KB per thread), ` +
      `${100 - splitPercent}% shared (${parts.shared.kib} KB total)`,
    `matrix sizes: private=${parts.private.side}, shared=${parts.shared.side}`,
  ];
};

const checkThreads = (messageThreads: number, workerThreads: number, loads: readonly LoadPlan[]): void => {
  const beside = loads.reduce((sum, load) => sum + loadThreads(load), 0);
  const threads = messageThreads * (workerThreads + 1) + beside;
  if (threads > MAX_THREADS)
    throw new UsageError(
      `cannot start "${threads}" threads (-m ${messageThreads}, -t ${workerThreads}): Linux has at most ${MAX_THREADS}`,
    );
};

/** The settings that every mode has. */
const commonOf = (options: RunOptions, workerThreads: number) => ({
  messageThreads: options.messageThreads,
  workerThreads,
  runtimeSec: options.runtimeSec,
  warmupSec: options.warmupSec,
  intervalSec: reportEverySecOf(options),
  zeroSec: options.zeroSec === 0 ? null : options.zeroSec,
  slowWakeups:
    options.explain || options.breakUsec !== null
      ? { perThread: SLOW_WAKEUPS_PER_THREAD, breakUsec: options.breakUsec }
      : null,
  ...(options.workerSched === null ? {} : { workerSched: options.workerSched }),
  ...(options.messageSched === null ? {} : { messageSched: options.messageSched }),
  ...(options.workerGroups.length === 0 ? {} : { workerGroups: resolveGroups(options.workerGroups, workerThreads) }),
  engine: options.engine,
  ...(options.messageCgroup === null ? {} : { messageCgroup: options.messageCgroup }),
  ...(options.workerCgroup === null ? {} : { workerCgroup: options.workerCgroup }),
  ...(options.birth === "crossed" ? { birth: options.birth } : {}),
});

/**
 * Decides a run.
 *
 * @throws UsageError for options that contradict each other, for CPUs that no thread can be put on and for scheduling
 *   attributes that none will get
 */
export const resolveRun = (options: RunOptions, here: PinnableCpus & SchedRules): ResolvedRun => {
  refuseContradictions(options);
  const { messageThreads, pipeBytes, requestsPerSec, autoBusyPercent, pacing } = options;
  const workerThreads = options.workerThreads ?? Math.max(1, Math.ceil(here.allowedCpus.length / messageThreads));
  const beside = resolveLoads(options, here);
  checkThreads(messageThreads, workerThreads, beside.loads ?? []);
  const { messageCpus, workerCpus, isAuto, messageLines } = resolvePinning(
    messageThreads,
    options.messageCpus,
    options.workerCpus,
    here,
  );
  const common = { ...commonOf(options, workerThreads), ...beside, messageCpus, workerCpus };
  const work = workOf(options);

  const planOf = (): RunPlan => {
    if (pipeBytes) return { ...common, mode: "pipe", transferBytes: Math.min(pipeBytes, MAX_TRANSFER_BYTES) };
    if (requestsPerSec === 0 && autoBusyPercent === null) return { ...common, mode: "closed-loop", work };
    return { ...common, mode: "rate", work, requestsPerSec: requestsPerSec || AUTO_RPS_SEED, pacing, autoBusyPercent };
  };
  const plan = planOf();
  checkSched(plan, here, options.unthrottled);
  return {
    plan,
    output: {
      jsonFile: options.jsonFile,
      jobname: options.jobname,
      htmlFile: options.htmlFile,
      details: options.details,
      quiet: options.quiet,
      explain: options.explain || options.breakUsec !== null,
      fingerprint: options.fingerprint,
    },
    preamble: [
      ...(pipeBytes && pipeBytes > MAX_TRANSFER_BYTES ? [`pipe size too big, using ${MAX_TRANSFER_BYTES}`] : []),
      ...(isAuto ? ["auto pinning message and worker threads"] : []),
      ...(options.workerThreads === null ? [`setting worker threads to ${workerThreads}`] : []),
      ...splitLines(work),
      ...messageLines,
    ],
  };
};
