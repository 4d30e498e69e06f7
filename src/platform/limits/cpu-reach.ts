/**
 * Which CPUs a thread of this process can be put on. The mask that a process inherits (taskset, a shell on a machine with
 * isolcpus= or nohz_full=) is a hint: the kernel lets a thread ask for every CPU that is online and in the cpuset of its control
 * group, and isolated CPUs are reached in no other way. Upstream counterpart: none, it calls and ignores the answer.
 */
import { cgroupFolders } from "./cgroup.js";
import { cpuIdsOf, readAllowedCpus } from "../cpus/cpu-ids.js";
import { type Files, readValue } from "../files.js";

/** Why no thread can be put on a CPU, in words that end a sentence, and how to mend it. */
export interface CpuRefusal {
  readonly reason: string;
  readonly remedy: string;
}

/** What a plan depends on besides the options: the shape that options/run-options takes. */
export interface CpusHere {
  /** The mask of this thread: what `auto` and the default number of workers count. */
  readonly allowedCpus: readonly number[];
  /** null: it can, or nothing is known that speaks against it, and the kernel says so when the thread asks. */
  readonly refusalOf: (cpu: number) => CpuRefusal | null;
}

const CPU = "/sys/devices/system/cpu";

/** The CPUs of the cpuset that this process is in: the nearest group that has one. */
export const readCpuset = (files: Files): { readonly cpus: string; readonly folder: string } | null => {
  const groups = cgroupFolders(files, "cpuset");
  const name = groups?.version === 1 ? "cpuset.effective_cpus" : "cpuset.cpus.effective";
  for (const folder of groups?.folders ?? []) {
    const cpus = readValue(files, `${folder}/${name}`);
    if (cpus !== null) return { cpus, folder };
  }
  return null;
};

const refusalsOn = (files: Files): CpusHere["refusalOf"] => {
  const online = readValue(files, `${CPU}/online`);
  const present = readValue(files, `${CPU}/present`);
  const cpuset = readCpuset(files);
  const onlineCpus = new Set(cpuIdsOf(online));
  const presentCpus = new Set(cpuIdsOf(present));
  const cpusetCpus = new Set(cpuIdsOf(cpuset?.cpus ?? null));
  return (cpu) => {
    if (online !== null && !onlineCpus.has(cpu))
      return presentCpus.has(cpu)
        ? { reason: `CPU ${cpu} is offline`, remedy: `Bring it online, as root: echo 1 > ${CPU}/cpu${cpu}/online.` }
        : { reason: `there is no CPU ${cpu}, this machine has ${present ?? online}`, remedy: "Name CPUs that exist." };
    if (cpuset !== null && !cpusetCpus.has(cpu))
      return {
        reason: `CPU ${cpu} is not in the cpuset of the control group ${cpuset.folder}, which has ${cpuset.cpus}`,
        remedy:
          "Name CPUs of the cpuset, or widen it (cpuset.cpus, --cpuset-cpus of a container, AllowedCPUs= of systemd).",
      };
    return null;
  };
};

/** The CPUs of this machine for a plan; the files are read when a CPU is named. */
export const readCpusHere = (files: Files): CpusHere => {
  let refusals: CpusHere["refusalOf"] | null = null;
  return {
    allowedCpus: readAllowedCpus(files),
    refusalOf: (cpu) => {
      refusals ??= refusalsOn(files);
      return refusals(cpu);
    },
  };
};
