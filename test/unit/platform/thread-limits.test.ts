import assert from "node:assert/strict";
import { test } from "node:test";
import { threadLimits, threadsNotCreated } from "../../../src/platform/thread-limits.js";
import { ARM64, BARE_METAL_INTEL, CONTAINER, type FileTree, filesOf } from "./machines.js";

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
