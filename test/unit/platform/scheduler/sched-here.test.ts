/** Which attributes are granted: by capability, limits, kernel and room for deadlines. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchedAttributes } from "../../../../src/model/plan/sched-attributes.js";
import { readSchedHere } from "../../../../src/platform/scheduler/sched-here.js";
import { type FileTree, filesOf } from "../machines.js";

const LIMITS = (nice: number | string, realTime: number | string): string =>
  `Limit                     Soft Limit           Hard Limit           Units
Max nice priority         ${nice}                    ${nice}
Max realtime priority     ${realTime}                    ${realTime}
Max realtime timeout      unlimited            unlimited            us
`;

const STAT = (nice: number, realTime: number): string =>
  `42 (node) S 1 42 42 0 -1 4194304 10 0 0 0 5 6 0 0 20 ${nice} 9 0 1000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 ${realTime} 0 0 0 0\n`;

/** A user on two CPUs; a kernel with everything. */
const USER: FileTree = {
  "/proc/self/status": "CapEff:\t0000000000000000\n",
  "/proc/thread-self/status": "Cpus_allowed_list:\t0-1\n",
  "/proc/self/limits": LIMITS(0, 0),
  "/proc/self/stat": STAT(0, 0),
  "/sys/devices/system/cpu/online": "0-1\n",
  "/sys/kernel/sched_ext/state": "disabled\n",
  "/proc/sys/kernel/sched_util_clamp_max": "1024\n",
  "/proc/sys/kernel/sched_rt_runtime_us": "950000\n",
  "/proc/sys/kernel/sched_rt_period_us": "1000000\n",
  "/proc/sys/kernel/sched_deadline_period_min_us": "100\n",
  "/proc/sys/kernel/sched_deadline_period_max_us": "4194304\n",
};
const ROOT: FileTree = { ...USER, "/proc/self/status": "CapEff:\t000001ffffffffff\n" };

const need = (sched: SchedAttributes, threads = 1, cpus: readonly number[] | null = null) => ({ threads, sched, cpus });
const reasonOn = (tree: FileTree, ...needs: readonly ReturnType<typeof need>[]): string | null =>
  readSchedHere(filesOf(tree)).schedRefusalOf(needs)?.reason ?? null;
const deadline = (runtimeUsec: number, periodUsec: number): SchedAttributes => ({
  policy: "deadline",
  runtimeUsec,
  deadlineUsec: periodUsec,
  periodUsec,
});

void test("a user gets what takes nothing from others", () => {
  assert.equal(
    reasonOn(
      USER,
      need({ policy: "batch", nice: 5, sliceUsec: 500 }),
      need({ policy: "idle" }),
      need({ policy: "ext", uclamp: { min: 0, max: 512 } }),
      need({ nice: 0 }),
    ),
    null,
  );
});

void test("real time, deadlines and a lower nice need the capability, which is named with the limit", () => {
  assert.equal(
    reasonOn(USER, need({ policy: "fifo", priority: 10 })),
    "priority 10 needs the capability CAP_SYS_NICE, or RLIMIT_RTPRIO of 10; it is 0",
  );
  assert.equal(
    reasonOn(USER, need({ nice: -1 })),
    "nice -1 needs the capability CAP_SYS_NICE, or RLIMIT_NICE of 21; it is 0",
  );
  assert.equal(reasonOn(USER, need(deadline(10, 1000))), "deadlines need the capability CAP_SYS_NICE");
  for (const sched of [{ policy: "fifo", priority: 10 }, { nice: -20 }, deadline(10, 1000)] as const)
    assert.equal(reasonOn(ROOT, need(sched)), null);
});

void test("the limits are enough up to their value, and what this process has already is no request", () => {
  const limited = { ...USER, "/proc/self/limits": LIMITS(25, 10) };
  assert.equal(reasonOn(limited, need({ policy: "rr", priority: 10 }), need({ nice: -5 })), null);
  assert.match(String(reasonOn(limited, need({ policy: "rr", priority: 11 }))), /^priority 11 .* it is 10$/);
  assert.match(String(reasonOn(limited, need({ nice: -6 }))), /RLIMIT_NICE of 26; it is 25$/);
  assert.equal(reasonOn({ ...USER, "/proc/self/limits": LIMITS("unlimited", "unlimited") }, need({ nice: -20 })), null);
  const reniced = { ...USER, "/proc/self/stat": STAT(-3, 0) };
  assert.equal(reasonOn(reniced, need({ nice: -3 })), null);
  assert.match(String(reasonOn(reniced, need({ nice: -4 }))), /^nice -4/);
});

void test("a kernel without sched_ext or uclamp is named", () => {
  const old: FileTree = Object.fromEntries(
    Object.entries(USER).filter(([path]) => !path.includes("sched_ext") && !path.includes("util_clamp")),
  );
  const withSys = { ...old, "/sys/kernel/uevent_seqnum": "1\n" };
  assert.equal(reasonOn(withSys, need({ policy: "ext" })), "this kernel has no sched_ext");
  assert.equal(reasonOn(withSys, need({ uclamp: { min: 0, max: 5 } })), "this kernel has no uclamp");
  assert.equal(
    reasonOn({}, need({ policy: "ext", uclamp: { min: 0, max: 5 } })),
    null,
    "nothing is known: the kernel says",
  );
});

void test("a deadline needs all CPUs of the cpuset, by -W or by the mask of this process", () => {
  const pinned = "the kernel takes no deadline of a thread that is pinned to some of the CPUs";
  assert.equal(reasonOn(ROOT, need(deadline(10, 1000), 1, [0])), pinned);
  assert.equal(reasonOn(ROOT, need(deadline(10, 1000), 1, [0, 1])), null);
  const taskset = { ...ROOT, "/proc/thread-self/status": "Cpus_allowed_list:\t1\n" };
  assert.equal(reasonOn(taskset, need(deadline(10, 1000))), pinned);
  const cpuset = {
    ...taskset,
    "/proc/self/cgroup": "0::/job\n",
    "/proc/self/mountinfo": "25 24 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    "/sys/fs/cgroup/job/cpuset.cpus.effective": "1\n",
  };
  assert.equal(reasonOn(cpuset, need(deadline(10, 1000))), null);
});

void test("deadlines that together ask for more than admission control gives are refused, with both numbers", () => {
  assert.equal(
    reasonOn(ROOT, need(deadline(500, 1000), 3), need(deadline(500, 1000))),
    "admission control lets deadlines have 190 % of a CPU on these 2, and all threads together ask for 200 %",
  );
  assert.equal(reasonOn(ROOT, need(deadline(500, 1000), 3)), null);
  const unlimited = { ...ROOT, "/proc/sys/kernel/sched_rt_runtime_us": "-1\n" };
  assert.equal(reasonOn(unlimited, need(deadline(500, 1000), 30)), null);
});

void test("a period outside of the kernel's bounds is refused", () => {
  assert.equal(reasonOn(ROOT, need(deadline(9, 50))), "a period of 50 us is below the least, 100 us");
  assert.equal(reasonOn(ROOT, need(deadline(9, 5_000_000))), "a period of 5000000 us is above the most, 4194304 us");
});

const isUnlimitedAt = (runtime: string): boolean =>
  readSchedHere(filesOf({ ...ROOT, "/proc/sys/kernel/sched_rt_runtime_us": runtime })).isRealTimeUnlimited();

void test("real time is unlimited where the limit is -1", () => {
  assert.equal(isUnlimitedAt("-1\n"), true);
  assert.equal(isUnlimitedAt("950000\n"), false);
  assert.equal(readSchedHere(filesOf({})).isRealTimeUnlimited(), false);
});
