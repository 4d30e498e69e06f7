/** Scheduling attributes as the kernel sees them, on both engines, beside what the result says of them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { hostFiles } from "../../../src/platform/files.js";
import { readSchedHere } from "../../../src/platform/scheduler/sched-here.js";
import { runCommand, startCommand } from "../../helpers/command.js";
import { refusingSetattr } from "../../helpers/system/refuse-call.js";
import { resultIn } from "../../helpers/run-invariants.js";

const POLICIES = ["other", "fifo", "rr", "batch", "", "idle", "deadline", "ext"] as const;

/** What /proc says of a thread: the fields of its stat file, and the slice of its sched file, which not every kernel has. */
interface Seen {
  readonly policy: string | undefined;
  readonly nice: number;
  readonly realTime: number;
  readonly sliceUsec: number | null;
}

const seenIn = (pid: number): ReadonlyMap<number, Seen> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((tid) => {
      const stat = readFileSync(`/proc/${pid}/task/${tid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const sched = hostFiles.readText(`/proc/${pid}/task/${tid}/sched`) ?? "";
      const slice = /^se\.slice\s*:\s*(\d+)$/m.exec(sched)?.[1];
      return [
        Number(tid),
        {
          policy: POLICIES[Number(fields[38])],
          nice: Number(fields[16]),
          realTime: Number(fields[37]),
          sliceUsec: slice === undefined ? null : Number(slice) / 1000,
        },
      ] as const;
    }),
  );

const isPrivileged =
  readSchedHere(hostFiles).schedRefusalOf([
    { threads: 1, sched: { policy: "fifo", priority: 1 }, cpus: null },
    { threads: 1, sched: { policy: "deadline", runtimeUsec: 10, deadlineUsec: 1000, periodUsec: 1000 }, cpus: null },
  ]) === null;
const NEEDS_RIGHTS = isPrivileged ? false : "needs root (CAP_SYS_NICE)";

/** A light run whose threads are looked at from outside while it goes on. */
const lookAt = async (
  engine: string,
  words: readonly string[],
): Promise<{ readonly result: RunResult; readonly seen: ReadonlyMap<number, Seen> }> => {
  const light = ["--engine", engine, "-m", "1", "-s", "5000", "-n", "1", "-F", "4", "-r", "3", "-i", "1", "-j", "-"];
  const run = startCommand([...light, ...words]);
  await run.says("Wakeup Latencies");
  const seen = seenIn(run.pid);
  const { code, stdout, stderr } = await run.finished;
  assert.equal(code, 0, stderr);
  return { result: resultIn(stdout), seen };
};

/** The result and /proc say the same of every thread. */
const assertSeen = (threads: RunResult["threads"], seen: ReadonlyMap<number, Seen>): void => {
  for (const { tid, role, sched } of threads) {
    const outside = seen.get(tid);
    assert.ok(sched !== null && outside !== undefined, `${role} ${tid}`);
    assert.equal(sched.policy, outside.policy);
    assert.equal(sched.priority ?? 0, outside.realTime);
    if (sched.nice !== null) assert.equal(sched.nice, outside.nice);
    // Of an idle thread the kernel shows a slice that it may not have been given.
    if (sched.sliceUsec !== null && outside.sliceUsec !== null) assert.equal(sched.sliceUsec, outside.sliceUsec);
  }
};

const summary = ({ threads }: RunResult): readonly string[] =>
  threads.map(({ role, group, sched }) => {
    const { policy, nice, priority, deadline } = sched ?? { policy: "?", nice: null, priority: null, deadline: null };
    const how = deadline === null ? `${priority ?? `nice ${nice}`}` : Object.values(deadline).join("/");
    return `${role} ${group ?? "-"} ${policy} ${how}`;
  });

for (const engine of ["native", "v8"]) {
  void test(`${engine}: fair attributes are what /proc says they are, by role and by group`, async () => {
    const words = ["-t", "4", "--message-sched", "nice=3", "--worker-sched", "batch"];
    const groups = ["--worker-group", "short=1:batch,nice=5,slice=3000", "--worker-group", "2:idle"];
    const { result, seen } = await lookAt(engine, [...words, ...groups]);
    assert.deepEqual(summary(result), [
      "message - other nice 3",
      "worker short batch nice 5",
      "worker g2 idle nice 0",
      "worker g2 idle nice 0",
      "worker rest batch nice 0",
    ]);
    assertSeen(result.threads, seen);
    const slice = result.threads.find(({ group }) => group === "short")?.sched?.sliceUsec;
    const told = result.warnings.some(({ message }) => message.includes("slice 3000"));
    assert.ok(slice === 3000 || told, "the slice is in force, or this kernel has none and that is said");
    assert.deepEqual(
      result.groups.map(({ name, workers }) => [name, workers]),
      [
        ["short", 1],
        ["g2", 2],
        ["rest", 1],
      ],
    );
    assert.equal(
      result.groups.reduce((sum, { loops }) => sum + (loops ?? 0), 0),
      result.loops,
    );
  });

  void test(`${engine}: real time and deadlines, which no worker inherits`, { skip: NEEDS_RIGHTS }, async () => {
    const { result, seen } = await lookAt(engine, [
      "-t",
      "3",
      "--message-sched",
      "deadline:2000/10000/20000",
      "--worker-sched",
      "rr:3",
      "--worker-group",
      "1:fifo:7",
      "--worker-group",
      "plain=1:other",
    ]);
    assert.deepEqual(summary(result), [
      "message - deadline 2000/10000/20000",
      "worker g1 fifo 7",
      "worker plain other nice 0",
      "worker rest rr 3",
    ]);
    assertSeen(result.threads, seen);
    assert.ok(!result.warnings.some(({ code }) => code === "sched-not-as-asked"));
  });
}

void test("a slice that the kernel cuts is a warning with both numbers", async (t) => {
  const { result } = await lookAt("native", ["-t", "1", "--worker-sched", "slice=1"]);
  const inForce = result.threads[1]?.sched?.sliceUsec ?? null;
  if (inForce === null) return t.skip("this kernel has no slices");
  assert.deepEqual(
    result.warnings.filter(({ code }) => code === "sched-not-as-asked").map(({ message }) => message),
    [`worker threads asked for slice 1 and had ${inForce} (1 thread)`],
  );
  assert.ok(inForce > 1);
});

const TWO_CPUS = availableParallelism() < 2 ? "needs two CPUs" : NEEDS_RIGHTS;

void test("two groups on one CPU share it about as their nice values say", { skip: TWO_CPUS }, async () => {
  const { code, stdout, stderr } = await runCommand([
    // The message thread is elsewhere, and at once there: the workers hardly sleep.
    "-m",
    "1",
    "-t",
    "2",
    "-M",
    "1",
    "-W",
    "0",
    "-L",
    "-s",
    "0",
    "-n",
    "20",
    "-F",
    "256",
    "-r",
    "5",
    "-j",
    "-",
    "--message-sched",
    "nice=-15",
    "--worker-group",
    "high=1:nice=0",
    "--worker-group",
    "low=1:nice=10",
  ]);
  assert.equal(code, 0, stderr);
  const [high, low] = resultIn(stdout).groups.map(({ loops }) => loops ?? 0);
  assert.ok(high !== undefined && low !== undefined);
  // The weights of nice 0 and nice 10 are 1024 and 110: a ratio of 9.3.
  assert.ok(high / Math.max(low, 1) > 3 && high / Math.max(low, 1) < 30, `${high} to ${low}`);
});

const refusing = refusingSetattr();

for (const [errno, words, reason, remedy] of [
  [38, ["--worker-sched", "batch"], /worker threads as "batch": there is no sched_setattr here/, /Linux 3\.14/],
  [
    22,
    ["--message-sched", "nice=1"],
    /message threads as "nice=1": this kernel does not know one of them/,
    /help sched/,
  ],
  [7, ["--worker-group", "a=1:slice=500"], /workers of group "a" as "slice=500": .*does not know uclamp/, /Linux 5\.3/],
  [1, ["--worker-sched", "nice=1"], /needs the capability CAP_SYS_NICE or RLIMIT_NICE/, /user namespace/],
  [16, ["--worker-sched", "nice=1"], /admission control has no room left/, /fewer threads/],
] as const)
  for (const engine of ["native", "v8"])
    void test(`${engine}: a kernel that answers errno ${errno} ends the run before it begins, with the reason`, async (t) => {
      if (refusing === null) return t.skip("needs gcc and seccomp");
      const started = startCommand(["--engine", engine, "-m", "1", "-t", "2", "-r", "5", ...words], {
        wrapper: refusing(errno),
      });
      const { code, stdout, stderr } = await started.finished;
      assert.equal(code, 1, stderr);
      assert.match(stderr, reason);
      assert.match(stderr, remedy);
      assert.doesNotMatch(stdout + stderr, /Latencies/);
    });

void test("a kernel without sched_setattr runs what asks for nothing", async (t) => {
  if (refusing === null) return t.skip("needs gcc and seccomp");
  const { code, stderr } = await startCommand(["-m", "1", "-t", "1", "-r", "1"], { wrapper: refusing(38) }).finished;
  assert.equal(code, 0, stderr);
});

void test("attributes are axes of a sweep, with a plus where a comma separates values", async () => {
  const { code, stdout, stderr } = await runCommand([
    "sweep",
    "--vary",
    "worker-sched=other,batch+nice=5,slice=500",
    "--runs",
    "1",
    "--",
    "-m",
    "1",
    "-t",
    "1",
    "-r",
    "1",
    "-s",
    "5000",
    "-n",
    "1",
    "-F",
    "4",
  ]);
  assert.equal(code, 0, stderr);
  for (const value of ["other", "batch+nice=5", "slice=500"]) assert.ok(stdout.includes(value), stdout);
});
