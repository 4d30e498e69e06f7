/** Checks of the kernel: how it was built, which scheduler is in charge, what it keeps count of. */
import { type Checks, bad, note, ok } from "./finding.js";

/** Options of debug kernels that make locks, memory accesses or allocations several times slower. */
const SLOW_OPTIONS = [
  "KASAN",
  "KCSAN",
  "KMSAN",
  "KCOV",
  "GCOV_KERNEL",
  "PROVE_LOCKING",
  "DEBUG_LOCK_ALLOC",
  "DEBUG_OBJECTS",
  "SLUB_DEBUG_ON",
  "DEBUG_PAGEALLOC_ENABLE_DEFAULT",
];

/** What Linux gives every process that does not ask for something else. */
const DEFAULT_TIMER_SLACK_NSEC = 50_000;

/** The running kernel. */
export const KERNEL_CHECKS = {
  "debug-kernel": {
    title: "kernel options",
    judge: ({ host, kernelConfig, preemption }) => {
      if (kernelConfig === null) {
        return note(
          "not known",
          "a debug kernel would go unnoticed",
          `Make /boot/config-${host.kernel} readable here: it comes with the kernel's package.`,
        );
      }
      const slow = SLOW_OPTIONS.filter((option) => kernelConfig.get(option) === "y");
      const hz = Number(kernelConfig.get("HZ") ?? 0);
      if (slow.length > 0) {
        return bad(
          slow.join(", "),
          "locks and memory accesses are several times slower than in a production kernel",
          "Boot a kernel without these options.",
        );
      }
      const what = `HZ ${hz === 0 ? "unknown" : hz}, preemption ${preemption ?? "unknown"}, no slow debug option`;
      if (hz === 0 || hz > 100) return ok(what);
      return note(
        what,
        "a running thread is preempted only at ticks, 10 ms apart",
        "Compare only kernels with the same HZ.",
      );
    },
  },
  "sched-ext": {
    title: "sched_ext",
    judge: ({ schedExt }) => {
      if (!schedExt.supported) return ok("not in this kernel: its own scheduler is in charge");
      if (schedExt.name === "disabled") return ok("supported, no scheduler loaded: the kernel's own is in charge");
      if (schedExt.switchAll !== false) return ok(`${schedExt.name} is in charge`);
      return note(
        `${schedExt.name} is loaded for tasks that ask for it`,
        "benchmark threads do not ask: the kernel's own scheduler is measured",
        "To measure it, start it without its partial mode.",
      );
    },
  },
  "run-delay": {
    title: "run delay",
    judge: ({ schedStat }) => {
      if (schedStat) return ok("counted per thread (schedstat)");
      return note(
        "not counted per thread",
        "the sched delay line is missing",
        "Run sysctl kernel.task_delayacct=1 as root (Linux 5.14 or newer), boot with delayacct, or use a kernel with CONFIG_SCHEDSTATS.",
      );
    },
  },
  pressure: {
    title: "pressure (PSI)",
    judge: ({ pressure }) => {
      if (pressure) return ok("recorded");
      return note(
        "not recorded",
        "the results lack the share of time in which tasks waited for a CPU",
        "Boot with psi=1.",
      );
    },
  },
  "timer-slack": {
    title: "timer slack",
    judge: ({ timerSlackNsec }) => {
      if (timerSlackNsec === null) return null;
      const what = `${timerSlackNsec / 1000} µs`;
      if (timerSlackNsec === DEFAULT_TIMER_SLACK_NSEC) return ok(`${what}, the default`);
      return note(
        what,
        "think times (-s) end up to this much late, elsewhere up to 50 µs",
        "Start from a shell that has the default (systemd: TimerSlackNSec=).",
      );
    },
  },
  "huge-pages": {
    title: "huge pages",
    judge: ({ host }) => {
      const mode = host.transparentHugepage;
      if (mode === null) return null;
      if (mode !== "always") return ok(mode);
      return note(
        "always",
        "our engine opts out of them, but other schbench builds may put large matrices (-F) on 2 MiB pages",
        "Set them to madvise to compare with other builds: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled.",
      );
    },
  },
  tracing: {
    title: "tracing (--explain)",
    judge: ({ tracing }) => {
      if (tracing.ready) return ok("ready");
      return note(tracing.missing, "slow wakeups cannot be explained", tracing.remedy);
    },
  },
} as const satisfies Checks;
