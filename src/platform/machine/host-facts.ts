/**
 * The machine as it is before a run: what a result must carry so that another one can be compared with it. Reads about
 * twenty small files in under a millisecond; it is on the way to the first request.
 */
import type { HostFacts } from "../../model/result/run-result.js";
import { cpuIdsOf } from "../cpus/cpu-ids.js";
import { readContainer } from "./container.js";
import { readCpuInfo } from "../cpus/cpu-info.js";
import { tightestCpuLimit } from "../limits/cpu-limit.js";
import { type Files, fieldOf, readValue } from "../files.js";
import { readGovernors, spreadOver } from "../cpus/governor.js";
import { readMemoryTotalKib } from "../limits/memory.js";
import { readLoadAverage1 } from "./proc-stat.js";
import { readSchedExt } from "../scheduler/sched-ext.js";
import { readVirtualization } from "./virtualization.js";

/** Governors are read for so many CPUs only: on a machine with 1,000 of them each costs its own open and read. */
const GOVERNORS_READ = 16;

/** Pure: the chosen word of a kernel selector such as `always [madvise] never`. */
export const chosenOf = (text: string | null): string | null => /\[(\w+)\]/u.exec(text ?? "")?.[1] ?? null;

/**
 * What the machine is, as a result carries it. What cannot be read is null.
 *
 * @param versions of Node and V8
 * @param arch what this program was compiled for, as Node says it
 */
export const readHostFacts = (
  files: Files,
  versions: { readonly node: string; readonly v8: string } = process.versions,
  arch: string = process.arch,
): HostFacts => {
  const cpu = readCpuInfo(files);
  const cpusAllowed = fieldOf(files.readText("/proc/self/status", 8192) ?? "", "Cpus_allowed_list") ?? "";
  const allowed = cpuIdsOf(cpusAllowed);
  const online = cpuIdsOf(readValue(files, "/sys/devices/system/cpu/online"));
  const limit = tightestCpuLimit(files);
  return {
    hostname: readValue(files, "/proc/sys/kernel/hostname") ?? "",
    kernel: readValue(files, "/proc/sys/kernel/osrelease") ?? "",
    schedExt: readSchedExt(files).name,
    cpuModel: cpu.model,
    cpuSignature: cpu.signature,
    cpusOnline: online.length > 0 ? online.length : allowed.length,
    cpusAllowed,
    governor: readGovernors(files, spreadOver(allowed, GOVERNORS_READ)),
    smt: readValue(files, "/sys/devices/system/cpu/smt/control"),
    transparentHugepage: chosenOf(readValue(files, "/sys/kernel/mm/transparent_hugepage/enabled")),
    virtualization: readVirtualization(files, cpu, arch),
    container: readContainer(files),
    cgroupCpuMax: limit === null ? null : `${limit.quotaUsec} ${limit.periodUsec}`,
    loadAverage1: readLoadAverage1(files),
    memoryTotalKib: readMemoryTotalKib(files),
    node: versions.node,
    v8: versions.v8,
  };
};
