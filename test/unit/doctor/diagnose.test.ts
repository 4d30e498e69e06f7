import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CHECKS, diagnose, isFit } from "../../../src/doctor/diagnose.js";
import type { DoctorFacts } from "../../../src/doctor/facts.js";
import type { Finding } from "../../../src/doctor/finding.js";
import { readDoctorFacts } from "../../../src/doctor/read-facts.js";
import { AMD_VM, ARM64, BARE_METAL_INTEL, CONTAINER, SCHED_EXT } from "../platform/machines.js";
import { EQUIPPED, type Patient, idleSecond, surroundingsOf } from "./patients.js";

const factsOf = (patient: Patient): Promise<DoctorFacts> => readDoctorFacts(surroundingsOf(patient));

const examine = async (patient: Patient): Promise<readonly Finding[]> => diagnose(await factsOf(patient));

const find = (findings: readonly Finding[], id: string): Finding | undefined =>
  findings.find((finding) => finding.id === id);

const metal = { ...BARE_METAL_INTEL, ...EQUIPPED };
const healthy = await factsOf({ tree: metal, afterSecond: idleSecond(metal, 8) });

const NO_ENGINE = { build: null, reason: "no library was built", home: "checkout" } as const;

/** What one check says when one thing about a healthy machine is different. */
const judge = (id: string, change: Partial<DoctorFacts>): Finding | undefined =>
  find(diagnose({ ...healthy, ...change }), id);

const config = (entries: Readonly<Record<string, string>>) => ({ kernelConfig: new Map(Object.entries(entries)) });

const statusOfNode = (node: string) => judge("node", { host: { ...healthy.host, node } })?.status;

void test("a quiet, tuned bare-metal machine is fit, with nothing but its mitigations to note", () => {
  const findings = diagnose(healthy);
  assert.ok(isFit(findings));
  assert.deepEqual(
    findings.filter(({ status }) => status !== "ok").map(({ id }) => id),
    ["mitigations"],
  );
});

void test("everything that is not ok says what it costs, and everything bad how to mend it", async () => {
  const machines = await Promise.all([AMD_VM, ARM64, CONTAINER, SCHED_EXT, {}].map((tree) => examine({ tree })));
  for (const { id, status, cost, remedy } of machines.flat()) {
    if (status !== "ok") assert.ok(cost, id);
    if (status === "bad") assert.match(remedy ?? "", /\.$/u, id);
  }
});

void test("the worst comes first, and each check speaks at most once", async () => {
  const findings = await examine({ tree: AMD_VM, afterSecond: idleSecond(AMD_VM, 2, 100, 20) });
  const order = findings.map(({ status }) => ["bad", "note", "ok"].indexOf(status));
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(findings.map(({ id }) => id)).size, findings.length);
});

void test("stolen time and other load are bad, and the busiest processes are named", async () => {
  const tree = { ...AMD_VM, "/proc/31/stat": "31 (make (all)) R 1 31 31 0 -1 4194560 9 0 0 0 5 2 0 0 20 0 1 0 9\n" };
  const later = { ...tree, "/proc/31/stat": "31 (make (all)) R 1 31 31 0 -1 4194560 9 0 0 0 95 12 0 0 20 0 1 0 9\n" };
  const findings = await examine({ tree, afterSecond: idleSecond(later, 2, 100, 20) });
  assert.equal(find(findings, "steal-time")?.what, "10 % of the CPU time went to other guests while this was measured");
  assert.equal(find(findings, "other-load")?.what, "other processes use 1 of 2 CPUs: make (all) (31)");
  assert.ok(!isFit(findings));
});

void test("a CPU limit below the allowed CPUs is bad, one above them a note", () => {
  const limit = { periodUsec: 100_000, folder: "/sys/fs/cgroup" };
  assert.equal(judge("cpu-limit", { cpuLimit: { ...limit, quotaUsec: 150_000 } })?.status, "bad");
  assert.equal(judge("cpu-limit", { cpuLimit: { ...limit, quotaUsec: 800_000 } })?.status, "note");
  assert.equal(judge("cpu-limit", {})?.status, "ok");
});

void test("a process that may not use all CPUs is told so", () => {
  const finding = judge("allowed-cpus", { host: { ...healthy.host, cpusAllowed: "0,2,5-6" } });
  assert.equal(finding?.what, "4 of 8 may be used (0,2,5-6)");
  assert.equal(finding?.status, "note");
});

void test("isolated CPUs matter only when they may be used", () => {
  assert.equal(judge("isolated-cpus", { isolatedCpus: [] }), undefined);
  assert.equal(judge("isolated-cpus", { isolatedCpus: [2, 3] })?.status, "note");
  assert.equal(judge("isolated-cpus", { isolatedCpus: [900] })?.status, "ok");
});

void test("a governor that follows the load is bad; none is usual in a guest and worth a note on metal", () => {
  assert.equal(judge("governor", { governors: "performance, powersave" })?.status, "bad");
  assert.equal(judge("governor", { governors: null })?.status, "note");
  const host = { ...healthy.host, virtualization: "KVM" };
  assert.equal(judge("governor", { governors: null, host })?.status, "ok");
});

const on = (virtualization: string | null, container: string | null = null) => ({
  host: { ...healthy.host, virtualization, container },
});

void test("an emulator is bad, a hypervisor and a container are notes", () => {
  assert.equal(judge("virtualization", on("QEMU emulation (TCG)"))?.status, "bad");
  assert.equal(judge("virtualization", on("gVisor"))?.what, "no: this is gVisor");
  assert.equal(judge("virtualization", on("KVM"))?.status, "note");
  assert.equal(judge("container", on(null)), undefined);
  assert.equal(judge("container", on(null, "Docker"))?.what, "yes, Docker");
});

