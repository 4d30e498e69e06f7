import assert from "node:assert/strict";
import { test } from "node:test";
import { cgroupFolders } from "../../../../src/platform/limits/cgroup.js";
import { parseCpuMax, readThrottledUsec, tightestCpuLimit } from "../../../../src/platform/limits/cpu-limit.js";
import { ARM64, BARE_METAL_INTEL, CGROUP_V1, CONTAINER, filesOf } from "../machines.js";

void test("version 2: the folders go from the process's own group up to the mount", () => {
  assert.deepEqual(cgroupFolders(filesOf(ARM64), "cpu"), {
    version: 2,
    folders: ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup"],
  });
});

void test("version 1: a path of the host is taken relative to what is mounted in the container", () => {
  assert.deepEqual(cgroupFolders(filesOf(CGROUP_V1), "cpu"), { version: 1, folders: ["/sys/fs/cgroup/cpu,cpuacct"] });
  const deeper = { ...CGROUP_V1, "/proc/self/cgroup": "4:cpu,cpuacct:/docker/ab12/x\n" };
  assert.deepEqual(cgroupFolders(filesOf(deeper), "cpu")?.folders, [
    "/sys/fs/cgroup/cpu,cpuacct/x",
    "/sys/fs/cgroup/cpu,cpuacct",
  ]);
});

void test("both versions at once: a controller is looked for where it is mounted", () => {
  const hybrid = {
    "/proc/self/cgroup": "3:cpuset:/\n1:cpu:/job\n0::/slice\n",
    "/proc/self/mountinfo":
      "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
  };
  assert.equal(cgroupFolders(filesOf(hybrid), "cpu")?.version, 1);
  assert.deepEqual(cgroupFolders(filesOf(hybrid), "memory"), {
    version: 2,
    folders: ["/sys/fs/cgroup/unified/slice", "/sys/fs/cgroup/unified"],
  });
});

void test("a group outside of the namespace and a mount point with a space are understood", () => {
  const outside = {
    "/proc/self/cgroup": "0::/../other\n",
    "/proc/self/mountinfo": "25 24 0:22 / /mnt/control\\040groups rw - cgroup2 cgroup2 rw\n",
  };
  assert.deepEqual(cgroupFolders(filesOf(outside), "cpu")?.folders, ["/mnt/control groups"]);
});

void test("a machine without control groups has no folders and no limit", () => {
  assert.equal(cgroupFolders(filesOf({}), "cpu"), null);
  assert.equal(tightestCpuLimit(filesOf({})), null);
});

void test("the tightest of several limits wins, by the share of time and not by the quota", () => {
  const nested = {
    ...BARE_METAL_INTEL,
    "/proc/self/cgroup": "0::/a/b\n",
    "/sys/fs/cgroup/a/b/cpu.max": "40000 10000\n",
    "/sys/fs/cgroup/a/cpu.max": "100000 100000\n",
  };
  assert.deepEqual(tightestCpuLimit(filesOf(nested)), {
    quotaUsec: 100_000,
    periodUsec: 100_000,
    folder: "/sys/fs/cgroup/a",
  });
});

void test("no limit is no limit, in either version", () => {
  assert.equal(parseCpuMax("max 100000"), null);
  assert.equal(parseCpuMax(null), null);
  const unlimited = { ...CGROUP_V1, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n" };
  assert.equal(tightestCpuLimit(filesOf(unlimited)), null);
});

void test("the time that a limit stopped its threads for is in microseconds in both versions", () => {
  const container = filesOf(CONTAINER);
  assert.equal(readThrottledUsec(container, tightestCpuLimit(container)), 120_000);
  const older = filesOf(CGROUP_V1);
  assert.equal(readThrottledUsec(older, tightestCpuLimit(older)), 3500);
  assert.equal(readThrottledUsec(older, null), null);
});
