import assert from "node:assert/strict";
import { test } from "node:test";
import { hostFiles } from "../../../../src/platform/files.js";
import { spreadOver } from "../../../../src/platform/cpus/governor.js";
import { chosenOf, readHostFacts } from "../../../../src/platform/machine/host-facts.js";
import { hostFacts } from "../../../../src/model/result/run-result.js";
import { AMD_VM, ARM64, BARE_METAL_INTEL, CGROUP_V1, CONTAINER, SCHED_EXT, filesOf } from "../machines.js";

const VERSIONS = { node: "20.20.2", v8: "11.3" };

void test("a bare-metal machine tuned for measuring reads as such", () => {
  assert.deepEqual(readHostFacts(filesOf(BARE_METAL_INTEL), VERSIONS, "x64"), {
    hostname: "rack7",
    kernel: "6.12.9-200.fc41.x86_64",
    schedExt: "disabled",
    cpuModel: "Intel(R) Xeon(R) Platinum 8480+",
    cpuSignature: "GenuineIntel family 6 model 143",
    cpusOnline: 8,
    cpusAllowed: "0-7",
    governor: "performance",
    smt: "off",
    transparentHugepage: "madvise",
    virtualization: null,
    container: null,
    cgroupCpuMax: null,
    loadAverage1: 0.02,
    memoryTotalKib: 263_700_000,
    node: "20.20.2",
    v8: "11.3",
  });
});

void test("a virtual machine without firmware names is known by the CPU's flag and by its clock", () => {
  const facts = readHostFacts(filesOf(AMD_VM), VERSIONS, "x64");
  assert.equal(facts.virtualization, "KVM");
  assert.equal(facts.governor, null, "no frequency scaling is not a governor");
  assert.equal(facts.transparentHugepage, "always");
  const nameless = { ...AMD_VM, "/sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc\n" };
  assert.equal(readHostFacts(filesOf(nameless), VERSIONS, "x64").virtualization, "unnamed hypervisor");
});

void test("the tightest CPU limit is reported whichever version of control groups sets it", () => {
  assert.equal(readHostFacts(filesOf(CONTAINER), VERSIONS, "x64").cgroupCpuMax, "150000 100000");
  assert.equal(readHostFacts(filesOf(CGROUP_V1), VERSIONS, "x64").cgroupCpuMax, "50000 100000");
});

void test("an Arm server is named by its core, its gaps in CPU ids are kept, and cloud metal is not virtual", () => {
  const facts = readHostFacts(filesOf(ARM64), VERSIONS, "arm64");
  assert.equal(facts.cpuModel, "Arm Neoverse N1");
  assert.equal(facts.cpuSignature, null);
  assert.equal(facts.cpusAllowed, "0,2,8-11");
  assert.equal(facts.cpusOnline, 6);
  assert.equal(facts.virtualization, null);
  assert.equal(facts.governor, null);
  assert.equal(facts.smt, null);
  assert.equal(facts.cgroupCpuMax, "300000 100000", "a group above sets it");
});

void test("an Arm guest is virtual by its firmware", () => {
  const guest = { ...ARM64, "/sys/class/dmi/id/sys_vendor": "QEMU\n", "/sys/class/dmi/id/product_name": "virt\n" };
  assert.equal(readHostFacts(filesOf(guest), VERSIONS, "arm64").virtualization, "KVM");
});

void test("the sched_ext scheduler in charge is named as the kernel names it", () => {
  assert.equal(readHostFacts(filesOf(SCHED_EXT), VERSIONS, "x64").schedExt, "lavd_1.0.9_x86_64_unknown_linux_gnu");
});

void test("governors that differ between CPUs are all named", () => {
  const mixed = { ...BARE_METAL_INTEL, "/sys/devices/system/cpu/cpu7/cpufreq/scaling_governor": "powersave\n" };
  assert.equal(readHostFacts(filesOf(mixed), VERSIONS, "x64").governor, "performance, powersave");
});

void test("an unreadable machine gives facts without values, not an error", () => {
  const facts = readHostFacts(filesOf({}), VERSIONS, "x64");
  assert.equal(facts.cpuModel, null);
  assert.equal(facts.cpusOnline, 0);
  assert.equal(facts.schedExt, "disabled");
  assert.equal(facts.memoryTotalKib, null);
  assert.ok(hostFacts.safeParse(facts).success);
});

void test("the facts of the machine that runs the tests fit the result format", () => {
  const facts = readHostFacts(hostFiles);
  assert.deepEqual(hostFacts.parse(facts), facts);
  assert.equal(facts.node, process.versions.node);
  assert.ok(facts.cpusOnline >= 1);
});

void test("the chosen word of a kernel selector is the one in brackets", () => {
  assert.equal(chosenOf("always madvise [never]"), "never");
  assert.equal(chosenOf(null), null);
});

void test("a sample of CPUs holds the first and the last of them, and each once", () => {
  const ids = Array.from({ length: 1000 }, (_, id) => id * 2);
  const some = spreadOver(ids, 16);
  assert.equal(some.length, 16);
  assert.equal(some.at(0), 0);
  assert.equal(some.at(-1), 1998);
  assert.equal(new Set(some).size, 16);
  assert.deepEqual(spreadOver([4, 9], 16), [4, 9]);
});
