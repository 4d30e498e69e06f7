/** Who ran instead: policy, nice and group, of our threads and of others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { explainText } from "../../../src/explain/explain-text.js";
import { cgroupPath, otherThreads } from "../../../src/explain/who.js";
import type { Explanation, WakeupExplanation } from "../../../src/explain/explanation.js";
import { fakeExplanation } from "../../helpers/render/render-explanation.js";
import { filesOf } from "../platform/machines.js";

void test("the control group is read of version 2, and of version 1 that of the cpu controller", () => {
  assert.equal(cgroupPath("0::/system.slice/backup.service\n"), "/system.slice/backup.service");
  assert.equal(cgroupPath("5:memory:/m\n4:cpu,cpuacct:/c\n"), "/c");
  assert.equal(cgroupPath("0::/\n"), null);
  assert.equal(cgroupPath("5:memory:/m\n"), null);
  assert.equal(cgroupPath(null), null);
});

void test("another thread is asked for once, and its group is named where it is not our own", () => {
  const files = filesOf({
    "/proc/self/cgroup": "0::/user.slice\n",
    "/proc/7/cgroup": "0::/system.slice\n",
    "/proc/8/cgroup": "0::/user.slice\n",
  });
  const asked: number[] = [];
  const whoIs = otherThreads(files, (tid) => {
    asked.push(tid);
    return tid === 9
      ? null
      : { policy: "batch", nice: 5, priority: null, sliceUsec: null, deadline: null, uclamp: null };
  });
  assert.deepEqual(whoIs(7), { policy: "batch", group: "/system.slice" });
  assert.deepEqual(whoIs(7), { policy: "batch", group: "/system.slice" });
  assert.deepEqual(whoIs(8), { policy: "batch", group: null });
  assert.deepEqual(whoIs(9), { policy: null, group: null }, "it has ended");
  assert.deepEqual(whoIs(0), { policy: null, group: null }, "the idle task is nobody");
  assert.deepEqual(asked, [7, 8, 9]);
});

type Runner = WakeupExplanation["ran"][number];

const lineFor = (more: Partial<Runner>): string | undefined => {
  const explanation: Explanation = fakeExplanation();
  const [worst] = explanation.worst;
  const [runner] = worst?.ran ?? [];
  assert.ok(worst !== undefined && runner !== undefined);
  const one = { ...worst, cause: "foreign-task" as const, ran: [{ ...runner, side: "foreign" as const, ...more }] };
  return /\((?<who>(?:nice|batch|idle|ext|fifo|rr|realtime|deadline)[^)]*)\)/.exec(
    explainText({ ...explanation, worst: [one] }),
  )?.groups?.["who"];
};

for (const [more, words] of [
  [{ priority: 120, schedClass: "normal", policy: "other", group: null }, "nice 0"],
  [{ priority: 125, schedClass: "normal", policy: "batch", group: "short" }, "batch, nice 5, group short"],
  [{ priority: 139, schedClass: "normal", policy: "idle", group: "/system.slice" }, "idle, group /system.slice"],
  [{ priority: 92, schedClass: "realtime", policy: "fifo", group: null }, "fifo 7"],
  [{ priority: 92, schedClass: "realtime", policy: null, group: null }, "realtime 7"],
  [{ priority: -1, schedClass: "deadline", policy: "deadline", group: null }, "deadline"],
] as const)
  void test(`who ran instead reads "${words}"`, () => {
    assert.equal(lineFor(more), words);
  });
