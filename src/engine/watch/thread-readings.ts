/** What the kernel and the shared memory say about each thread while it is still there. */
import type { Files } from "../../platform/files.js";
import { at } from "../../at.js";
import {
  meanRunDelayUsec,
  readAsleep,
  readSchedStat,
  readThreadCounters,
  type SchedStat,
  type ThreadCounters,
} from "../../platform/threads/proc-thread.js";
import type { SchedInForce } from "../../model/plan/sched-attributes.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { groupName } from "../../options/run/worker-groups.js";
import { readSched } from "../../platform/scheduler/sched-attr.js";
import type { SchedDelay, SlowWakeup, ThreadResult } from "../../model/result/run-result.js";
import { NSEC_PER_USEC } from "../../units.js";
import type { Places, SharedMemory, ThreadPlace } from "../memory/shared-memory.js";
import { readConsistently } from "../memory/snapshot.js";

/** The thread's id; known when it is up. */
export const tidOf = (memory: SharedMemory, thread: ThreadPlace): number =>
  memory.read(thread.threadData, "ThreadData.tid");

interface Scheduled {
  readonly role: ThreadPlace["role"];
  readonly stat: SchedStat | null;
}

const readSchedStats = (files: Files, memory: SharedMemory, places: Places): readonly Scheduled[] =>
  places.threads.map((thread) => ({ role: thread.role, stat: readSchedStat(files, tidOf(memory, thread)) }));

const delayOf = (threads: readonly Scheduled[]): SchedDelay | null => {
  const mean = (role: ThreadPlace["role"]) =>
    meanRunDelayUsec(threads.filter((thread) => thread.role === role).map(({ stat }) => stat));
  const [messageUsec, workerUsec] = [mean("message"), mean("worker")];
  return messageUsec === null && workerUsec === null ? null : { messageUsec, workerUsec };
};

/** Mean scheduling delay by role, so far; null where the kernel keeps none. Upstream: collect_sched_delay. */
export const readSchedDelay = (files: Files, memory: SharedMemory, places: Places): SchedDelay | null =>
  delayOf(readSchedStats(files, memory, places));

/** Run delay of all workers so far, summed; null where the kernel keeps none. */
export const readWorkerRunDelayUsec = (files: Files, memory: SharedMemory, places: Places): number | null => {
  const stats = readSchedStats(files, memory, places).filter(({ role, stat }) => role === "worker" && stat !== null);
  return stats.length === 0
    ? null
    : stats.reduce((sum, { stat }) => sum + (stat?.runDelayNsec ?? 0) / NSEC_PER_USEC, 0);
};

/** How many threads sleep, as far as that can be read: one that cannot be read counts. */
export const countAsleep = (files: Files, memory: SharedMemory, places: Places): number =>
  places.threads.filter((thread) => readAsleep(files, tidOf(memory, thread)) !== false).length;

/** Counters of every thread, in the order of the places. */
export const readCounters = (files: Files, memory: SharedMemory, places: Places): readonly ThreadCounters[] =>
  places.threads.map((thread) => readThreadCounters(files, tidOf(memory, thread)));

/** What every thread is to the scheduler, in the order of the places. */
export const readScheds = (memory: SharedMemory, places: Places): readonly (SchedInForce | null)[] =>
  places.threads.map((thread) => readSched(tidOf(memory, thread)));

/** Every thread's counters right before the end, without its loops, which the collector knows. */
export const threadResults = (
  memory: SharedMemory,
  places: Places,
  counters: readonly ThreadCounters[],
  scheds: readonly (SchedInForce | null)[],
  { workerGroups }: RunPlan,
): readonly ThreadResult[] =>
  places.threads.map((thread, index) => {
    const { schedStat, voluntarySwitches, involuntarySwitches, migrations, allowedCpus } = at(counters, index);
    return {
      role: thread.role,
      index: thread.index,
      tid: tidOf(memory, thread),
      allowedCpus: allowedCpus ?? "",
      loops: null,
      voluntarySwitches,
      involuntarySwitches,
      migrations,
      runDelayUsec: schedStat === null ? null : schedStat.runDelayNsec / NSEC_PER_USEC,
      timesRun: schedStat?.timesRun ?? null,
      group: workerGroups === undefined || thread.role === "message" ? null : groupName(workerGroups, thread.group),
      sched: at(scheds, index),
    };
  });

/** The mean scheduling delay that follows from thread results. */
export const schedDelayIn = (threads: readonly ThreadResult[]): SchedDelay | null =>
  delayOf(
    threads.map(({ role, runDelayUsec, timesRun }) => ({
      role,
      stat:
        runDelayUsec === null || timesRun === null
          ? null
          : { cpuNsec: 0, runDelayNsec: runDelayUsec * NSEC_PER_USEC, timesRun },
    })),
  );

/** The run delay of all workers that follows from thread results, summed; null where the kernel keeps none. */
export const workerRunDelayIn = (threads: readonly ThreadResult[]): number | null => {
  const delays = threads.flatMap(({ role, runDelayUsec }) =>
    role === "worker" && runDelayUsec !== null ? [runDelayUsec] : [],
  );
  return delays.length === 0 ? null : delays.reduce((sum, delay) => sum + delay, 0);
};

/** The slowest wakeups that the workers have kept, the slowest first. */
export const readSlowWakeups = (memory: SharedMemory, places: Places): readonly SlowWakeup[] =>
  places.threads
    .filter(({ slow }) => slow !== 0)
    .flatMap((thread) => {
      const bytes = memory.layout.sizeOf("SlowWakeup");
      return readConsistently(memory, thread, () => {
        const count = memory.read(thread.threadData, "ThreadData.slowCount");
        return Array.from({ length: count }, (_, i) => {
          const read = (field: string): number => memory.read(thread.slow + i * bytes, `SlowWakeup.${field}`);
          return {
            workerIndex: thread.index,
            tid: tidOf(memory, thread),
            wakeNsec: read("wakeNsec"),
            runNsec: read("runNsec"),
            wakerTid: read("wakerTid"),
            cpuBefore: read("cpuBefore"),
            cpuAfter: read("cpuAfter"),
          };
        });
      });
    })
    .toSorted((a, b) => b.runNsec - b.wakeNsec - (a.runNsec - a.wakeNsec));
