import assert from "node:assert/strict";
import test from "node:test";
import { groupName, groupOwner, startOf } from "../../../../src/engine/cgroup/group-name.js";
import { openGroups } from "../../../../src/engine/cgroup/run-groups.js";
import { throttleWarnings } from "../../../../src/engine/cgroup/throttle-warnings.js";
import type { CgroupResult } from "../../../../src/model/plan/cgroup-plan.js";
import type { RunPlan } from "../../../../src/model/plan/run-plan.js";
import type { Files } from "../../../../src/platform/files.js";
import { closedLoopPlan } from "../../../helpers/fakes/fake-plan.js";
import { fakeGroups, type FakeKernel, statOf } from "./fake-groups.js";

const PID = 42;
const OTHERS = { "/proc/42/stat": statOf(42, 900) };
const workers = closedLoopPlan({ workerCgroup: { weight: 50, max: { quotaUsec: 50_000, periodUsec: 100_000 } } });

const open = (kernel: FakeKernel, plan: RunPlan = workers) => {
  const fake = fakeGroups({ others: OTHERS, ...kernel });
  return { fake, opened: openGroups(plan, fake.proc, fake.files, PID) };
};

/** The error of a kernel on which no group can be made. */
const refusal = async (kernel: FakeKernel, message: RegExp, remedy: RegExp, plan: RunPlan = workers) => {
  const { fake, opened } = open(kernel, plan);
  const before = Object.keys(kernel.controllers).toSorted();
  await assert.rejects(opened, (error) => {
    assert.ok(error instanceof Error && "remedy" in error);
    assert.match(error.message, message);
    assert.match(String(error.remedy), remedy);
    return true;
  });
  assert.deepEqual(fake.folders(), before, "nothing is left");
};

test("a group is made beside the process that is in a group with the controller, and all is as before afterwards", async () => {
  const { fake, opened } = open({ own: "/scope", controllers: { "": "cpu memory", "/scope": "cpu" } });
  const groups = await opened;
  assert.deepEqual(fake.log, [
    "/scope/cgroup.subtree_control +cpu",
    "mkdir /scope/schbench-ts-42-900-cpu-worker",
    "/scope/schbench-ts-42-900-cpu-worker/cgroup.type threaded",
    "/scope/schbench-ts-42-900-cpu-worker/cpu.weight 50",
    "/scope/schbench-ts-42-900-cpu-worker/cpu.max 50000 100000",
  ]);
  assert.deepEqual(
    [groups.descriptorOf("worker"), groups.descriptorOf("message"), groups.descriptorOf("load")],
    [7, 0, 0],
  );
  await groups.remove();
  assert.deepEqual(fake.folders(), ["", "/scope"]);
  assert.equal(fake.enabledIn("/scope"), "");
});

test("a controller that was on before stays on", async () => {
  const { fake, opened } = open({
    own: "/scope",
    controllers: { "": "", "/scope": "cpu" },
    enabled: { "/scope": "cpu" },
  });
  await (await opened).remove();
  assert.equal(fake.enabledIn("/scope"), "cpu");
  assert.ok(fake.log.includes("mkdir /scope/schbench-ts-42-900-worker"), "and the name says so");
});

test("without the controller in its own group the process moves into one at the top, and back", async () => {
  const { fake, opened } = open({ own: "/user/session", controllers: { "": "cpu", "/user": "", "/user/session": "" } });
  const groups = await opened;
  assert.ok(fake.log.includes("/schbench-ts-42-900-cpu/cgroup.procs 42"));
  fake.set("/schbench-ts-42-900-cpu", "cgroup.procs", "42\n43\n");
  assert.ok(fake.folders().includes("/schbench-ts-42-900-cpu/worker"));
  await groups.remove();
  assert.deepEqual(fake.folders(), ["", "/user", "/user/session"]);
  for (const pid of [42, 43]) assert.ok(fake.log.includes(`/user/session/cgroup.procs ${pid}`), "back where it was");
  assert.equal(fake.enabledIn(""), "");
});

test("what cannot be made is refused with how to be allowed to", async () => {
  await refusal(
    { own: "/scope", controllers: { "": "cpu", "/scope": "" }, refuses: () => "EACCES" },
    /^cannot make a control group in ".*\/scope": the controller is not delegated to it$/,
    /systemd-run --user --scope -p Delegate=yes/,
  );
  await refusal(
    { own: "", controllers: { "": "cpu" }, refuses: () => "EROFS" },
    /it is mounted read-only$/,
    /a container needs a writable/,
  );
  await refusal(
    { own: "", controllers: { "": "cpu" }, refuses: (_, text) => (text === "mkdir" ? "EACCES" : null) },
    /this user may not$/,
    /or as root/,
  );
});

test("a setting that the kernel does not know is named, with the Linux that brought it", () =>
  refusal(
    { own: "", controllers: { "": "cpu" }, refuses: (path) => (path.includes("uclamp") ? "ENOENT" : null) },
    /^cannot set "uclamp=0-512" of a control group: this kernel has no cpu\.uclamp\.max \(Linux 5\.4/,
    /Leave that setting out/,
    closedLoopPlan({ workerCgroup: { uclamp: { min: 0, max: 512 } } }),
  ));

const procOf = (cgroup: string, mountinfo: string): Files => ({
  readText: (path) => ({ "/proc/self/cgroup": cgroup, "/proc/self/mountinfo": mountinfo })[path] ?? null,
  readGzipText: () => null,
  list: () => [],
  exists: () => false,
});

test("version 1, and no control groups at all, are said as what they are", async () => {
  const { files } = fakeGroups({ own: "", controllers: {} });
  const first = procOf("1:cpu:/\n0::/\n", "25 20 0:22 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  await assert.rejects(openGroups(workers, first, files, PID), {
    message:
      'cannot make a control group: the cpu controller is in a hierarchy of version 1 here ("/sys/fs/cgroup/cpu")',
    remedy: "Boot with systemd.unified_cgroup_hierarchy=1, or with cgroup_no_v1=all, so that version 2 has it.",
  });
  await assert.rejects(openGroups(workers, procOf("", ""), files, PID), {
    message: "cannot make a control group: no cgroup file system is mounted",
  });
});

