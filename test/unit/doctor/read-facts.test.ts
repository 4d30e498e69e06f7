import assert from "node:assert/strict";
import { test } from "node:test";
import { readDoctorFacts } from "../../../src/doctor/read-facts.js";
import { parseKernelConfig, readKernelConfig } from "../../../src/platform/machine/kernel-config.js";
import { busiestBetween, parseProcessStat } from "../../../src/platform/threads/process-times.js";
import { ARM64, BARE_METAL_INTEL, filesOf } from "../platform/machines.js";
import { EQUIPPED, idleSecond, surroundingsOf } from "./patients.js";

const read = (tree: Readonly<Record<string, string>>) => readDoctorFacts(surroundingsOf({ tree }));

const times = (ticks: number) => ({ name: "x", ticks });

void test("turbo is read from whichever driver there is", async () => {
  assert.equal((await read(BARE_METAL_INTEL)).turbo, "off");
  assert.equal((await read({ "/sys/devices/system/cpu/cpufreq/boost": "1\n" })).turbo, "on");
  assert.equal((await read({ "/sys/devices/system/cpu/cpu0/cpufreq/boost": "0\n" })).turbo, "off");
  assert.equal((await read({})).turbo, null);
});

void test("idle states are those of a CPU that may be used, without the disabled ones", async () => {
  assert.deepEqual((await read(BARE_METAL_INTEL)).idleStates, [
    { name: "POLL", latencyUsec: 0 },
    { name: "C1", latencyUsec: 1 },
  ]);
});

void test("only weaknesses that are mitigated in software count", async () => {
  assert.deepEqual((await read(BARE_METAL_INTEL)).mitigations, ["spectre_v2"]);
  assert.equal((await read(ARM64)).mitigations, null);
});

void test("preemption is what runs, or else what was built", async () => {
  const running = { "/sys/kernel/debug/sched/preempt": "none voluntary (full) lazy\n" };
  assert.equal((await read(running)).preemption, "full");
  assert.equal(
    (await read({ "/proc/config.gz": "CONFIG_PREEMPT_NONE=y\nCONFIG_PREEMPT_DYNAMIC=y\n" })).preemption,
    "none (dynamic)",
  );
  assert.equal((await read({ "/proc/config.gz": "CONFIG_PREEMPT_RT=y\n" })).preemption, "rt");
  assert.equal((await read({ "/proc/config.gz": "CONFIG_PREEMPT=y\n" })).preemption, "full");
  assert.equal((await read({})).preemption, null);
});

void test("the compiler is looked for on the search path", async () => {
  assert.equal((await read(EQUIPPED)).compiler, "gcc");
  assert.equal((await read({ "/opt/gcc": "" })).compiler, null);
});

void test("the second that passes is what is measured", async () => {
  const tree = BARE_METAL_INTEL;
  const { second } = await readDoctorFacts(surroundingsOf({ tree, afterSecond: idleSecond(tree, 8, 200, 8) }));
  assert.equal(second?.environment.stealPercent, 1);
  assert.equal(second?.othersCpus, 2);
});

void test("a schedstat of zeros is none", async () => assert.equal((await read(ARM64)).schedStat, false));

void test("a kernel configuration is found in the kernel or in its package, and switched-off options are not there", () => {
  const text = '# CONFIG_KASAN is not set\nCONFIG_HZ=250\nCONFIG_CC_VERSION_TEXT="gcc 12"\nCONFIG_EXT4_FS=m\n';
  assert.deepEqual(
    [...parseKernelConfig(text)],
    [
      ["HZ", "250"],
      ["CC_VERSION_TEXT", "gcc 12"],
      ["EXT4_FS", "m"],
    ],
  );
  const files = filesOf({ "/proc/sys/kernel/osrelease": "6.1\n", "/boot/config-6.1": text });
  assert.equal(readKernelConfig(files)?.get("HZ"), "250");
  assert.equal(readKernelConfig(filesOf({})), null);
});

void test("a process's name may hold spaces and parentheses", () => {
  const stat = "4711 (a) b (c)) S 1 4711 4711 0 -1 0 0 0 0 0 12 3 0 0 20 0 1 0 100\n";
  assert.deepEqual(parseProcessStat(stat), { name: "a) b (c)", ticks: 15 });
  assert.equal(parseProcessStat(null), null);
  assert.equal(parseProcessStat("4711 (cut"), null);
});

void test("the busiest are those that used time since the first reading, new ones included, without ourselves", () => {
  const before = new Map([
    [1, times(100)],
    [2, times(50)],
    [9, times(0)],
  ]);
  const after = new Map([
    [1, times(101)],
    [2, times(50)],
    [3, times(7)],
    [9, times(90)],
  ]);
  assert.deepEqual(
    busiestBetween(before, after, 9).map(({ pid, ticks }) => [pid, ticks]),
    [
      [3, 7],
      [1, 1],
    ],
  );
});
