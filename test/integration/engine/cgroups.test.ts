/** Control groups of a run on a kernel that lets them be made: read back from their own files, and gone afterwards. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { hostGroupFiles } from "../../../src/engine/cgroup/group-files.js";
import { openGroups } from "../../../src/engine/cgroup/run-groups.js";
import { nativeBuilds } from "../../../src/engine/host/native-host.js";
import type { CgroupRole } from "../../../src/model/plan/cgroup-roles.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { cgroupFolders } from "../../../src/platform/limits/cgroup.js";
import { hostFiles } from "../../../src/platform/files.js";
import { runCommand, startCommand } from "../../helpers/command.js";
import { until } from "../../helpers/engines.js";
import { closedLoopPlan } from "../../helpers/fakes/fake-plan.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

const engines = nativeBuilds().length > 0 ? (["native", "v8"] as const) : (["v8"] as const);
const BUSY = ["-m", "1", "-t", "2", "-s", "0", "-L", "-n", "1", "-F", "16", "-j", "-"];

const words = (line: string): readonly string[] => line.split(" ");

/** Why no group can be made here; false: one can. */
const whyNot = async (): Promise<string | false> => {
  try {
    await (
      await openGroups(closedLoopPlan({ workerCgroup: { weight: 100 } }), hostFiles, hostGroupFiles, process.pid)
    ).remove();
    return false;
  } catch (error) {
    return `needs a writable cgroup of version 2: ${String(error)}`;
  }
};
const skip = await whyNot();
const top = (): string => cgroupFolders(hostFiles, "cpu")?.folders.at(-1) ?? "";

const readOr = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Groups of ours anywhere below a folder. */
const groupsBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /schbench-ts-[^/]*$/.test(path));

const groupOf = (result: RunResult, role: CgroupRole) => {
  const group = (result.cgroups ?? []).find((one) => one.role === role);
  assert.ok(group !== undefined, `a ${role} group`);
  return group;
};

/** The group of each thread of a process, by the name of the thread. */
const groupsOfThreads = (pid: number): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, readonly string[]>();
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    const name = readOr(`/proc/${pid}/task/${tid}/comm`).trim();
    const path = /^0::(.*)$/m.exec(readOr(`/proc/${pid}/task/${tid}/cgroup`))?.[1] ?? "";
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return groups;
};

for (const engine of engines) {
  test(`${engine}: threads of each role are in their group, whose files say what was asked for`, { skip }, async () => {
    const running = startCommand([
      ...BUSY,
      ...words(`-r 0 --engine ${engine} --message-cgroup weight=300 --worker-cgroup weight=200,max=900000/100000`),
      ...words("--load duty:1:1000/100000 --load-cgroup idle"),
      "--load=sleep 600",
    ]);
    await until("all are in their groups", () => {
      const groups = groupsOfThreads(running.pid);
      return (
        groups.get("schbench-worker")?.every((path) => path.endsWith("worker")) === true &&
        groups.get("schbench-msg")?.every((path) => path.endsWith("message")) === true
      );
    });
    const groups = groupsOfThreads(running.pid);
    const [worker = "", second] = groups.get("schbench-worker") ?? [];
    const [message = ""] = groups.get("schbench-msg") ?? [];
    const [load = ""] = groups.get("schbench-load") ?? [];
    assert.equal(second, worker);
    assert.match(load, /load$/);
    const file = (path: string, name: string) => readOr(`${top()}${path}/${name}`).trim();
    assert.equal(file(worker, "cpu.weight"), "200");
    assert.equal(file(worker, "cpu.max"), "900000 100000");
    assert.equal(file(message, "cpu.weight"), "300");
    assert.equal(file(load, "cpu.idle"), "1");
    const line = ["sleep", "600", ""].join("\0");
    const command = () => readdirSync("/proc").find((pid) => readOr(`/proc/${pid}/cmdline`) === line);
    await until("the command runs", () => command() !== undefined);
    assert.equal(
      /^0::(.*)$/m.exec(readOr(`/proc/${command()}/cgroup`))?.[1],
      load,
      "the command is with the load threads",
    );
    running.kill("SIGINT");
    const { code, stdout, stderr } = await running.finished;
    assert.equal(code, 130, stderr);
    const result = resultIn(stdout);
    assert.deepEqual(groupOf(result, "worker").settings, { "cpu.weight": "200", "cpu.max": "900000 100000" });
    assert.deepEqual(groupsBelow(top()), [], "nothing is left after SIGINT");
  });

  test(`${engine}: half a CPU is seen as throttling, in the result and as a warning`, { skip }, async () => {
    const { code, stdout, stderr } = await runCommand([
      ...BUSY,
      ...words(`-r 3 --engine ${engine} --worker-cgroup max=50000/100000`),
    ]);
    assert.equal(code, 0, stderr);
    const result = checkResult(resultIn(stdout));
    const group = groupOf(result, "worker");
    assert.ok((group.throttledPeriods ?? 0) >= 3 && (group.throttledSec ?? 0) > 0.1, JSON.stringify(group));
    assert.ok((group.cpuSec ?? 9) < 2.4, `${group.cpuSec} s of 3, half a CPU`);
    assert.ok(result.warnings.some(({ code: warning }) => warning === "cgroup-throttled"));
    assert.match(stderr, /^cgroup worker \(cpu\.max 50000 100000\): ran .*, throttled in \d+ of \d+ periods for /m);
    assert.deepEqual(groupsBelow(top()), []);
  });
}

