import assert from "node:assert/strict";
import { test } from "node:test";
import {
  refuseBeyondLimits,
  threadLimits,
  threadsLeft,
  threadsNotCreated,
} from "../../../../src/platform/limits/thread-limits.js";
import { ARM64, BARE_METAL_INTEL, CONTAINER, type FileTree, filesOf } from "../machines.js";

const names = (tree: FileTree): readonly string[] => threadLimits(filesOf(tree)).map(({ name }) => name);

void test("the limit of the control group is the nearest in a container", () => {
  const [nearest] = threadLimits(filesOf(CONTAINER));
  assert.equal(nearest?.name, "pids.max of the control group /sys/fs/cgroup");
  assert.deepEqual([nearest?.max, nearest?.inUse], [100, 98]);
});

void test("the user's limit counts all threads of the user", () => {
  const [nearest] = threadLimits(filesOf(ARM64));
  assert.equal(nearest?.name, "RLIMIT_NPROC (ulimit -u)");
  assert.deepEqual([nearest?.max, nearest?.inUse], [200, 14]);
});

void test("the user's limit does not bind root, nor who has the capability", () => {
  assert.ok(!names(BARE_METAL_INTEL).includes("RLIMIT_NPROC (ulimit -u)"));
  const capable = { ...ARM64, "/proc/self/status": "Uid:\t1000\t1000\nCapEff:\t0000000001000000\n" };
  assert.ok(!names(capable).includes("RLIMIT_NPROC (ulimit -u)"));
});

void test("the kernel's own limits are known, with the threads of the whole system", () => {
  const limit = threadLimits(filesOf(BARE_METAL_INTEL)).find(({ name }) => name === "kernel.threads-max");
  assert.deepEqual([limit?.max, limit?.inUse], [2_059_000, 412]);
});

void test("a thread that could not be created is reported with the number reached and the limit that was hit", () => {
  const error = threadsNotCreated(91, 1028, threadLimits(filesOf(CONTAINER)));
  assert.equal(
    error.message,
    "a thread could not be created: 91 of 1028 started; " +
      "the limit pids.max of the control group /sys/fs/cgroup was hit (100, 98 in use)",
  );
  assert.match(error.remedy ?? "", /^Raise it where the group is made/u);
});

void test("no limit is blamed that was not near", () => {
  const error = threadsNotCreated(500, 1028, threadLimits(filesOf(BARE_METAL_INTEL)));
  assert.match(error.message, /500 of 1028 started; the nearest known limit is kernel\.threads-max/u);
  assert.match(error.remedy ?? "", /fewer threads/u);
  assert.match(threadsNotCreated(1, 2, []).message, /1 of 2 started$/u);
});

const PID_MAX: FileTree = {
  ...BARE_METAL_INTEL,
  "/proc/sys/kernel/pid_max": "32768\n",
  "/proc/sys/vm/max_map_count": "65530\n",
  "/proc/self/maps": "a\nb\n",
};
const refusing = (tree: FileTree, wanted: number) => () =>
  refuseBeyondLimits(wanted, () => threadLimits(filesOf(tree)));

void test("more threads than a limit leaves are refused beforehand, whichever limit it is", () => {
  for (const [tree, wanted, message] of [
    [
      PID_MAX,
      100_001,
      /^cannot start 100001 threads: the limit kernel\.pid_max leaves room for 32056 \(32768, 412 in use\)$/u,
    ],
    [CONTAINER, 1028, /the limit pids\.max of the control group .* leaves room for 2 \(100, 98 in use\)$/u],
    [ARM64, 300, /the limit RLIMIT_NPROC \(ulimit -u\) leaves room for 186 /u],
    [
      { ...BARE_METAL_INTEL, "/proc/sys/kernel/threads-max": "700\n" },
      300,
      /the limit kernel\.threads-max leaves room for 288 /u,
    ],
    [
      { ...PID_MAX, "/proc/sys/vm/max_map_count": "1002\n" },
      1001,
      /the limit vm\.max_map_count leaves room for 500 \(1002, 2 in use\)$/u,
    ],
  ] as const)
    assert.throws(refusing(tree, wanted), { name: "EngineError", message });
});

void test("threads that may fit are not refused, and a few are not looked at", () => {
  assert.doesNotThrow(refusing(PID_MAX, 32_000));
  assert.doesNotThrow(refusing({ ...PID_MAX, "/proc/sys/vm/max_map_count": "1002\n" }, 900));
  assert.doesNotThrow(refusing(CONTAINER, 100));
});

void test("process ids that the kernel keeps to itself are not room: the limit is blamed though some seem left", () => {
  const full = { ...PID_MAX, "/proc/loadavg": "9.00 9.00 9.00 9/32532 9001\n" };
  const [nearest] = threadLimits(filesOf(full));
  assert.deepEqual([nearest?.name, nearest === undefined ? null : threadsLeft(nearest)], ["kernel.pid_max", 0]);
  assert.match(
    threadsNotCreated(32_287, 40_001, threadLimits(filesOf(full))).message,
    /; the limit kernel\.pid_max was hit \(32768, 32532 in use\)$/u,
  );
});
