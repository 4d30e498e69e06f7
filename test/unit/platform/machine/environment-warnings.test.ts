import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentBetween, readEnvironment } from "../../../../src/platform/machine/environment.js";
import { type WarningFacts, environmentWarnings } from "../../../../src/platform/machine/environment-warnings.js";
import { tightestCpuLimit } from "../../../../src/platform/limits/cpu-limit.js";
import { readHostFacts } from "../../../../src/platform/machine/host-facts.js";
import { AMD_VM, BARE_METAL_INTEL, CONTAINER, type FileTree, SCHED_EXT, filesOf } from "../machines.js";

const stat = (idle: number, busy: number, steal = 0): FileTree => ({
  "/proc/stat": `cpu  ${busy} 0 0 ${idle} 0 0 0 ${steal} 0 0\n`,
});

const pressure = (total: number): FileTree => ({
  "/proc/pressure/cpu": `some avg10=0.00 avg60=0.00 avg300=0.00 total=${total}\n`,
});

const clocks = (nowSec: number, suspendedSec = 0) => ({ nowSec, ownCpuSec: 0, suspendedSec });

/** A run of 10 s on a machine whose files are `start` when it starts and `end` when it ends. */
const run = (start: FileTree, end: FileTree, ownCpuSec = 0): WarningFacts => {
  const before = filesOf(start);
  const limit = tightestCpuLimit(before);
  const host = readHostFacts(before, { node: "20", v8: "11" });
  const during = environmentBetween(
    readEnvironment(before, clocks(100), limit),
    readEnvironment(filesOf(end), { ...clocks(110), ownCpuSec }, limit),
    host.cpusOnline,
  );
  return { host, runnableAtStart: 1, during, schedStatSeen: true, hugePagesDeclined: false };
};

const QUIET = run({ ...BARE_METAL_INTEL, ...stat(1000, 0) }, { ...BARE_METAL_INTEL, ...stat(8600, 400) }, 3.9);
const codes = (facts: WarningFacts): readonly string[] => environmentWarnings(facts).map(({ code }) => code);

void test("a quiet, tuned machine gives no warning", () => assert.deepEqual(environmentWarnings(QUIET), []));

void test("a run under an emulator is warned of, whatever else", () => {
  const emulated = { ...QUIET, host: { ...QUIET.host, virtualization: "QEMU emulation (TCG)" } };
  const [warning, ...more] = environmentWarnings(emulated);
  assert.deepEqual([warning?.code, more.length], ["emulation", 0]);
  assert.match(warning?.message ?? "", /^this ran under QEMU emulation \(TCG\): its times say nothing/);
});

void test("more benchmark threads than CPUs, all busy, give no warning", () => {
  const full = run({ ...BARE_METAL_INTEL, ...stat(1000, 0) }, { ...BARE_METAL_INTEL, ...stat(1000, 8000) }, 79.9);
  assert.deepEqual(codes(full), []);
});

void test("stolen time is a warning with its share, and not counted as other processes' load", () => {
  const stolen = run({ ...AMD_VM, ...stat(1000, 0) }, { ...AMD_VM, ...stat(1500, 1400, 100) }, 14);
  assert.deepEqual(environmentWarnings({ ...stolen, hugePagesDeclined: true }), [
    {
      code: "steal-time",
      message: "the hypervisor gave 5.0 % of the CPU time to others during the run",
      cure: "Use a dedicated host or pinned virtual CPUs, or repeat the run and compare only interleaved rounds (schbench-ts ab).",
    },
  ]);
});

void test("a CPU limit below the CPUs allowed is a warning, with the time it stopped threads for", () => {
  const limited = run(
    { ...CONTAINER, ...stat(1000, 0), "/sys/fs/cgroup/cpu.stat": "throttled_usec 1000\n" },
    { ...CONTAINER, ...stat(8600, 400), "/sys/fs/cgroup/cpu.stat": "throttled_usec 31000\n" },
    3.9,
  );
  const [warning] = environmentWarnings(limited);
  assert.equal(
    warning?.message,
    "a control group limits this process to 1.5 CPUs (150 ms in 100 ms); it stopped threads for 30.0 ms",
  );
  assert.equal(warning?.code, "cpu-limit");
});

void test("a CPU limit of all CPUs that never stopped a thread is no warning", () => {
  const wide = { ...CONTAINER, "/sys/fs/cgroup/cpu.max": "800000 100000\n" };
  assert.deepEqual(codes(run({ ...wide, ...stat(1000, 0) }, { ...wide, ...stat(8600, 400) }, 3.9)), []);
});

void test("other load at the start needs both: it has been there for a while, and it still is", () => {
  const host = { ...QUIET.host, loadAverage1: 1.2 };
  assert.deepEqual(codes({ ...QUIET, host, runnableAtStart: 3 }), ["other-load-at-start"]);
  assert.deepEqual(
    codes({ ...QUIET, host, runnableAtStart: 1 }),
    [],
    "a run of ours just before leaves a load average",
  );
  assert.deepEqual(codes({ ...QUIET, runnableAtStart: 3 }), [], "a daemon that blinks is no load");
});

