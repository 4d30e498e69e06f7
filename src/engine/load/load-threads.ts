/**
 * The threads of built-in loads in shared memory: written before they start, read while they run. They are threads of the
 * engine as the benchmark's are, on both hosts, but no part of its statistics.
 */
import { at, numberAt } from "../../at.js";
import type { BuiltInLoad } from "../../model/plan/load-plan.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { THREAD_NAMES } from "../host/host.js";
import { type LoadPlace, type Places, type SharedMemory, STREAMED_MIB } from "../memory/shared-memory.js";
import { type Entry, type ThreadSetup, writeCpuMask, writeThreadSetup } from "../memory/thread-setup.js";

/** The slot of the mask of all loads: behind that of the workers. */
const MASK_SLOT = 1;

const isFirstOfPair = (place: LoadPlace): boolean => place.index % 2 === 0;

const argsOf = (load: BuiltInLoad, place: LoadPlace): readonly [number, number] => {
  if (load.kind === "duty") return [load.busyUsec, load.periodUsec];
  if (load.kind === "wake") return [Number(isFirstOfPair(place)), 0];
  return load.kind === "memory" ? [STREAMED_MIB, 0] : [0, 0];
};

const ENTRIES = {
  spin: "load_spin",
  duty: "load_duty",
  wake: "load_wake",
  memory: "load_memory",
} as const satisfies Record<BuiltInLoad["kind"], Entry>;

/**
 * Writes everything that the threads of the built-in loads begin with.
 *
 * @param group the open cgroup.threads of the control group they join; 0: none
 */
export const prepareLoads = (memory: SharedMemory, plan: RunPlan, places: Places, group: number): void => {
  const { loads: loadPlaces, control, masks, maskBytes } = places;
  const { loads = [], loadCpus } = plan;
  if (loadPlaces.length === 0) return;
  const cpus: Pick<ThreadSetup, "bornCpus"> =
    loadCpus === undefined
      ? {}
      : { bornCpus: writeCpuMask(memory, masks + MASK_SLOT * maskBytes, maskBytes, loadCpus) };
  loadPlaces.forEach((place, i) => {
    const load = at(loads, place.load);
    // A command has no threads here, and so no place.
    if (load.kind === "command") return;
    memory.write(place.threadData, "ThreadData.control", control);
    memory.write(place.threadData, "ThreadData.index", place.index);
    memory.write(place.threadData, "ThreadData.data", place.data);
    if (load.kind === "wake") {
      const partner = at(loadPlaces, isFirstOfPair(place) ? i + 1 : i - 1);
      memory.write(place.threadData, "ThreadData.msgThread", partner.threadData);
    }
    writeThreadSetup(memory, place.setup, {
      entry: ENTRIES[load.kind],
      args: argsOf(load, place),
      threadData: place.threadData,
      name: THREAD_NAMES.load,
      group,
      maskBytes,
      ...cpus,
    });
  });
};

/** A built-in load with its threads. */
export interface ThreadedLoad {
  readonly load: BuiltInLoad;
  /** Known once they are up. */
  readonly tids: () => readonly number[];
  /** Work done so far, in the units of the load. */
  readonly work: () => number;
}

/** The built-in loads of a plan, in its order; null in the place of a command. */
export const threadedLoads = (
  memory: SharedMemory,
  plan: RunPlan,
  places: Places,
): readonly (ThreadedLoad | null)[] => {
  const loopCount = memory.layout.field("ThreadData.loopCount").offset;
  return (plan.loads ?? []).map((load, index) => {
    if (load.kind === "command") return null;
    const threads = places.loads.filter((place) => place.load === index).map(({ threadData }) => threadData);
    return {
      load,
      tids: () => threads.map((threadData) => memory.read(threadData, "ThreadData.tid")),
      work: () => threads.reduce((sum, threadData) => sum + numberAt(memory.f64, (threadData + loopCount) / 8), 0),
    };
  });
};
