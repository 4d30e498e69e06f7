/** Which CPUs can be asked for, and what is said about the others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readCpusHere } from "../../../../src/platform/limits/cpu-reach.js";
import { type FileTree, filesOf } from "../machines.js";

const CPU = "/sys/devices/system/cpu";
const MACHINE: FileTree = {
  "/proc/thread-self/status": "Cpus_allowed_list:\t0-1\n",
  [`${CPU}/online`]: "0-2,4-7\n",
  [`${CPU}/present`]: "0-7\n",
  [`${CPU}/isolated`]: "4-7\n",
};
const GROUP2: FileTree = {
  "/proc/self/cgroup": "0::/slice/job\n",
  "/proc/self/mountinfo": "25 24 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
};

void test("the mask is what auto counts, and no limit: isolated CPUs outside of it can be asked for", () => {
  const { allowedCpus, refusalOf } = readCpusHere(filesOf(MACHINE));
  assert.deepEqual(allowedCpus, [0, 1]);
  assert.deepEqual([0, 2, 4, 7].map(refusalOf), [null, null, null, null]);
});

void test("a CPU that is offline is named with the way to bring it back", () => {
  assert.deepEqual(readCpusHere(filesOf(MACHINE)).refusalOf(3), {
    reason: "CPU 3 is offline",
    remedy: "Bring it online, as root: echo 1 > /sys/devices/system/cpu/cpu3/online.",
  });
});

void test("a CPU that is not there is told from one that is offline", () => {
  assert.equal(readCpusHere(filesOf(MACHINE)).refusalOf(8)?.reason, "there is no CPU 8, this machine has 0-7");
});

void test("the cpuset of the nearest group that has one is a limit, in both versions of control groups", () => {
  const second = readCpusHere(
    filesOf({ ...MACHINE, ...GROUP2, "/sys/fs/cgroup/slice/cpuset.cpus.effective": "0-1,4\n" }),
  );
  assert.equal(second.refusalOf(4), null);
  assert.match(second.refusalOf(2)?.reason ?? "", /^CPU 2 is not in the cpuset of .*\/slice, which has 0-1,4$/);
  const first = readCpusHere(
    filesOf({
      ...MACHINE,
      "/proc/self/cgroup": "3:cpuset:/job\n",
      "/proc/self/mountinfo": "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n",
      "/sys/fs/cgroup/cpuset/job/cpuset.effective_cpus": "1\n",
    }),
  );
  assert.deepEqual([first.refusalOf(1), first.refusalOf(0) === null], [null, false]);
});

void test("where nothing is known, the kernel is asked", () => {
  assert.equal(readCpusHere(filesOf({})).refusalOf(5), null);
});
