/** Explains all slow wakeups of a run: the `explanation` of its result. Pure. */
import { at } from "../at.js";
import type { SlowWakeup } from "../model/result/run-result.js";
import { NSEC_PER_USEC } from "../units.js";
import { kicksByTarget } from "./kick.js";
import type { StolenTime } from "./steal.js";
import type { KernelIds } from "./trace/thread-ids.js";
import { NOBODY, type Who } from "./who.js";
import { cpuRecords } from "./placement.js";
import { type AnalysisContext, explainWakeup } from "./analyse.js";
import type { Blame } from "./blame.js";
import { type Side, traceIndex } from "./trace-index.js";
import { CAUSE_NAMES, MISSING_EVIDENCE } from "./causes.js";
import type { Explanation } from "./explanation.js";
import type { TraceCounts } from "./trace/open-trace.js";
import type { Trace } from "./trace/trace-events.js";
import { wakeupTimeline } from "./wakeup-timeline.js";

/** A thread of the benchmark, and where it may run. */
export interface BenchmarkThread {
  readonly tid: number;
  readonly allowedCpus: readonly number[];
  /** What it is to the scheduler, and its worker group; absent: not known. */
  readonly who?: Who;
}

/** What `explainRun` is given: of the trace, of the engine and of the process. */
export interface ExplainInput {
  readonly trace: Trace;
  readonly counts: TraceCounts;
  readonly slowWakeups: readonly SlowWakeup[];
  /** Message and worker threads. */
  readonly threads: readonly BenchmarkThread[];
  /** Other threads of this process (Node's), which hold up the benchmark without being part of it. */
  readonly harnessTids: readonly number[];
  /** Whether the CPU limit of the benchmark's control group stopped threads during the run. */
  readonly wasThrottled: boolean;
  /** What the hypervisor took from CPUs. */
  readonly stolen: readonly StolenTime[];
  /** The threads' ids in the trace by those of `slowWakeups` and `threads`; one that is not in it has the same in both. */
  readonly kernelIds: KernelIds;
  /** About a thread of another process, by its id in the trace; absent: nothing is known of any. */
  readonly whoIs?: (tid: number) => Who;
}

const WORST = 10;
const MORE = 90;
const MOST_WHO = 3;

const lengthUsec = ({ fromNsec, toNsec }: Blame): number => (toNsec - fromNsec) / NSEC_PER_USEC;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.min(1, part / whole));

/** Names of who was behind these pieces, the longest first. */
const whoOf = (pieces: readonly Blame[]): { name: string; usec: number }[] => {
  const sums = new Map<string, number>();
  for (const piece of pieces) {
    const name = piece.interrupt?.name ?? piece.task?.comm;
    if (name !== undefined && name !== "") sums.set(name, (sums.get(name) ?? 0) + lengthUsec(piece));
  }
  return [...sums]
    .map(([name, usec]) => ({ name, usec }))
    .toSorted((a, b) => b.usec - a.usec)
    .slice(0, MOST_WHO);
};

/** Ties the slow wakeups of a run to the kernel's record of them. */
export const explainRun = ({
  trace,
  counts,
  slowWakeups,
  threads,
  harnessTids,
  wasThrottled,
  stolen,
  kernelIds,
  whoIs = () => NOBODY,
}: ExplainInput): Explanation => {
  const kernelIdOf = (tid: number): number => kernelIds.get(tid) ?? tid;
  const threadByTid = new Map(threads.map((thread) => [kernelIdOf(thread.tid), thread]));
  const harness = new Set(harnessTids.map(kernelIdOf));
  const sideOf = (tid: number): Side => (threadByTid.has(tid) ? "benchmark" : harness.has(tid) ? "harness" : "foreign");
  const index = traceIndex(trace, sideOf, wasThrottled);
  const context: AnalysisContext = {
    index,
    cpuRecords: cpuRecords(trace),
    lost: trace.lost,
    sideOf,
    kicks: kicksByTarget(trace.events),
    stolen,
    whoIs: (tid) => threadByTid.get(tid)?.who ?? whoIs(tid),
    allowedCpusOf: (tid) => threadByTid.get(tid)?.allowedCpus ?? [],
  };
  const slowestFirst = slowWakeups.toSorted((a, b) => b.runNsec - b.wakeNsec - (a.runNsec - a.wakeNsec));
  const all = slowestFirst.map((own) => {
    const wakeup = { ...own, tid: kernelIdOf(own.tid), wakerTid: kernelIdOf(own.wakerTid) };
    const { explained, pieces } = explainWakeup(context, wakeup);
    return { wakeup, pieces, explained: { ...explained, tid: own.tid, wakerTid: own.wakerTid } };
  });
  const explained = all.map((one) => one.explained);
  const pieces = all.flatMap((one) => one.pieces);
  const totalUsec = sum(explained.map(({ latencyUsec }) => latencyUsec));

  const causes = CAUSE_NAMES.map((cause) => {
    const wakeups = explained.filter((one) => one.cause === cause).length;
    const ofCause = pieces.filter((piece) => piece.cause === cause);
    const usec = sum(ofCause.map(lengthUsec));
    const shares = { wakeupShare: shareOf(wakeups, all.length), timeShare: shareOf(usec, totalUsec) };
    return { cause, wakeups, usec, ...shares, who: whoOf(ofCause) };
  });
  const missed = explained.filter(({ placementMiss }) => placementMiss.length > 0);
  return {
    version: 1,
    traced: true,
    trace: {
      clock: "mono",
      events: counts.events,
      lostEvents: counts.lostEvents,
      damaged: trace.damaged,
      ringKibPerCpu: counts.ringKibPerCpu,
      drains: counts.drains,
    },
    slowWakeups: all.length,
    attributed: explained.filter(({ cause }) => cause !== "unknown").length,
    totalUsec,
    causes: causes
      .filter(({ wakeups, usec }) => wakeups > 0 || usec > 0)
      .toSorted((a, b) => b.wakeups - a.wakeups || b.usec - a.usec),
    placementMisses: {
      wakeups: missed.length,
      usec: sum(missed.map(({ placementMiss }) => at(placementMiss, 0).idleUsec)),
    },
    missing: Object.keys(MISSING_EVIDENCE).flatMap((key) => {
      const wakeups = explained.filter(({ missing }) => missing.some((evidence) => evidence === key)).length;
      const evidence = explained.flatMap(({ missing }) => missing).find((one) => one === key);
      return evidence === undefined ? [] : [{ evidence, wakeups }];
    }),
    worst: all
      .slice(0, WORST)
      .map((one) => ({ ...one.explained, timeline: wakeupTimeline(index, trace.events, one.wakeup, sideOf) })),
    more: explained.slice(WORST, WORST + MORE),
  };
};
