import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCpuInfo, readCpuInfo } from "../../../../src/platform/cpus/cpu-info.js";
import { filesOf } from "../machines.js";

const MODELS = [
  [
    "x86",
    "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R)\nflags\t: fpu\n",
    "Intel(R) Xeon(R)",
  ],
  ["a known Arm core", "CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n", "Arm Neoverse V2"],
  ["an unknown Arm core", "CPU implementer\t: 0x61\nCPU part\t: 0x022\n", "Arm implementer 0x61 part 0x022"],
  ["POWER", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 3800MHz\n", "POWER9, altivec supported"],
  ["RISC-V", "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nuarch\t\t: sifive,u74-mc\n", "sifive,u74-mc"],
  ["nothing known", "processor\t: 0\n", null],
] as const;

for (const [name, text, model] of MODELS) {
  void test(`the CPU model of ${name} is ${model ?? "not known"}`, () => assert.equal(parseCpuInfo(text).model, model));
}

void test("a board whose CPU has no name is named by its device tree", () => {
  const files = filesOf({ "/proc/cpuinfo": "processor\t: 0\n", "/proc/device-tree/model": "StarFive VisionFive 2\0" });
  assert.equal(readCpuInfo(files).model, "StarFive VisionFive 2");
});

void test("the hypervisor flag counts as a whole word, and is unknown where there are no flags", () => {
  assert.equal(parseCpuInfo("flags\t: fpu hypervisor\n").hypervisorFlag, true);
  assert.equal(parseCpuInfo("flags\t: fpu nohypervisorx\n").hypervisorFlag, false);
  assert.equal(parseCpuInfo("Features\t: fp\n").hypervisorFlag, null);
});

void test("an x86 core is told by vendor, family and model, which hosts do not hide", () => {
  const zen4 = "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n";
  assert.equal(parseCpuInfo(zen4).signature, "AuthenticAMD family 25 model 17");
  assert.equal(parseCpuInfo("CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n").signature, null);
});
