/** Checks for others who take CPU time away: the hypervisor, control groups, other processes. */
import { cpuIdsOf } from "../platform/cpus/cpu-ids.js";
import { cpusOfLimit } from "../platform/limits/cpu-limit.js";
import { othersTolerated, THRESHOLDS } from "../platform/machine/environment-warnings.js";
import { isEmulated } from "../platform/machine/virtualization.js";
import { type Checks, bad, note, ok } from "./finding.js";

const round = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

/** So many of the busiest processes are named. */
const NAMED_PROCESSES = 3;

/** Who else uses the CPUs. */
export const NOISE_CHECKS = {
  "steal-time": {
    title: "steal time",
    judge: ({ host, second }) => {
      const steal = second?.environment.stealPercent ?? null;
      if (steal === null) return null;
      if (host.virtualization === null && steal === 0) return null;
      const what = `${round(steal, 1)} % of the CPU time went to other guests while this was measured`;
      if (steal < THRESHOLDS.stealPercent) return ok(what);
      return bad(
        what,
        "CPU time goes missing in slices of milliseconds: tail latencies show the hypervisor, not the scheduler",
        "Use a dedicated host or pinned virtual CPUs; if there is no other machine, compare only interleaved rounds (schbench-ts ab).",
      );
    },
  },
  "other-load": {
    title: "other load",
    judge: ({ host, second, busiest }) => {
      const others = second?.othersCpus ?? null;
      if (others === null) return null;
      const what = `other processes use ${round(others, 2)} of ${host.cpusOnline} CPUs`;
      if (others < othersTolerated(host.cpusOnline)) return ok(what);
      const names = busiest.slice(0, NAMED_PROCESSES).map(({ name, pid }) => `${name} (${pid})`);
      return bad(
        names.length === 0 ? what : `${what}: ${names.join(", ")}`,
        "benchmark threads wait behind tasks that are not part of the benchmark",
        "Stop it, or keep it off the benchmark's CPUs with cpusets or -M and -W.",
      );
    },
  },
  "cpu-limit": {
    title: "CPU limit",
    judge: ({ host, cpuLimit }) => {
      if (cpuLimit === null) return ok("no control group limits the CPU time");
      const cpus = cpusOfLimit(cpuLimit);
      const what = `${round(cpus, 2)} CPUs' worth of time per ${round(cpuLimit.periodUsec / 1000, 1)} ms, set on ${cpuLimit.folder}`;
      const allowed = cpuIdsOf(host.cpusAllowed).length;
      if (cpus >= allowed) {
        return note(what, "a burst may still use up the quota, which stops all threads until the period ends", null);
      }
      return bad(
        what,
        `${allowed} CPUs may be used, but not all the time: threads stop for milliseconds once the quota is used up`,
        "Run outside the group, or raise its limit (cpu.max, CPUQuota=, --cpus, resources.limits.cpu).",
      );
    },
  },
  "allowed-cpus": {
    title: "CPUs",
    judge: ({ host }) => {
      const allowed = cpuIdsOf(host.cpusAllowed).length;
      if (allowed >= host.cpusOnline) return ok(`all ${host.cpusOnline} may be used`);
      return note(
        `${allowed} of ${host.cpusOnline} may be used (${host.cpusAllowed})`,
        "defaults count only the allowed CPUs, and the rest of the machine is not measured",
        "To measure the whole machine, start without taskset and outside cpusets.",
      );
    },
  },
  "isolated-cpus": {
    title: "isolated CPUs",
    judge: ({ host, isolatedCpus }) => {
      const allowed = new Set(cpuIdsOf(host.cpusAllowed));
      const among = isolatedCpus.filter((id) => allowed.has(id));
      if (isolatedCpus.length === 0) return null;
      const what = `${isolatedCpus.length} (isolcpus= or an isolated cpuset)`;
      if (among.length === 0) return ok(`${what}, none of them allowed here`);
      return note(
        what,
        "the scheduler does no load balancing on these CPUs: threads stay where they start",
        "Exclude them with -M and -W, unless you want to measure them.",
      );
    },
  },
  virtualization: {
    title: "virtual machine",
    judge: ({ host }) => {
      if (host.virtualization === null) return ok("none, this is bare metal");
      if (isEmulated(host.virtualization))
        return bad(
          `no: this is ${host.virtualization}`,
          "instructions or system calls are emulated in software: times taken here say nothing about a scheduler",
          "Measure on hardware, or in a virtual machine with real CPUs (QEMU with -accel kvm).",
        );
      return note(
        `yes, ${host.virtualization}`,
        "waking an idle virtual CPU goes through the hypervisor: 3 to 50 µs, in two clusters",
        "Compare interleaved rounds (schbench-ts ab), and wakeups of idle CPUs only with themselves.",
      );
    },
  },
  container: {
    title: "container",
    judge: ({ host }) => {
      if (host.container === null) return null;
      return note(
        host.container === "PID namespace" ? "yes, a PID namespace" : `yes, ${host.container}`,
        "it shares kernel and CPUs with processes that cannot be seen from here: other load is counted, not named",
        "Check on the host what else is running, or measure there.",
      );
    },
  },
} as const satisfies Checks;
