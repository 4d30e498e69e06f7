/** Puts what was measured into the shape of a result. Pure. */
import { at } from "../at.js";
import type { RunPlan } from "../model/plan/run-plan.js";
import { type EnvironmentDuring, environmentBetween } from "../platform/machine/environment.js";
import { environmentWarnings } from "../platform/machine/environment-warnings.js";
import { distributionOf } from "../model/metrics/distribution.js";
import { harmlessWarnings } from "../model/result/warning-text.js";
import type {
  GroupResult,
  HostFacts,
  RateOutcome,
  RunResult,
  ThreadResult,
  Transfer,
  Warning,
} from "../model/result/run-result.js";
import { throttleWarnings } from "./cgroup/throttle-warnings.js";
import { lateTickWarnings } from "./watch/late-ticks.js";
import type { Measured } from "./measure.js";
import type { RunRequest } from "./run-request.js";
import { phasesOf, rpsHistogram, sumWindows, workerWaitSec } from "./watch/run-log.js";
import { REST } from "../options/values/worker-group.js";
import type { GroupStats, WindowStats } from "./memory/snapshot.js";
import { schedWarnings } from "./sched-warnings.js";
import type { Stage } from "./stage.js";
import { schedDelayIn } from "./watch/thread-readings.js";

/** Everything a result is made from. */
export interface ResultParts {
  readonly request: RunRequest;
  readonly stage: Stage;
  readonly measured: Measured;
  readonly facts: HostFacts;
  readonly startedAt: Date;
  readonly runnableAtStart: number | null;
}

const rateOf = (plan: RunPlan, measured: Measured, stats: WindowStats): RateOutcome | null => {
  if (plan.mode !== "rate") return null;
  return {
    askedPerSec: plan.requestsPerSec,
    pacing: plan.pacing,
    offered: stats.sent + stats.dropped + stats.unsent,
    sent: stats.sent,
    dropped: stats.dropped,
    lateness: distributionOf(stats.lateness, "usec"),
    finalGoalPerSec: measured.autoRps?.goalPerSec ?? null,
    targetBusyPercent: plan.autoBusyPercent,
    targetHit: measured.autoRps?.targetHit ?? null,
  };
};

const transferOf = (plan: RunPlan, measuredSec: number, loops: number): Transfer | null => {
  if (plan.mode !== "pipe" || measuredSec === 0) return null;
  const workers = plan.messageThreads * plan.workerThreads;
  const opsPerSecTotal = loops / measuredSec;
  return {
    opsPerSecPerWorker: opsPerSecTotal / workers,
    bytesPerSecPerWorker: (opsPerSecTotal * plan.transferBytes) / workers,
    opsPerSecTotal,
    bytesPerSecTotal: opsPerSecTotal * plan.transferBytes,
  };
};

/** Of a run that ended before the measured time began no worker has any. */
const withLoops = (threads: readonly ThreadResult[], loopsByWorker: readonly number[]): ThreadResult[] => {
  const loopsOf = (worker: number): number => (loopsByWorker.length === 0 ? 0 : at(loopsByWorker, worker));
  return threads.map((thread) => (thread.role === "worker" ? { ...thread, loops: loopsOf(thread.index) } : thread));
};

/** The workers by group, as the plan divides them; those in none last. */
const groupsOf = (
  { workerGroups, workerSched, mode }: RunPlan,
  stats: WindowStats,
  threads: readonly ThreadResult[],
  measuredSec: number,
): GroupResult[] => {
  if (workerGroups === undefined) return [];
  const named = workerGroups.map(({ name, sched }) => ({ name, sched }));
  const rest = threads.some(({ group }) => group === REST) ? [{ name: REST, sched: workerSched ?? null }] : [];
  return [...named, ...rest].map((part, index) => {
    const workers = threads.filter(({ group }) => group === part.name);
    const loops = workers.reduce((sum, thread) => sum + (thread.loops ?? 0), 0);
    // Of a run that ended before the measured time began there is none.
    const group = stats.groups[index];
    const distribution = (name: keyof GroupStats) => (group === undefined ? null : distributionOf(group[name], "usec"));
    return {
      ...part,
      workers: workers.length,
      loops,
      averageRps: mode === "pipe" || measuredSec === 0 ? null : loops / measuredSec,
      wakeup: distribution("wakeup"),
      request: mode === "pipe" ? null : distribution("request"),
      response: mode === "rate" ? distribution("response") : null,
    };
  });
};

