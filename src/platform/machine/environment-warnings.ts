/**
 * What to doubt in a result because of the machine it was taken on: a table of doubts, each with its threshold, and a
 * pure function over it. More threads than CPUs is no doubt: overload is what this benchmark is for.
 */
import type { HostFacts, Warning } from "../../model/result/run-result.js";
import { cpuIdsOf } from "../cpus/cpu-ids.js";
import { cpusOfLimit, parseCpuMax } from "../limits/cpu-limit.js";
import type { EnvironmentDuring } from "./environment.js";
import { isEmulated } from "./virtualization.js";

/** From which value on a doubt is worth a line. */
export const THRESHOLDS = {
  /** Steal comes in slices of milliseconds: at 1 % of the time, one wakeup in a hundred may meet one, and p99 is theirs. */
  stealPercent: 1,
  /** Below a tenth of a CPU, timers and daemons of an idle system show, and the 10 ms ticks of /proc/stat round. */
  othersCpus: 0.1,
  /** Ticks against exact run time: on many CPUs their error grows, so that others must also use 2 % of them all. */
  othersShareOfCpus: 0.02,
  /** One task more than this process itself runnable at the start, and … */
  othersRunnable: 1,
  /** … a load average that says it has been so for a while: of one second's activity 0.02 is left here. */
  loadAverage1: 0.3,
  /** A single stop by the CPU limit lasts milliseconds and is the p99.9 of a short run. */
  throttledUsec: 1,
  /** Two readings of two clocks differ by microseconds; a suspended machine sleeps for longer than this. */
  suspendedSec: 0.1,
} as const;

/** So many CPUs may others use, of all that are online, before it is worth a line. */
export const othersTolerated = (cpusOnline: number): number =>
  Math.max(THRESHOLDS.othersCpus, THRESHOLDS.othersShareOfCpus * cpusOnline);

/** What the doubts are about. */
export interface WarningFacts {
  readonly host: HostFacts;
  /** Tasks that were runnable right before the threads were started, this process included (`readRunnableTasks`). */
  readonly runnableAtStart: number | null;
  /** Null when the run ended before there was a second reading. */
  readonly during: EnvironmentDuring | null;
  /** Some benchmark thread had a schedstat with something in it. */
  readonly schedStatSeen: boolean;
  /** The engine asked the kernel for no huge pages in its memory, and it agreed. */
  readonly hugePagesDeclined: boolean;
}

type Doubt = (facts: WarningFacts) => Omit<Warning, "code"> | null;

const percent = (value: number): string => `${value.toFixed(1)} %`;
const listed = (ids: readonly number[]): string => `CPU${ids.length === 1 ? "" : "s"} ${ids.join(",")}`;
const cpus = (count: number): string => `${Number(count.toFixed(2))} CPU${count === 1 ? "" : "s"}`;

/** What a result lacks where /proc cannot be read; said before the run, too. */
export const NO_PROC = {
  message: "/proc cannot be read, so masks, run delays, load and limits are unknown",
  cure: "Mount it: mount -t proc proc /proc.",
} as const satisfies Omit<Warning, "code">;

const isProcMissing = ({ cpusAllowed }: Pick<HostFacts, "cpusAllowed">): boolean => cpusAllowed === "";

