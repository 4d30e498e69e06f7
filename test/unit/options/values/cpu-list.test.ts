import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCpuList, MAX_CPU_ID, parseCpuList } from "../../../../src/options/values/cpu-list.js";

for (const [text, cpus] of [
  ["0", [0]],
  ["0-3", [0, 1, 2, 3]],
  ["8,0-1", [0, 1, 8]],
  ["2,2,1-3", [1, 2, 3]],
  ["5000", [5000]],
  ["2047-2049", [2047, 2048, 2049]],
] as const)
  void test(`"${text}" names the CPUs ${cpus.join(" ")}`, () => {
    assert.deepEqual(parseCpuList(text), cpus);
  });

for (const [text, allowed] of [
  ["", "a list of CPUs such as 0-3,8"],
  [",", "a list of CPUs such as 0-3,8"],
  ["0,", "a list of CPUs such as 0-3,8"],
  ["0-", "a list of CPUs such as 0-3,8"],
  ["-1", "a list of CPUs such as 0-3,8"],
  ["0-1-2", "a list of CPUs such as 0-3,8"],
  ["a", "a list of CPUs such as 0-3,8"],
  ["0 1", "a list of CPUs such as 0-3,8"],
  ["3-1", "ranges that rise, such as 1-3"],
  ["0-4000000000", `CPU ids up to ${MAX_CPU_ID}`],
] as const)
  void test(`"${text}" is no CPU list`, () => {
    assert.throws(() => parseCpuList(text), { message: `invalid CPU list "${text}": allowed is ${allowed}` });
  });

void test("CPU lists are written in the kernel's form", () => {
  assert.equal(formatCpuList([]), "");
  assert.equal(formatCpuList([3]), "3");
  assert.equal(formatCpuList([9, 0, 1, 2, 2]), "0-2,9");
  assert.equal(formatCpuList([1023, 1024, 1026]), "1023-1024,1026");
});