/** Shares of the CPU of workers and load on one CPU with such weights. */
const sharesOf = async (workerWeight: number, loadWeight: number): Promise<number> => {
  const { code, stdout, stderr } = await runCommand([
    // Requests of milliseconds: the workers hardly wait for the message thread, which is in neither group.
    ...words("-m 1 -t 2 -s 0 -L -j -"),
    ...words(`-r 4 -W 0 --worker-cgroup weight=${workerWeight}`),
    ...words(`--load spin:2 --load-cpus 0 --load-cgroup weight=${loadWeight}`),
  ]);
  assert.equal(code, 0, stderr);
  const result = resultIn(stdout);
  const [worker, load] = [groupOf(result, "worker").cpuSec ?? 0, groupOf(result, "load").cpuSec ?? 0];
  return worker / (worker + load);
};

test("weights of 100 and 10,000 on one CPU give work in about that ratio", { skip }, async () => {
  assert.ok((await sharesOf(10_000, 100)) > 0.9, "the heavy workers have nearly all");
  assert.ok((await sharesOf(100, 10_000)) < 0.15, "the light ones hardly any");
  const even = await sharesOf(100, 100);
  assert.ok(even > 0.3 && even < 0.7, `equal weights, ${even}`);
});

test("after kill -9 the next run puts the groups away, whatever it is asked for", { skip }, async () => {
  const before = readOr(`${top()}/cgroup.subtree_control`);
  const running = startCommand([...BUSY, "-r", "0", "--worker-cgroup", "weight=50"]);
  await until("the group is there", () => groupsBelow(top()).length > 0);
  await until("the workers are in it", () => groupsOfThreads(running.pid).get("schbench-worker")?.length === 2);
  running.kill("SIGKILL");
  await running.finished;
  assert.ok(groupsBelow(top()).length > 0, "the killed run could not");
  const { code, stderr } = await runCommand(["-m", "1", "-t", "1", "-r", "1", "-n", "0"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(groupsBelow(top()), []);
  assert.equal(readOr(`${top()}/cgroup.subtree_control`), before);
});

test(
  "a group that cannot be made is refused in one line before anything runs",
  { skip: skip === false && "groups can be made here" },
  async () => {
    const { code, stdout, stderr } = await runCommand([...BUSY, "-r", "1", "--worker-cgroup", "weight=50"]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    const [message = "", remedy = "", ...more] = stderr.trimEnd().split("\n");
    assert.match(message, /^schbench-ts: cannot make a control group/);
    assert.ok(remedy.length > 0 && more.length === 0, stderr);
  },
);
