/**
 * Which scheduling attributes the kernel will grant to threads of this process: capability, limits, what this kernel was
 * built with, room for deadlines. What cannot be known before, the kernel says when a thread asks (sched-refused.ts).
 * The conditions are those of sched(7), sched_setattr(2) and Documentation/scheduler/sched-deadline.rst.
 */
import type { SchedAttributes } from "../../model/plan/sched-attributes.js";
import { cpuIdsOf, readAllowedCpus } from "../cpus/cpu-ids.js";
import { readCpuset } from "../limits/cpu-reach.js";
import { type Files, fieldOf, readNumber, readValue } from "../files.js";
import { readSchedExt } from "./sched-ext.js";

/** Threads that ask for the same: the shape that options/sched-needs has. */
interface Need {
  readonly threads: number;
  readonly sched: SchedAttributes;
  readonly cpus: readonly number[] | null;
}

/** Words that end a sentence, and how to mend it. */
interface Reason {
  readonly reason: string;
  readonly remedy: string;
}

const CAP_SYS_NICE = 1n << 23n;
const KERNEL = "/proc/sys/kernel";

const hasCapability = (files: Files): boolean => {
  const capabilities = fieldOf(files.readText("/proc/self/status") ?? "", "CapEff");
  // Where it cannot be read, the kernel has the word.
  return capabilities === null || (BigInt(`0x${capabilities}`) & CAP_SYS_NICE) !== 0n;
};

/** The soft limit of a line of /proc/self/limits; null: none, or not known. */
const softLimit = (files: Files, line: string): number | null => {
  const value = new RegExp(`^${line}\\s+(\\d+)`, "mu").exec(files.readText("/proc/self/limits") ?? "")?.[1];
  return value === undefined ? null : Number(value);
};

/** Of the calling process: nice, and priority in real time, fields 19 and 40 of its stat file. */
const ownPriorities = (files: Files): { readonly nice: number; readonly realTime: number } => {
  const stat = files.readText("/proc/self/stat", 1024) ?? "";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { nice: Number(fields.at(16) ?? 0), realTime: Number(fields.at(37) ?? 0) };
};

const AS_ROOT = "Run it as root, or give the program the capability";

const withoutRight = (files: Files, { sched }: Need): Reason | null => {
  if ("runtimeUsec" in sched)
    return hasCapability(files)
      ? null
      : {
          reason: "deadlines need the capability CAP_SYS_NICE",
          remedy: `${AS_ROOT} (setcap cap_sys_nice+ep, AmbientCapabilities= of systemd).`,
        };
  if ("priority" in sched) {
    const limit = softLimit(files, "Max realtime priority");
    if (limit === null || sched.priority <= Math.max(limit, ownPriorities(files).realTime) || hasCapability(files))
      return null;
    return {
      reason: `priority ${sched.priority} needs the capability CAP_SYS_NICE, or RLIMIT_RTPRIO of ${sched.priority}; it is ${limit}`,
      remedy: `${AS_ROOT}, or raise the limit (ulimit -r, rtprio in /etc/security/limits.conf, LimitRTPRIO= of systemd).`,
    };
  }
  if (!("nice" in sched) || sched.nice === undefined) return null;
  const limit = softLimit(files, "Max nice priority");
  const least = 20 - (limit ?? 40);
  if (sched.nice >= Math.min(least, ownPriorities(files).nice) || hasCapability(files)) return null;
  return {
    reason: `nice ${sched.nice} needs the capability CAP_SYS_NICE, or RLIMIT_NICE of ${20 - sched.nice}; it is ${limit}`,
    remedy: `${AS_ROOT}, or raise the limit (ulimit -e, nice in /etc/security/limits.conf, LimitNICE= of systemd).`,
  };
};

const notInKernel = (files: Files, { sched }: Need): Reason | null => {
  if (sched.policy === "ext" && !readSchedExt(files).supported && files.exists("/sys/kernel"))
    return {
      reason: "this kernel has no sched_ext",
      remedy: "Use Linux 6.12 or newer, built with CONFIG_SCHED_CLASS_EXT.",
    };
  if (
    "uclamp" in sched &&
    sched.uclamp !== undefined &&
    !files.exists(`${KERNEL}/sched_util_clamp_max`) &&
    files.exists(KERNEL)
  )
    return { reason: "this kernel has no uclamp", remedy: "Use Linux 5.3 or newer, built with CONFIG_UCLAMP_TASK." };
  return null;
};