const warningsOf = ({ request, stage, measured, facts, runnableAtStart }: ResultParts, during: EnvironmentDuring) => {
  const warnings: Warning[] = [
    ...stage.warnings,
    ...environmentWarnings({
      host: facts,
      runnableAtStart,
      during,
      schedStatSeen: measured.threads.some(({ timesRun }) => timesRun !== null),
      hugePagesDeclined: stage.hugePagesDeclined,
    }),
    ...lateTickWarnings(measured.lateTicks),
    ...schedWarnings(request.plan, measured.threads),
    ...throttleWarnings(measured.cgroups),
  ];
  if (!measured.stopped)
    warnings.push({
      code: "threads-abandoned",
      message:
        "some threads did not stop within 5 s of the end and were left behind; nothing after the end was recorded",
      cure: "A request that takes longer than that (-s, -F) cannot be cut short.",
    });
  if (measured.measuredSec === 0)
    warnings.push({ code: "nothing-measured", message: "the run ended during the warm-up", cure: "Make -w shorter." });
  if (measured.autoRps !== null && !measured.autoRps.targetHit)
    warnings.push({
      code: "auto-rps-target-not-hit",
      message: `the CPU utilisation never came near the target of ${request.plan.mode === "rate" ? request.plan.autoBusyPercent : ""} %, so there are no RPS samples`,
      cure: "Run longer (-r), start from a higher rate (-R), or use more workers (-t).",
    });
  return warnings;
};

/** The result of a run. */
export const assembleResult = (parts: ResultParts): RunResult => {
  const { request, stage, measured, facts, startedAt } = parts;
  const { plan } = request;
  const stats = sumWindows(measured.windows.map((window) => window.stats));
  const isPipe = plan.mode === "pipe";
  const threads = withLoops(measured.threads, stats.loopsByWorker);
  const during = environmentBetween(measured.before, measured.after, facts.cpusOnline);
  return {
    format: "schbench-ts/run-result",
    version: 1,
    source: { kind: "engine", version: request.version, engine: stage.host.kind, build: stage.host.build },
    jobname: request.jobname,
    commandLine: [...request.commandLine],
    startedAt: startedAt.toISOString(),
    plan,
    mode: plan.mode,
    interrupted: measured.interrupted,
    runtimeSec: measured.runtimeSec,
    measuredSec: measured.measuredSec,
    wakeup: distributionOf(stats.wakeup, "usec"),
    request: isPipe ? null : distributionOf(stats.request, "usec"),
    response: plan.mode === "rate" ? distributionOf(stats.response, "usec") : null,
    rps: isPipe ? null : distributionOf(rpsHistogram(measured.rpsSamples), "requests/s"),
    averageRps: isPipe || measured.measuredSec === 0 ? null : stats.loops / measured.measuredSec,
    loops: stats.loops,
    rate: rateOf(plan, measured, stats),
    transfer: transferOf(plan, measured.measuredSec, stats.loops),
    schedDelay: schedDelayIn(measured.threads),
    intervals: [...measured.intervals],
    seconds: [...measured.seconds],
    phases: phasesOf(measured.windows),
    threads,
    groups: groupsOf(plan, stats, threads, measured.measuredSec),
    slowWakeups: [...measured.slowWakeups],
    ...(measured.cgroups.length === 0 ? {} : { cgroups: [...measured.cgroups] }),
    ...(measured.loads.length === 0
      ? {}
      : { loads: [...measured.loads], workerWaitSec: workerWaitSec(measured.windows) }),
    fingerprint: measured.sight({ requests: stats.loops, seconds: measured.measuredSec }),
    explanation: null,
    host: facts,
    environment: during.environment,
    warnings: harmlessWarnings(warningsOf(parts, during)),
  };
};