test("a run puts away what killed ones have left, and nothing of those that live or of others", async () => {
  const fake = fakeGroups({
    own: "",
    controllers: {
      "": "cpu",
      "/schbench-ts-7-100-cpu-worker": "",
      "/schbench-ts-8-100-cpu": "",
      "/schbench-ts-8-100-cpu/worker": "",
      "/schbench-ts-9-100-worker": "",
      "/system.slice": "",
    },
    enabled: { "": "cpu" },
    others: { ...OTHERS, "/proc/9/stat": statOf(9, 100), "/proc/7/stat": statOf(7, 555) },
  });
  await openGroups(closedLoopPlan(), fake.proc, fake.files, PID);
  assert.deepEqual(fake.folders(), ["", "/schbench-ts-9-100-worker", "/system.slice"]);
  assert.equal(fake.enabledIn(""), "cpu", "9 may need it still");
});

test("the last of the leftovers takes what was turned on for it along", async () => {
  const fake = fakeGroups({
    own: "",
    controllers: { "": "cpu", "/schbench-ts-7-100-cpu-worker": "" },
    enabled: { "": "cpu" },
  });
  await openGroups(closedLoopPlan(), fake.proc, fake.files, PID);
  assert.deepEqual(fake.folders(), [""]);
  assert.equal(fake.enabledIn(""), "");
});

test("a leftover in which somebody still is stays, and is found by another run", async () => {
  const fake = fakeGroups({
    own: "",
    controllers: { "": "cpu", "/schbench-ts-7-100-cpu-worker": "" },
    enabled: { "": "cpu" },
  });
  fake.setBusy("/schbench-ts-7-100-cpu-worker", true);
  await openGroups(closedLoopPlan(), fake.proc, fake.files, PID);
  assert.deepEqual(fake.folders(), ["", "/schbench-ts-7-100-cpu-worker"]);
  assert.equal(fake.enabledIn(""), "cpu");
  fake.setBusy("/schbench-ts-7-100-cpu-worker", false);
  await openGroups(closedLoopPlan(), fake.proc, fake.files, PID);
  assert.deepEqual(fake.folders(), [""]);
});

test("names say whose the groups are, and are read back", () => {
  const owner = { pid: 12, start: 3456, enabled: ["cpu", "cpuset"] } as const;
  assert.equal(groupName(owner), "schbench-ts-12-3456-cpu-cpuset");
  assert.deepEqual(groupOwner(groupName(owner)), owner);
  assert.deepEqual(groupOwner(groupName({ ...owner, enabled: [] }, "load")), { ...owner, enabled: [] });
  for (const name of ["schbench-ts", "schbench-ts-12", "schbench-ts-12-34-other", "x-schbench-ts-1-2", "user.slice"])
    assert.equal(groupOwner(name), null, name);
  assert.equal(startOf(statOf(5, 77)), 77);
  assert.equal(startOf(null), null);
});

const stat = (usage: number, throttled: number) =>
  `usage_usec ${usage}\nnr_periods ${usage / 1000}\nnr_throttled ${throttled}\nthrottled_usec ${throttled * 1000}\n`;
const pressure = (some: number) => `some avg10=0.00 avg60=0.00 avg300=0.00 total=${some}\nfull avg10=0.00 total=7\n`;

test("what a group counted is counted from the beginning of the measured time", async () => {
  const { fake, opened } = open({ own: "/scope", controllers: { "": "", "/scope": "cpu" } });
  const groups = await opened;
  const path = "/scope/schbench-ts-42-900-cpu-worker";
  fake.set(path, "cpu.stat", stat(10_000, 1));
  fake.set(path, "cpu.pressure", pressure(500));
  groups.beginMeasured();
  fake.set(path, "cpu.stat", stat(60_000, 21));
  fake.set(path, "cpu.pressure", pressure(2500));
  assert.deepEqual(groups.endMeasured(), [
    {
      role: "worker",
      path,
      settings: { "cpu.weight": "50", "cpu.max": "50000 100000" },
      cpuSec: 0.05,
      periods: 50,
      throttledPeriods: 20,
      throttledSec: 0.02,
      somePressureSec: 0.002,
      fullPressureSec: 0,
    },
  ]);
});

test("a group that its limit has stopped is warned about, any other is not", () => {
  const group: CgroupResult = {
    role: "worker",
    path: "/x",
    settings: { "cpu.max": "50000 100000" },
    cpuSec: 1,
    periods: 20,
    throttledPeriods: 19,
    throttledSec: 1.25,
    somePressureSec: null,
    fullPressureSec: null,
  };
  const [warning, ...more] = throttleWarnings([
    group,
    { ...group, throttledPeriods: 0 },
    { ...group, throttledPeriods: null },
  ]);
  assert.deepEqual(more, []);
  assert.equal(warning?.code, "cgroup-throttled");
  assert.equal(
    warning?.message,
    "the limit of the worker cgroup (cpu.max 50000 100000) stopped it in 19 of 20 periods, for 1.25 s in all",
  );
});
