/** Everything a run needs before its first thread: module, layout, memory with the plan in it, and a host. */
import { EngineError } from "../errors.js";
import type { RunPlan } from "../model/plan/run-plan.js";
import { loadThreads } from "../options/values/load-language.js";
import { cpuIdsOf } from "../platform/cpus/cpu-ids.js";
import { type Files, readValue } from "../platform/files.js";
import { declineHugePages } from "../platform/libc.js";
import { availableMemoryBytes } from "../platform/limits/memory.js";
import { ownSchedBytes } from "../platform/scheduler/sched-attr.js";
import { readCpuTimes } from "../platform/machine/proc-stat.js";
import { refuseBeyondLimits, threadLimits } from "../platform/limits/thread-limits.js";
import { hasWebAssembly, WEBASSEMBLY_REMEDY } from "../platform/web-assembly.js";
import type { Warning } from "../model/result/run-result.js";
import { BYTES_PER_MIB } from "../units.js";
import { type Birth, type GroupOf, NO_GROUP, prepareBirth } from "./birth.js";
import { prepareLoads } from "./load/load-threads.js";
import { idleImports, layoutOf, readEngineModule } from "./memory/engine-module.js";
import type { EngineHost } from "./host/host.js";
import { openHost } from "./host/open-host.js";
import {
  createSharedMemory,
  memoryNeedBytes,
  type Places,
  placesOf,
  type SharedMemory,
} from "./memory/shared-memory.js";
import { writePlan } from "./memory/write-plan.js";

/** A set stage. */
export interface Stage {
  readonly plan: RunPlan;
  readonly memory: SharedMemory;
  readonly places: Places;
  readonly host: EngineHost;
  readonly birth: Birth;
  readonly warnings: readonly Warning[];
  readonly hugePagesDeclined: boolean;
}

/** One more than the highest CPU id that a thread can ever find itself on. */
const possibleCpus = (files: Files): number =>
  Math.max(0, ...cpuIdsOf(readValue(files, "/sys/devices/system/cpu/possible"))) + 1;

const mib = (bytes: number): string => `${Math.ceil(bytes / BYTES_PER_MIB)} MiB`;

const refuseIfTooBig = (available: number | null, needBytes: number): void => {
  if (available !== null && needBytes > available)
    throw new EngineError(
      `cannot run: footprint, threads and transfer size need ${mib(needBytes)}, and ${mib(available)} are available`,
      "Use fewer threads (-m, -t) or a smaller footprint (-F).",
    );
};

/** What this system cannot do is said before anything is laid out, and not when it fails. */
const refuseImpossible = (files: Files, plan: RunPlan): void => {
  if (!hasWebAssembly()) throw new EngineError("cannot run: this Node has no WebAssembly", WEBASSEMBLY_REMEDY);
  if (plan.mode === "rate" && plan.autoBusyPercent !== null && readCpuTimes(files) === null)
    throw new EngineError(
      `cannot steer by -A "${plan.autoBusyPercent}": "/proc/stat", which says how busy the CPUs are, cannot be read`,
      "Mount it (mount -t proc proc /proc), or give a rate with -R.",
    );
  const loadsThreads = (plan.loads ?? []).reduce((sum, load) => sum + loadThreads(load), 0);
  refuseBeyondLimits(plan.messageThreads * (plan.workerThreads + 1) + loadsThreads, () => threadLimits(files));
};

const readLayout = (bytes: Uint8Array) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });
  return layoutOf(new WebAssembly.Instance(new WebAssembly.Module(bytes), idleImports(memory)).exports);
};

/**
 * Sets the stage for a plan.
 *
 * @param manyWindows statistics windows will be closed during the run
 * @param groupOf where the threads of each role go
 * @throws EngineError when the run does not fit into memory or the limits of this system, or the engine asked for cannot be used
 */
export const setStage = async (
  files: Files,
  plan: RunPlan,
  manyWindows: boolean,
  groupOf: GroupOf = NO_GROUP,
): Promise<Stage> => {
  refuseImpossible(files, plan);
  const { loads = [] } = plan;
  if (loads.some(({ kind }) => kind === "command"))
    await (await import("./load/load-commands.js")).checkCommands(loads);
  const module = readEngineModule();
  const layout = readLayout(module);
  const places = placesOf(layout, { plan, possibleCpus: possibleCpus(files), manyWindows });
  const available = availableMemoryBytes(files);
  refuseIfTooBig(available, memoryNeedBytes(places, 0));
  const memory = createSharedMemory(layout, places.bytes);
  const hugePagesDeclined = declineHugePages(memory.address, memory.bytes);
  const { host, warnings } = await openHost(plan.engine, module, memory);
  refuseIfTooBig(available, memoryNeedBytes(places, host.threadBytes));
  writePlan(memory, plan, places);
  prepareLoads(memory, plan, places, groupOf("load"));
  const { threadsCreateThreads } = host;
  const birth = prepareBirth(memory, plan, places, { threadsCreateThreads, creator: ownSchedBytes(), groupOf });
  return { plan, memory, places, host, birth, warnings, hugePagesDeclined };
};