void test("what other processes used during the run is the machine's busy time without our own", () => {
  const shared = run({ ...BARE_METAL_INTEL, ...stat(1000, 0) }, { ...BARE_METAL_INTEL, ...stat(7000, 2000) }, 10);
  assert.equal(shared.during?.othersCpus, 1);
  assert.match(environmentWarnings(shared)[0]?.message ?? "", /other processes used 1 CPU of 8 during the run/u);
});

void test("a governor that follows the load is a warning with its name", () => {
  const [warning] = environmentWarnings({ ...QUIET, host: { ...QUIET.host, governor: "schedutil" } });
  assert.equal(warning?.code, "cpu-governor");
  assert.match(warning?.message ?? "", /"schedutil"/u);
  assert.deepEqual(codes({ ...QUIET, host: { ...QUIET.host, governor: null } }), []);
});

void test("a scheduler that was thrown out, or reloaded, during the run is a warning", () => {
  const start = { ...SCHED_EXT, ...stat(1000, 0) };
  const gone = run(start, { ...start, ...stat(8600, 400), "/sys/kernel/sched_ext/state": "disabled\n" }, 3.9);
  assert.match(environmentWarnings(gone)[0]?.message ?? "", /from "lavd_1\.0\.9_\w+" to "disabled"/u);
  const again = run(start, { ...start, ...stat(8600, 400), "/sys/kernel/sched_ext/enable_seq": "5\n" }, 3.9);
  assert.match(environmentWarnings(again)[0]?.message ?? "", /was reloaded during the run/u);
  assert.deepEqual(codes(run(start, { ...start, ...stat(8600, 400) }, 3.9)), []);
});

void test("a machine that was suspended during the run is a warning with the length, which the percentiles do not escape", () => {
  const files = filesOf(BARE_METAL_INTEL);
  const during = environmentBetween(
    readEnvironment(files, clocks(100, 3600), null),
    readEnvironment(files, clocks(110, 3612.34), null),
    8,
  );
  const [warning, ...more] = environmentWarnings({ ...QUIET, during });
  assert.deepEqual([warning?.code, more.length], ["suspended", 0]);
  assert.match(
    warning?.message ?? "",
    /^the machine was suspended for 12\.3 s during the run: .* in the percentiles$/u,
  );
  const unsuspended = { ...during, suspendedSec: 0.0001 };
  assert.deepEqual(codes({ ...QUIET, during: unsuspended }), [], "two clocks are never read at the same moment");
});

const online = (cpus: string): FileTree => ({ ...BARE_METAL_INTEL, "/sys/devices/system/cpu/online": `${cpus}\n` });

void test("CPUs that went offline or came online during the run are a warning with their ids", () => {
  const message = (before: string, after: string): string | undefined =>
    environmentWarnings(run(online(before), online(after))).find(({ code }) => code === "cpus-changed")?.message;
  assert.match(message("0-3", "0-1,3") ?? "", /^CPU 2 went offline during the run: the percentiles contain/u);
  assert.match(message("0-1", "1-3") ?? "", /^CPU 0 went offline and CPUs 2,3 came online during the run: /u);
  assert.equal(message("0-3", "0-3"), undefined);
  assert.deepEqual(codes(run(BARE_METAL_INTEL, BARE_METAL_INTEL)), [], "a kernel that does not tell is not doubted");
});

void test("huge pages are a warning unless the engine has declined them", () => {
  const host = { ...QUIET.host, transparentHugepage: "always" };
  assert.deepEqual(codes({ ...QUIET, host }), ["huge-pages"]);
  assert.deepEqual(codes({ ...QUIET, host, hugePagesDeclined: true }), []);
});

void test("a kernel without run delays is a warning", () =>
  assert.deepEqual(codes({ ...QUIET, schedStatSeen: false }), ["no-schedstat"]));

void test("a run without a second reading is judged by what is known", () =>
  assert.deepEqual(codes({ ...QUIET, during: null }), []));

void test("pressure is the share of the run in which some task waited", () => {
  const facts = run({ ...BARE_METAL_INTEL, ...pressure(5_000_000) }, { ...BARE_METAL_INTEL, ...pressure(7_500_000) });
  assert.equal(facts.during?.environment.cpuPressureSomePercent, 25);
});

void test("readings at the same moment say nothing rather than dividing by zero", () => {
  const files = filesOf(BARE_METAL_INTEL);
  const reading = readEnvironment(files, clocks(5), null);
  assert.deepEqual(environmentBetween(reading, reading, 8), {
    environment: {
      stealPercent: null,
      busyPercent: null,
      cpuPressureSomePercent: null,
      schedExtBefore: "disabled",
      schedExtAfter: "disabled",
    },
    othersCpus: null,
    throttledUsec: null,
    schedExtChanged: false,
    suspendedSec: 0,
    cpusGone: [],
    cpusCome: [],
  });
});

void test("without /proc that is what is said, and not that the kernel keeps no run delay", () => {
  const blind = { ...QUIET, host: { ...QUIET.host, cpusAllowed: "" }, schedStatSeen: false };
  assert.deepEqual(codes(blind), ["no-proc"]);
});
