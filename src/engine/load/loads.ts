/**
 * The loads of one run: they begin before the benchmark's threads are created, so that these come to a machine that is
 * busy, and what they do is counted while the benchmark is measured. Built-in loads are watched alone for a moment first:
 * what they got done then is what the benchmark takes from. No upstream counterpart.
 */
import { at } from "../../at.js";
import { gain, sumOfKnown } from "../../known.js";
import type { LoadPlan, LoadResult } from "../../model/plan/load-plan.js";
import { WORK_UNITS } from "../../model/plan/load-work.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { loadText } from "../../options/values/load-language.js";
import type { Files } from "../../platform/files.js";
import { readCpusHere } from "../../platform/limits/cpu-reach.js";
import { setCpusOf } from "../../platform/libc.js";
import { readSchedStat } from "../../platform/threads/proc-thread.js";
import { readGroupCpuSec } from "../../platform/threads/process-times.js";
import { NSEC_PER_SEC } from "../../units.js";
import { cannotPin } from "../host/cannot-pin.js";
import type { Places, SharedMemory } from "../memory/shared-memory.js";
import type { RunGroups } from "../cgroup/run-groups.js";
import { cpuMask } from "../../platform/cpu-mask.js";
import type { RunClock } from "../watch/run-clock.js";
import { type RunningCommand, startCommand } from "./load-commands.js";
import type { Loads } from "./no-loads.js";
import { type ThreadedLoad, threadedLoads } from "./load-threads.js";

/** Threads get so long to touch their memory and to spread over the CPUs … */
const SETTLE_NSEC = 0.1 * NSEC_PER_SEC;
/** … and are then watched for so long. */
const ALONE_NSEC = 0.3 * NSEC_PER_SEC;
/** A shorter watch than this was cut short. */
const LEAST_ALONE_NSEC = 0.9 * ALONE_NSEC;

/** What loads are made from. */
export interface LoadsNeeds {
  readonly plan: RunPlan;
  readonly files: Files;
  readonly memory: SharedMemory;
  readonly places: Places;
  readonly clock: RunClock;
  readonly groups: Pick<RunGroups, "placeLoad">;
}

/** What was read of one load at one moment. */
interface Reading {
  readonly work: number | null;
  readonly cpuSec: number | null;
  readonly waitSec: number | null;
}

interface Moment {
  readonly nsec: number;
  readonly readings: readonly Reading[];
}

const readThreads = (files: Files, threads: ThreadedLoad): Reading => {
  const stats = threads.tids().map((tid) => readSchedStat(files, tid));
  return {
    work: threads.work(),
    cpuSec: sumOfKnown(stats.map((stat) => (stat === null ? null : stat.cpuNsec / NSEC_PER_SEC))),
    waitSec: sumOfKnown(stats.map((stat) => (stat === null ? null : stat.runDelayNsec / NSEC_PER_SEC))),
  };
};

/** Puts a command's process into the group and on the CPUs of the loads; what it starts inherits that. */
const placeCommand =
  ({ plan: { loadCpus }, places: { maskBytes }, files, groups }: LoadsNeeds) =>
  (pid: number): void => {
    groups.placeLoad(pid);
    const error = loadCpus === undefined ? 0 : setCpusOf(pid, cpuMask(loadCpus, maskBytes));
    if (error !== 0) throw cannotPin({ messageCpus: null, workerCpus: null, loadCpus }, readCpusHere(files), error);
  };

/** The loads of a plan; nothing runs yet. */
export const createLoads = (needs: LoadsNeeds): Loads => {
  const { plan, files, memory, places, clock } = needs;
  const planned: readonly LoadPlan[] = plan.loads ?? [];
  const threaded = threadedLoads(memory, plan, places);
  const commands = new Map<number, RunningCommand>();
  let aloneRates: readonly (number | null)[] = planned.map(() => null);
  let start: Moment | null = null;

  const readOne = (index: number): Reading => {
    const threads = at(threaded, index);
    if (threads !== null) return readThreads(files, threads);
    const command = commands.get(index);
    return {
      work: null,
      cpuSec: command === undefined ? null : readGroupCpuSec(files, command.pid),
      waitSec: null,
    };
  };
  const read = (): Moment => ({ nsec: clock.nowNsec(), readings: planned.map((_, index) => readOne(index)) });

  const watchAlone = async (): Promise<void> => {
    await clock.sleepUntil(clock.nowNsec() + SETTLE_NSEC);
    const [before, beforeNsec] = [threaded.map((load) => load?.work() ?? null), clock.nowNsec()];
    await clock.sleepUntil(beforeNsec + ALONE_NSEC);
    const seconds = (clock.nowNsec() - beforeNsec) / NSEC_PER_SEC;
    // A signal ends the sleeps at once; a timer may be a little early.
    if (seconds * NSEC_PER_SEC < LEAST_ALONE_NSEC) return;
    aloneRates = threaded.map((load, index) => {
      const done = gain(at(before, index), load?.work() ?? null);
      return done === null ? null : done / seconds;
    });
  };

  const resultOf = (load: LoadPlan, index: number, from: Moment, to: Moment): LoadResult => {
    const [before, after] = [at(from.readings, index), at(to.readings, index)];
    const seconds = (to.nsec - from.nsec) / NSEC_PER_SEC;
    const done = gain(before.work, after.work);
    return {
      load: loadText(load),
      kind: load.kind,
      tids: [...(at(threaded, index)?.tids() ?? [])].concat(commands.get(index)?.pid ?? []),
      work:
        done === null || load.kind === "command"
          ? null
          : {
              unit: WORK_UNITS[load.kind],
              count: done,
              perSec: seconds === 0 ? 0 : done / seconds,
              alonePerSec: at(aloneRates, index),
            },
      cpuSec: gain(before.cpuSec, after.cpuSec),
      waitSec: gain(before.waitSec, after.waitSec),
    };
  };

  return {
    begin: async () => {
      if (threaded.some((load) => load !== null)) await watchAlone();
      for (const [index, load] of planned.entries()) {
        if (load.kind !== "command") continue;
        commands.set(index, await startCommand(load, { place: placeCommand(needs), onDeath: clock.wake }));
      }
    },
    check: () => commands.forEach(({ check }) => check()),
    beginMeasured: () => {
      start = planned.length === 0 ? null : read();
    },
    endMeasured: () => {
      if (start === null) return [];
      const [from, to] = [start, read()];
      return planned.map((load, index) => resultOf(load, index, from, to));
    },
    end: async () => {
      await Promise.all([...commands.values()].map(({ end }) => end()));
    },
    commandCpuSec: () => [...commands.values()].reduce((sum, { pid }) => sum + (readGroupCpuSec(files, pid) ?? 0), 0),
  };
};