const onlineCpus = (files: Files): readonly number[] => cpuIdsOf(readValue(files, "/sys/devices/system/cpu/online"));

/** Deadlines are admitted for a whole set of CPUs at a time, which the threads must all be allowed to use. */
const pinnedDeadline = (files: Files, { sched, cpus }: Need): Reason | null => {
  if (!("runtimeUsec" in sched)) return null;
  const mask = cpus ?? readAllowedCpus(files);
  const cpuset = readCpuset(files);
  const needed = cpuset === null ? onlineCpus(files) : cpuIdsOf(cpuset.cpus);
  if (needed.every((cpu) => mask.includes(cpu))) return null;
  return {
    reason: "the kernel takes no deadline of a thread that is pinned to some of the CPUs",
    remedy:
      "Leave out -M, -W and taskset, or run it in a cpuset partition that has these CPUs alone (cpuset.cpus.partition).",
  };
};

const badPeriod = (files: Files, { sched }: Need): Reason | null => {
  if (!("runtimeUsec" in sched)) return null;
  const [least, most] = ["min", "max"].map((end) => readNumber(files, `${KERNEL}/sched_deadline_period_${end}_us`));
  const { periodUsec } = sched;
  if (typeof least === "number" && periodUsec < least)
    return {
      reason: `a period of ${periodUsec} us is below the least, ${least} us`,
      remedy: `Use a longer one, or as root: sysctl kernel.sched_deadline_period_min_us=${periodUsec}.`,
    };
  if (typeof most === "number" && periodUsec > most)
    return {
      reason: `a period of ${periodUsec} us is above the most, ${most} us`,
      remedy: `Use a shorter one, or as root: sysctl kernel.sched_deadline_period_max_us=${periodUsec}.`,
    };
  return null;
};

/** The share of its CPUs' time that the kernel gives away as deadlines; null: it does not look, or it is not known. */
const deadlineShare = (files: Files): number | null => {
  const [runtime, period] = ["runtime", "period"].map((what) => readNumber(files, `${KERNEL}/sched_rt_${what}_us`));
  return typeof runtime !== "number" || typeof period !== "number" || runtime < 0 ? null : runtime / period;
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** All deadlines of a run together. */
const tooMuch = <N extends Need>(files: Files, needs: readonly N[]): (Reason & { readonly need: N }) | null => {
  const shares = needs.flatMap((need) =>
    "runtimeUsec" in need.sched
      ? [{ need, share: (need.threads * need.sched.runtimeUsec) / need.sched.periodUsec }]
      : [],
  );
  const [first] = shares;
  const perCpu = deadlineShare(files);
  const cpus = onlineCpus(files).length;
  if (first === undefined || perCpu === null || cpus === 0) return null;
  const asked = shares.reduce((sum, { share }) => sum + share, 0);
  if (asked <= perCpu * cpus) return null;
  return {
    need: first.need,
    reason: `admission control lets deadlines have ${percent(perCpu * cpus)} of a CPU on these ${cpus}, and all threads together ask for ${percent(asked)}`,
    remedy: "Use fewer threads, a shorter runtime or a longer period.",
  };
};

const RULES = [notInKernel, withoutRight, pinnedDeadline, badPeriod] as const;

/** What is granted here; the files are read when something is asked for. */
export const readSchedHere = (files: Files) => ({
  isRealTimeUnlimited: (): boolean => readNumber(files, `${KERNEL}/sched_rt_runtime_us`) === -1,
  schedRefusalOf: <N extends Need>(needs: readonly N[]): (Reason & { readonly need: N }) | null => {
    for (const need of needs)
      for (const rule of RULES) {
        const reason = rule(files, need);
        if (reason !== null) return { ...reason, need };
      }
    return tooMuch(files, needs);
  },
});
