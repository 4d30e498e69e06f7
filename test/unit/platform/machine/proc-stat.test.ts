import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cpuSharesBetween,
  parseCpuTimes,
  readCpuPressureUsec,
  readLoadAverage1,
  readRunnableTasks,
} from "../../../../src/platform/machine/proc-stat.js";
import { AMD_VM, filesOf } from "../machines.js";

void test("idle is the 4th number, steal the 8th, and the total is the sum of all", () => {
  assert.deepEqual(parseCpuTimes("cpu  1 2 3 40 5 6 7 8 9 10\ncpu0 9 9 9 9\n"), { idle: 40, total: 91, steal: 8 });
});

void test("an old kernel without steal has none stolen", () => {
  assert.deepEqual(parseCpuTimes("cpu 1 2 3 4\n"), { idle: 4, total: 10, steal: 0 });
});

void test("something else than a first line of CPU times is null", () => {
  for (const text of [null, "", "cpu0 1 2 3 4\n", "cpu  1 2\n", "intr 5\n"]) assert.equal(parseCpuTimes(text), null);
});

void test("shares are of the time between two readings", () => {
  const before = { idle: 1000, total: 2000, steal: 10 };
  assert.deepEqual(cpuSharesBetween(before, { idle: 1150, total: 2200, steal: 20 }), {
    busyPercent: 25,
    stealPercent: 5,
  });
  assert.equal(cpuSharesBetween(before, before), null, "no tick has passed");
  assert.equal(cpuSharesBetween(null, before), null);
});

void test("an idle counter that steps back, as some kernels let it, does not make more than 100 % busy", () => {
  const shares = cpuSharesBetween({ idle: 100, total: 200, steal: 0 }, { idle: 95, total: 300, steal: 0 });
  assert.deepEqual(shares, { busyPercent: 100, stealPercent: 0 });
});

void test("load, runnable tasks and pressure are read, and unknown without their files", () => {
  const files = filesOf(AMD_VM);
  assert.equal(readLoadAverage1(files), 0.61);
  assert.equal(readRunnableTasks(files), 3);
  assert.equal(readCpuPressureUsec(files), 19_913_970, "the line of some, not of full");
  assert.equal(readLoadAverage1(filesOf({})), null);
  assert.equal(readRunnableTasks(filesOf({})), null);
  assert.equal(readCpuPressureUsec(filesOf({})), null);
});