/** Every doubt by its stable code. */
const DOUBTS = {
  emulation: ({ host }) => {
    if (!isEmulated(host.virtualization)) return null;
    return {
      message: `this ran under ${host.virtualization}: its times say nothing about a scheduler or a CPU`,
      cure: "Measure on hardware, or in a virtual machine with real CPUs (QEMU with -accel kvm).",
    };
  },
  "steal-time": ({ during }) => {
    const steal = during?.environment.stealPercent ?? 0;
    if (steal < THRESHOLDS.stealPercent) return null;
    return {
      message: `the hypervisor gave ${percent(steal)} of the CPU time to others during the run`,
      cure: "Use a dedicated host or pinned virtual CPUs, or repeat the run and compare only interleaved rounds (schbench-ts ab).",
    };
  },
  "cpu-limit": ({ host, during }) => {
    const limit = parseCpuMax(host.cgroupCpuMax);
    const throttled = during?.throttledUsec ?? 0;
    if (limit === null) return null;
    if (throttled < THRESHOLDS.throttledUsec && cpusOfLimit(limit) >= cpuIdsOf(host.cpusAllowed).length) return null;
    const stopped =
      throttled >= THRESHOLDS.throttledUsec ? `; it stopped threads for ${(throttled / 1000).toFixed(1)} ms` : "";
    return {
      message: `a control group limits this process to ${cpus(cpusOfLimit(limit))} (${limit.quotaUsec / 1000} ms in ${limit.periodUsec / 1000} ms)${stopped}`,
      cure: "Run outside the group, or raise its limit (cpu.max, CPUQuota=, --cpus, resources.limits.cpu).",
    };
  },
  "other-load-at-start": ({ host, runnableAtStart }) => {
    const others = (runnableAtStart ?? 1) - 1;
    const load = host.loadAverage1 ?? 0;
    if (others < THRESHOLDS.othersRunnable || load < THRESHOLDS.loadAverage1) return null;
    return {
      message: `other tasks were running at the start: ${others}, load average ${load.toFixed(2)}`,
      cure: "Wait until the machine is idle, or stop what is running (see top).",
    };
  },
  "other-load": ({ host, during }) => {
    const others = during?.othersCpus ?? 0;
    if (others < othersTolerated(host.cpusOnline)) return null;
    return {
      message: `other processes used ${cpus(others)} of ${host.cpusOnline} during the run`,
      cure: "Stop what else is running (see top), or keep it off the benchmark's CPUs with cpusets or -M and -W.",
    };
  },
  suspended: ({ during }) => {
    const suspendedSec = during?.suspendedSec ?? 0;
    if (suspendedSec < THRESHOLDS.suspendedSec) return null;
    return {
      message:
        `the machine was suspended for ${suspendedSec.toFixed(1)} s during the run: the run's clock stood still meanwhile, ` +
        "but going to sleep and waking up are in the percentiles",
      cure: "Repeat the run, and keep the machine awake (systemd-inhibit runs a command without suspending).",
    };
  },
  "cpus-changed": ({ during }) => {
    const { cpusGone: gone, cpusCome: come } = during ?? { cpusGone: [], cpusCome: [] };
    const changes = [
      gone.length === 0 ? [] : `${listed(gone)} went offline`,
      come.length === 0 ? [] : `${listed(come)} came online`,
    ].flat();
    if (changes.length === 0) return null;
    return {
      message: `${changes.join(" and ")} during the run: the percentiles contain the time before and after`,
      cure: "Repeat the run with the same CPUs throughout (/sys/devices/system/cpu/online).",
    };
  },
  "cpu-governor": ({ host }) => {
    if (host.governor === null || host.governor === "performance") return null;
    return {
      message: `the CPU frequency governor is "${host.governor}", so the clock rate follows the load`,
      cure: "Set it for all CPUs, as root: echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor.",
    };
  },
  "sched-ext-changed": ({ during }) => {
    if (during === null || !during.schedExtChanged) return null;
    const { schedExtBefore: before, schedExtAfter: after } = during.environment;
    return {
      message:
        before === after
          ? `the sched_ext scheduler "${before}" was reloaded during the run`
          : `the sched_ext scheduler changed during the run, from "${before}" to "${after}"`,
      cure: "Repeat the run; the kernel log (dmesg) says why a scheduler was ejected.",
    };
  },
  "huge-pages": ({ host, hugePagesDeclined }) => {
    if (host.transparentHugepage !== "always" || hugePagesDeclined) return null;
    return {
      message:
        'transparent huge pages are set to "always": the matrices may lie on the huge zero page, which does not fit ' +
        "the caches as the small one does, and request latencies are higher than upstream's",
      cure: "Set them to madvise: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled.",
    };
  },
  "no-proc": ({ host }) => (isProcMissing(host) ? NO_PROC : null),
  "no-schedstat": ({ host, schedStatSeen }) => {
    if (schedStatSeen || isProcMissing(host)) return null;
    return {
      message: "this kernel does not count run delay per thread (no schedstat), so sched delay is unknown",
      cure: "Run sysctl kernel.task_delayacct=1 as root (Linux 5.14 or newer), boot with delayacct, or use a kernel with CONFIG_SCHEDSTATS.",
    };
  },
} as const satisfies Readonly<Record<string, Doubt>>;

/** Pure: the doubts that hold, in the order of the table. */
export const environmentWarnings = (facts: WarningFacts): readonly Warning[] =>
  Object.entries<Doubt>(DOUBTS).flatMap(([code, doubt]) => {
    const found = doubt(facts);
    return found === null ? [] : [{ code, ...found }];
  });
