/** What is said where the kernel gave threads something else than they asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { schedWarnings } from "../../../src/engine/sched-warnings.js";
import type { SchedInForce } from "../../../src/model/plan/sched-attributes.js";
import type { ThreadResult } from "../../../src/model/result/run-result.js";
import { schedRefused } from "../../../src/platform/scheduler/sched-refused.js";
import { closedLoopPlan } from "../../helpers/fakes/fake-plan.js";

const IN_FORCE: SchedInForce = {
  policy: "other",
  nice: 0,
  priority: null,
  sliceUsec: 2800,
  deadline: null,
  uclamp: null,
};

const thread = (
  role: ThreadResult["role"],
  group: string | null,
  sched: Partial<SchedInForce> | null,
): ThreadResult => ({
  role,
  index: 0,
  tid: 1,
  allowedCpus: "0",
  loops: null,
  voluntarySwitches: null,
  involuntarySwitches: null,
  migrations: null,
  runDelayUsec: null,
  timesRun: null,
  group,
  sched: sched === null ? null : { ...IN_FORCE, ...sched },
});

void test("a slice that was cut, and one that was ignored, are told with both numbers and the number of threads", () => {
  const plan = closedLoopPlan({ workerSched: { sliceUsec: 50 }, messageSched: { policy: "batch", nice: 5 } });
  assert.deepEqual(
    schedWarnings(plan, [
      thread("message", null, { policy: "batch", nice: 5 }),
      thread("worker", null, { sliceUsec: 100 }),
      thread("worker", null, { sliceUsec: 100 }),
      thread("worker", null, { sliceUsec: null }),
      thread("worker", null, { sliceUsec: 50 }),
      thread("worker", null, null),
    ]),
    [
      {
        code: "sched-not-as-asked",
        message: "worker threads asked for slice 50 and had 100 (2 threads)",
        cure: "The kernel takes slices of 100 to 100000 us.",
      },
      {
        code: "sched-not-as-asked",
        message: "worker threads asked for slice 50 and had none (1 thread)",
        cure: "Slices came with Linux 6.12.",
      },
    ],
  );
});

void test("each group is held to its own attributes, the others to those of all workers", () => {
  const plan = closedLoopPlan({
    workerSched: { nice: 1 },
    workerGroups: [{ name: "short", workers: 1, sched: { policy: "fifo", priority: 7 } }],
  });
  const messages = schedWarnings(plan, [
    thread("message", null, { nice: 9 }),
    thread("worker", "short", { policy: "fifo", nice: null, priority: 7, sliceUsec: null }),
    thread("worker", "short", { policy: "other" }),
    thread("worker", "rest", { nice: 2 }),
  ]).map(({ message }) => message);
  assert.deepEqual(messages, [
    'workers of group "short" asked for policy fifo and had other (1 thread)',
    'workers of group "short" asked for priority 7 and had none (1 thread)',
    'workers of group "rest" asked for nice 1 and had 2 (1 thread)',
  ]);
});

void test("deadlines and bounds of the utilisation are compared as a whole", () => {
  const times = { runtimeUsec: 10, deadlineUsec: 20, periodUsec: 30 };
  const asked = closedLoopPlan({
    workerSched: { policy: "deadline", ...times },
    messageSched: { uclamp: { min: 0, max: 512 } },
  });
  const inForce = { policy: "deadline", nice: null, sliceUsec: null };
  assert.deepEqual(
    schedWarnings(asked, [
      thread("message", null, { uclamp: { min: 0, max: 1024 } }),
      thread("worker", null, { ...inForce, deadline: times }),
      thread("worker", null, { ...inForce, deadline: { ...times, runtimeUsec: 9 } }),
    ]).map(({ message }) => message),
    [
      "message threads asked for uclamp 0-512 and had 0-1024 (1 thread)",
      "worker threads asked for deadline 10/20/30 and had 9/20/30 (1 thread)",
    ],
  );
});

for (const [errno, sched, reason] of [
  [1, { policy: "fifo", priority: 1 }, /CAP_SYS_NICE or RLIMIT_RTPRIO/],
  [1, { nice: -1 }, /CAP_SYS_NICE or RLIMIT_NICE/],
  [1, { policy: "deadline", runtimeUsec: 1, deadlineUsec: 1, periodUsec: 1 }, /all CPUs of their cpuset/],
  [7, { uclamp: { min: 0, max: 1 } }, /does not know uclamp/],
  [16, { policy: "deadline", runtimeUsec: 1, deadlineUsec: 1, periodUsec: 1 }, /admission control has no room/],
  [22, { policy: "ext" }, /no sched_ext/],
  [22, { policy: "batch" }, /does not know one of them/],
  [38, { policy: "batch" }, /no sched_setattr here/],
  [95, { uclamp: { min: 0, max: 1 } }, /has no uclamp/],
  [5, { policy: "batch" }, /refused them \(errno 5\)/],
] as const)
  void test(`errno ${errno} for ${JSON.stringify(sched)} becomes words`, () => {
    assert.match(schedRefused(sched, errno).reason, reason);
  });
