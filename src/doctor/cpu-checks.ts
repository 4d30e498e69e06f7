/** Checks of the hardware's own freedom: clock rates, sibling threads, idle states, clocks, memory nodes. */
import { type Checks, bad, note, ok } from "./finding.js";

/** Clock sources that cannot be read without a system call, at a microsecond or so each. */
const SLOW_CLOCKS = ["hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"];

/** A state that takes longer to leave than this shows in wakeup latencies that are a few microseconds otherwise. */
const DEEP_IDLE_USEC = 20;

/** What the processor does by itself. */
export const CPU_CHECKS = {
  governor: {
    title: "frequency governor",
    judge: ({ host, governors }) => {
      if (governors === null) {
        return host.virtualization === null
          ? note("none: the firmware controls the frequencies", "the clock rate may follow the load, unseen", null)
          : ok("none, as usual in a virtual machine");
      }
      if (governors === "performance") return ok(governors);
      return bad(
        governors,
        "the clock rate follows the load, so latencies depend on what ran before",
        "Set it for all CPUs, as root: echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor.",
      );
    },
  },
  turbo: {
    title: "turbo",
    judge: ({ turbo }) => {
      if (turbo === null) return null;
      if (turbo === "off") return ok("off");
      return note(
        "on",
        "the clock rate depends on how many CPUs are busy and on heat: run times drift by several percent",
        "Turn it off to compare small differences: echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 > /sys/devices/system/cpu/cpufreq/boost.",
      );
    },
  },
  smt: {
    title: "SMT",
    judge: ({ host, smtActive }) => {
      if (smtActive === null) return null;
      if (!smtActive) return ok(host.smt === "notsupported" ? "not there" : "off");
      return note(
        "on",
        "two CPUs share a core: a request takes up to twice as long while its sibling is busy, so placement matters more",
        "Keep it on if placement is what you measure; otherwise echo off > /sys/devices/system/cpu/smt/control.",
      );
    },
  },
  "idle-states": {
    title: "idle states",
    judge: ({ idleStates }) => {
      const deepest = idleStates.toSorted((a, b) => b.latencyUsec - a.latencyUsec)[0];
      if (deepest === undefined) return null;
      const what = `deepest is ${deepest.name}, ${deepest.latencyUsec} µs to leave`;
      if (deepest.latencyUsec < DEEP_IDLE_USEC) return ok(what);
      return note(
        what,
        `waking an idle CPU takes up to ${deepest.latencyUsec} µs longer, whatever the scheduler does`,
        `Disable deep states while measuring: cpupower idle-set -D ${DEEP_IDLE_USEC} (package linux-cpupower on Debian, kernel-tools on Fedora).`,
      );
    },
  },
  "clock-source": {
    title: "clock",
    judge: ({ clockSource }) => {
      if (clockSource === null) return null;
      if (!SLOW_CLOCKS.includes(clockSource)) return ok(clockSource);
      return bad(
        clockSource,
        "each clock reading is a system call of a microsecond or more, and is part of every latency",
        "Find out why the kernel dropped the fast clock (dmesg, tsc), and set /sys/devices/system/clocksource/clocksource0/current_clocksource.",
      );
    },
  },
  numa: {
    title: "NUMA",
    judge: ({ numaNodes, numaBalancing }) => {
      if (numaNodes === null) return null;
      if (numaNodes === 1) return ok("one node");
      if (numaBalancing !== true) return ok(`${numaNodes} nodes, automatic balancing off`);
      return note(
        `${numaNodes} nodes, automatic balancing on`,
        "the kernel provokes page faults to learn who uses which memory: some requests take longer",
        "Turn it off while measuring, unless it is what you measure: sysctl kernel.numa_balancing=0.",
      );
    },
  },
  mitigations: {
    title: "mitigations",
    judge: ({ mitigations }) => {
      if (mitigations === null) return null;
      if (mitigations.length === 0) return ok("none active");
      return note(
        mitigations.join(", "),
        "system calls and context switches take longer, and every futex wake needs both",
        "Compare only results with the same mitigations (kernel option mitigations=, and the same microcode).",
      );
    },
  },
} as const satisfies Checks;
