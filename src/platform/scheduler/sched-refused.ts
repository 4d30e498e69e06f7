/** What the kernel meant when it refused sched_setattr: from the errno and what was asked for to words and a remedy. Pure. */
import type { SchedAttributes } from "../../model/plan/sched-attributes.js";

/** Words that end a sentence, and how to mend it. */
interface Reason {
  readonly reason: string;
  readonly remedy: string;
}

const noRight = (sched: SchedAttributes): Reason => {
  if ("runtimeUsec" in sched)
    return {
      reason: "deadlines need the capability CAP_SYS_NICE, and threads that may use all CPUs of their cpuset",
      remedy: "Run it as root, without -M, -W and taskset, and outside of a user namespace.",
    };
  if ("priority" in sched)
    return {
      reason:
        "real time needs the capability CAP_SYS_NICE or RLIMIT_RTPRIO, and a control group that may use it (cpu.rt_runtime_us of version 1)",
      remedy: "Run it as root and outside of a user namespace, or raise the limit (ulimit -r).",
    };
  return {
    reason: "a lower nice value needs the capability CAP_SYS_NICE or RLIMIT_NICE",
    remedy: "Run it as root and outside of a user namespace, or raise the limit (ulimit -e).",
  };
};

const notTaken = (sched: SchedAttributes): Reason => {
  if (sched.policy === "ext")
    return {
      reason: "this kernel has no sched_ext",
      remedy: "Use Linux 6.12 or newer, built with CONFIG_SCHED_CLASS_EXT.",
    };
  if ("runtimeUsec" in sched)
    return {
      reason: "the kernel does not take such a deadline",
      remedy: "Use a period within kernel.sched_deadline_period_min_us and _max_us, and a runtime of 2 us or more.",
    };
  return {
    reason: "this kernel does not know one of them",
    remedy: "schbench-ts help sched has the kernel version of each.",
  };
};

const REASONS: Readonly<Record<number, (sched: SchedAttributes) => Reason>> = {
  1: noRight,
  7: () => ({ reason: "this kernel does not know uclamp", remedy: "Use Linux 5.3 or newer, or leave uclamp out." }),
  16: () => ({
    reason: "admission control has no room left for these deadlines: others have taken it",
    remedy: "Use fewer threads, a shorter runtime or a longer period, or end other programs with deadlines.",
  }),
  22: notTaken,
  38: () => ({
    reason: "there is no sched_setattr here",
    remedy: "It came with Linux 3.14; some sandboxes (seccomp, gVisor) withhold it.",
  }),
  95: () => ({
    reason: "this kernel has no uclamp",
    remedy: "Use a kernel built with CONFIG_UCLAMP_TASK, or leave uclamp out.",
  }),
};

/** Why the kernel refused attributes with an errno. */
export const schedRefused = (sched: SchedAttributes, errno: number): Reason =>
  REASONS[errno]?.(sched) ?? {
    reason: `the kernel refused them (errno ${errno})`,
    remedy: "schbench-ts help sched says what each needs.",
  };