void test("turbo, sibling threads and deep idle states are notes", () => {
  assert.equal(judge("turbo", { turbo: "on" })?.status, "note");
  assert.equal(judge("smt", { smtActive: true })?.status, "note");
  const idle = judge("idle-states", {
    idleStates: [
      { name: "C1", latencyUsec: 1 },
      { name: "C6", latencyUsec: 290 },
    ],
  });
  assert.deepEqual([idle?.status, idle?.what], ["note", "deepest is C6, 290 µs to leave"]);
});

void test("an idle state that is switched off is not counted", () => {
  assert.equal(judge("idle-states", {})?.what, "deepest is C1, 1 µs to leave");
});

void test("a clock that needs system calls is bad", () => {
  assert.equal(judge("clock-source", { clockSource: "hpet" })?.status, "bad");
  assert.equal(judge("clock-source", { clockSource: "arch_sys_counter" })?.status, "ok");
});

void test("automatic NUMA balancing is a note where there are several nodes", () => {
  assert.equal(judge("numa", { numaNodes: 2, numaBalancing: true })?.status, "note");
  assert.equal(judge("numa", { numaNodes: 2, numaBalancing: false })?.status, "ok");
  assert.equal(judge("numa", { numaNodes: 1, numaBalancing: true })?.status, "ok");
});

void test("a debug kernel is bad, an unknown or a slow-ticking one a note", () => {
  const slow = judge("debug-kernel", config({ HZ: "1000", KASAN: "y", PROVE_LOCKING: "y" }));
  assert.deepEqual([slow?.status, slow?.what], ["bad", "KASAN, PROVE_LOCKING"]);
  assert.equal(judge("debug-kernel", config({ HZ: "100" }))?.status, "note");
  assert.equal(judge("debug-kernel", { kernelConfig: null })?.status, "note");
  assert.equal(judge("debug-kernel", {})?.what, "HZ 1000, preemption unknown, no slow debug option");
});

void test("a sched_ext scheduler in charge is fine, one for other tasks only is a note", async () => {
  const { schedExt } = await factsOf({ tree: SCHED_EXT });
  assert.equal(judge("sched-ext", { schedExt })?.what, "lavd_1.0.9_x86_64_unknown_linux_gnu is in charge");
  assert.equal(judge("sched-ext", { schedExt: { ...schedExt, switchAll: false } })?.status, "note");
  assert.equal(judge("sched-ext", { schedExt: { ...schedExt, supported: false } })?.status, "ok");
});

void test("what the kernel does not keep is a note", () => {
  assert.equal(judge("run-delay", { schedStat: false })?.status, "note");
  assert.equal(judge("pressure", { pressure: false })?.status, "note");
  assert.equal(judge("timer-slack", { timerSlackNsec: 1 })?.what, "0.001 µs");
  const tracing = { ready: false, missing: "tracing is for root only", remedy: "Run it as root." } as const;
  assert.equal(judge("tracing", { tracing })?.what, "tracing is for root only");
});

void test("huge pages everywhere are a note", () => {
  const host = { ...healthy.host, transparentHugepage: "always" };
  assert.equal(judge("huge-pages", { host })?.status, "note");
});

void test("a Node that is too old is bad, the oldest supported one is not", () => {
  assert.deepEqual(["18.20.0", "20.18.9", "20.19.0", "26.1.0"].map(statusOfNode), ["bad", "bad", "ok", "ok"]);
});

void test("without a native engine the way to one depends on the compiler", () => {
  assert.match(judge("engine", { nativeEngine: NO_ENGINE })?.remedy ?? "", /run npm run build:native/u);
  for (const home of ["package", "executable"] as const) {
    const nativeEngine = { ...NO_ENGINE, home };
    // There is nothing to build it from: another machine's checkout has it.
    assert.match(judge("engine", { nativeEngine })?.remedy ?? "", /in a checkout/u);
    assert.equal(judge("compiler", { nativeEngine, compiler: null }), undefined);
  }
  assert.equal(judge("compiler", { nativeEngine: NO_ENGINE, compiler: null })?.status, "note");
  assert.equal(judge("compiler", { compiler: null })?.status, "ok");
});

void test("too little room for threads or memory is a note", () => {
  const nearestThreadLimit = { name: "pids.max", max: 100, inUse: 98, remedy: "Raise it." };
  assert.equal(judge("threads", { nearestThreadLimit })?.what, "2 more can be started (limit: pids.max)");
  assert.equal(judge("threads", { nearestThreadLimit })?.status, "note");
  assert.equal(judge("memory", { availableMemoryBytes: 100 * 1024 * 1024 })?.status, "note");
});

void test("a machine of which nothing can be read is examined all the same", async () => {
  const findings = await examine({ tree: {} });
  assert.ok(findings.length > 0);
  assert.equal(find(findings, "steal-time"), undefined);
});

void test("every check has an identifier and a title of its own", () => {
  const titles = Object.values(CHECKS).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  for (const id of Object.keys(CHECKS)) assert.match(id, /^[a-z]+(-[a-z]+)*$/u);
});

void test("docs/doctor.md explains every check", () => {
  const text = readFileSync("docs/doctor.md", "utf8");
  for (const id of Object.keys(CHECKS)) assert.ok(text.includes(`| \`${id}\` |`), id);
});
