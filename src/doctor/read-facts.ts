/** The doctor's thin shell: reads what the checks look at. Takes its time; it is not on the way to a run. */
import { cpuIdsOf } from "../platform/cpus/cpu-ids.js";
import { tightestCpuLimit } from "../platform/limits/cpu-limit.js";
import { type EnvironmentReading, environmentBetween, readEnvironment } from "../platform/machine/environment.js";
import { type Files, fieldOf, readNumber, readValue } from "../platform/files.js";
import { readGovernors } from "../platform/cpus/governor.js";
import { readHostFacts } from "../platform/machine/host-facts.js";
import { type KernelConfig, readKernelConfig } from "../platform/machine/kernel-config.js";
import { availableMemoryBytes } from "../platform/limits/memory.js";
import { parseSchedStat } from "../platform/threads/proc-thread.js";
import { busiestBetween, readProcessTimes } from "../platform/threads/process-times.js";
import { readSchedExt } from "../platform/scheduler/sched-ext.js";
import { threadLimits } from "../platform/limits/thread-limits.js";
import type { DoctorFacts, IdleState, NativeEngine, TracingReadiness } from "./facts.js";

/** What the doctor is handed besides files. */
export interface Surroundings {
  readonly files: Files;
  /** Waits for that long; the machine is watched meanwhile. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Monotonic clock, seconds. */
  readonly nowSec: () => number;
  /** CPU time of this process so far, seconds. */
  readonly ownCpuSec: () => number;
  readonly versions: { readonly node: string; readonly v8: string };
  /** What this program was compiled for, as Node says it. */
  readonly arch: string;
  /** This process, which is not counted among the others. */
  readonly pid: number;
  /** The search path for programs, `PATH`. */
  readonly searchPath: string;
  /** As in DoctorFacts. */
  readonly webAssembly: boolean;
  readonly nativeEngine: () => NativeEngine;
  readonly tracing: () => TracingReadiness;
}

const WATCHED_MSEC = 1000;
const CPU = "/sys/devices/system/cpu";

const turboOf = (files: Files): "on" | "off" | null => {
  const noTurbo = readNumber(files, `${CPU}/intel_pstate/no_turbo`);
  if (noTurbo !== null) return noTurbo === 0 ? "on" : "off";
  const boost = readNumber(files, `${CPU}/cpufreq/boost`) ?? readNumber(files, `${CPU}/cpu0/cpufreq/boost`);
  return boost === null ? null : boost === 0 ? "off" : "on";
};

const idleStatesOf = (files: Files, cpuId: number): readonly IdleState[] => {
  const folder = `${CPU}/cpu${cpuId}/cpuidle`;
  return files.list(folder).flatMap((state) => {
    const name = readValue(files, `${folder}/${state}/name`);
    const latencyUsec = readNumber(files, `${folder}/${state}/latency`);
    const isDisabled = readNumber(files, `${folder}/${state}/disable`) === 1;
    return name === null || latencyUsec === null || isDisabled ? [] : [{ name, latencyUsec }];
  });
};

const mitigationsOf = (files: Files): readonly string[] | null => {
  const names = files.list(`${CPU}/vulnerabilities`);
  if (names.length === 0) return null;
  return names
    .filter((name) => readValue(files, `${CPU}/vulnerabilities/${name}`)?.includes("Mitigation") ?? false)
    .toSorted();
};

/** From the kernel while it runs, where debugfs shows it, or else as it was built. */
const preemptionOf = (files: Files, config: KernelConfig | null): string | null => {
  const running = /\((\w+)\)/u.exec(readValue(files, "/sys/kernel/debug/sched/preempt") ?? "")?.[1];
  if (running !== undefined) return running;
  const built = (["RT", "LAZY", "VOLUNTARY", "NONE"] as const).find((mode) => config?.get(`PREEMPT_${mode}`) === "y");
  const model = built?.toLowerCase() ?? (config?.get("PREEMPT") === "y" ? "full" : null);
  return model !== null && config?.get("PREEMPT_DYNAMIC") === "y" ? `${model} (dynamic)` : model;
};

const compilerOf = (files: Files, searchPath: string): string | null => {
  const folders = searchPath.split(":").filter((folder) => folder !== "");
  return ["gcc", "clang", "cc"].find((name) => folders.some((folder) => files.exists(`${folder}/${name}`))) ?? null;
};

/** Reads all facts, and watches the machine for a second to see who else is on it. */
export const readDoctorFacts = async (around: Surroundings): Promise<DoctorFacts> => {
  const { files } = around;
  const cpuLimit = tightestCpuLimit(files);
  const read = (): EnvironmentReading => {
    const clocks = { nowSec: around.nowSec(), ownCpuSec: around.ownCpuSec(), suspendedSec: 0 };
    return readEnvironment(files, clocks, cpuLimit);
  };
  const timesBefore = readProcessTimes(files);
  const before = read();
  await around.sleep(WATCHED_MSEC);
  const after = read();
  const timesAfter = readProcessTimes(files);

  const host = readHostFacts(files, around.versions, around.arch);
  const allowed = cpuIdsOf(host.cpusAllowed);
  const kernelConfig = readKernelConfig(files);
  const smtActive = readNumber(files, `${CPU}/smt/active`);
  const numaBalancing = readNumber(files, "/proc/sys/kernel/numa_balancing");
  const nodes = cpuIdsOf(readValue(files, "/sys/devices/system/node/online"));
  return {
    host,
    second: environmentBetween(before, after, host.cpusOnline),
    busiest: busiestBetween(timesBefore, timesAfter, around.pid),
    cpuLimit,
    governors: readGovernors(files, allowed),
    turbo: turboOf(files),
    smtActive: smtActive === null ? null : smtActive !== 0,
    idleStates: idleStatesOf(files, allowed.at(0) ?? 0),
    clockSource: readValue(files, "/sys/devices/system/clocksource/clocksource0/current_clocksource"),
    numaNodes: nodes.length === 0 ? null : nodes.length,
    numaBalancing: numaBalancing === null ? null : numaBalancing !== 0,
    mitigations: mitigationsOf(files),
    isolatedCpus: cpuIdsOf(readValue(files, `${CPU}/isolated`)),
    schedExt: readSchedExt(files),
    kernelConfig,
    preemption: preemptionOf(files, kernelConfig),
    schedStat: parseSchedStat(files.readText("/proc/self/schedstat", 256)) !== null,
    pressure: fieldOf(files.readText("/proc/pressure/cpu", 512) ?? "", "some") !== null,
    timerSlackNsec: readNumber(files, "/proc/self/timerslack_ns"),
    tracing: around.tracing(),
    nearestThreadLimit: threadLimits(files)[0] ?? null,
    availableMemoryBytes: availableMemoryBytes(files),
    webAssembly: around.webAssembly,
    nativeEngine: around.nativeEngine(),
    compiler: compilerOf(files, around.searchPath),
  };
};
