/** What a machine is made of: hypervisors by name, emulators told from them, containers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readContainer } from "../../../../src/platform/machine/container.js";
import { parseCpuInfo } from "../../../../src/platform/cpus/cpu-info.js";
import { isEmulated, readVirtualization } from "../../../../src/platform/machine/virtualization.js";
import { type FileTree, filesOf } from "../machines.js";

const X86 = "model name\t: AMD EPYC\nflags\t\t: fpu";
const GUEST = `${X86} hypervisor\n`;
const ARM = "BogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
const CLOCKS = "/sys/devices/system/clocksource/clocksource0/available_clocksource";

const firmware = (vendor: string, product: string): FileTree => ({
  "/sys/class/dmi/id/sys_vendor": `${vendor}\n`,
  "/sys/class/dmi/id/product_name": `${product}\n`,
});
const Q35 = firmware("QEMU", "Standard PC (Q35 + ICH9, 2009)");

const nameOf = (cpuInfo: string, tree: FileTree, arch = cpuInfo.includes("implementer") ? "arm64" : "x64") =>
  readVirtualization(filesOf(tree), parseCpuInfo(cpuInfo), arch);

for (const [tree, name] of [
  [Q35, "KVM"],
  [{ ...Q35, [CLOCKS]: "kvm-clock tsc acpi_pm \n" }, "KVM"],
  [firmware("Microsoft Corporation", "Virtual Machine"), "Hyper-V"],
  [firmware("VMware, Inc.", "VMware7,1"), "VMware"],
  [firmware("innotek GmbH", "VirtualBox"), "VirtualBox"],
  [firmware("Amazon EC2", "c7i.large"), "Amazon EC2"],
  [firmware("Google", "Google Compute Engine"), "Google Compute Engine"],
  [{ "/sys/hypervisor/type": "xen\n" }, "Xen"],
  [{ "/proc/sys/kernel/osrelease": "6.6.87.2-microsoft-standard-WSL2\n" }, "WSL 2 (Hyper-V)"],
  [{ [CLOCKS]: "tsc \n" }, "unnamed hypervisor"],
  [{}, "unnamed hypervisor"],
] as const satisfies readonly (readonly [FileTree, string])[])
  void test(`a guest of ${name} is known as one, by ${Object.values(tree).join("").trim() || "its CPU"}`, () => {
    assert.equal(nameOf(GUEST, tree), name);
    assert.equal(isEmulated(name), false);
  });

void test("a cloud's name on a CPU without the hypervisor flag is bare metal", () => {
  assert.equal(nameOf(X86, firmware("Amazon EC2", "c7i.metal-24xl")), null);
});

void test("without such a flag, a vendor of both machines and hypervisors is judged by the product", () => {
  assert.equal(nameOf(ARM, firmware("Microsoft Corporation", "Surface Pro")), null);
  assert.equal(nameOf(ARM, firmware("Microsoft Corporation", "Virtual Machine")), "Hyper-V");
  assert.equal(nameOf(ARM, { "/proc/device-tree/hypervisor/compatible": "kvm" }), "unnamed hypervisor");
});

const BOARD: FileTree = { "/proc/device-tree/compatible": "linux,dummy-virt\0", [CLOCKS]: "arch_sys_counter \n" };
for (const [what, cpuInfo, tree, name] of [
  ["QEMU's firmware and no clock of KVM", GUEST, { ...Q35, [CLOCKS]: "tsc hpet acpi_pm \n" }, "QEMU emulation (TCG)"],
  [
    "QEMU's own CPU, booted without firmware",
    "model name\t: QEMU TCG CPU version 2.5+\nflags\t: fpu hypervisor\n",
    { [CLOCKS]: "tsc \n" },
    "QEMU emulation (TCG)",
  ],
  ["QEMU's arm64 board without KVM", ARM, firmware("QEMU", "QEMU Virtual Machine"), "QEMU emulation (TCG)"],
  ["a board of a device tree with a CPU of no maker", ARM.replace("0x41", "0x00"), BOARD, "QEMU emulation (TCG)"],
  ["a board of a device tree with QEMU's counter", ARM.replace("50.00", "125.00"), BOARD, "QEMU emulation (TCG)"],
  ["gVisor", X86, { "/proc/sys/kernel/osrelease": "4.19.0-gvisor\n" }, "gVisor"],
  [
    "gVisor as it was",
    X86,
    {
      "/proc/sys/kernel/osrelease": "4.4.0\n",
      "/proc/version": "Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016\n",
    },
    "gVisor",
  ],
  ["WSL 1", X86, { "/proc/sys/kernel/osrelease": "4.4.0-19041-Microsoft\n" }, "WSL 1"],
  ["Rosetta", "model name\t: VirtualApple @ 2.50GHz\nflags\t: fpu\n", {}, "Rosetta translation"],
] as const satisfies readonly (readonly [string, string, FileTree, string])[])
  void test(`${what}: an emulator, not a hypervisor`, () => {
    assert.equal(nameOf(cpuInfo, tree), name);
    assert.ok(isEmulated(name));
  });

void test("a program for one processor on a kernel of another is emulated, even with a /proc/cpuinfo made up for it", () => {
  assert.equal(nameOf(X86, {}, "arm64"), "QEMU user-mode emulation");
  assert.equal(nameOf(ARM, {}, "x64"), "QEMU user-mode emulation");
  assert.equal(nameOf(ARM, { [CLOCKS]: "tsc kvm-clock \n" }, "arm64"), "QEMU user-mode emulation");
  assert.equal(nameOf("isa\t: rv64\n", {}, "riscv64"), null);
});

void test("QEMU's board for arm64 with KVM is a virtual machine, and where that is not told, so it is said", () => {
  assert.equal(nameOf(ARM, firmware("QEMU", "KVM Virtual Machine")), "KVM");
  assert.equal(nameOf(ARM, BOARD), "QEMU (KVM or emulation)");
  assert.equal(isEmulated("QEMU (KVM or emulation)"), false);
});

const IN_NAMESPACE: FileTree = { "/proc/1/comm": "sh\n", "/proc/2/comm": "node\n" };
const ON_MACHINE: FileTree = { "/proc/1/comm": "systemd\n", "/proc/2/comm": "kthreadd\n" };
for (const [what, tree, name] of [
  ["Docker's mark in a PID namespace", { ...IN_NAMESPACE, "/.dockerenv": "" }, "Docker"],
  ["Podman's mark where PID 2 is gone", { "/proc/1/comm": "sh\n", "/run/.containerenv": "" }, "Podman"],
  [
    "a service account of Kubernetes",
    { ...IN_NAMESPACE, "/.dockerenv": "", "/var/run/secrets/kubernetes.io/x": "" },
    "Kubernetes",
  ],
  ["systemd's note", { ...IN_NAMESPACE, "/run/systemd/container": "systemd-nspawn\n" }, "systemd-nspawn"],
  [
    "a control group of Docker with the host's PIDs",
    { ...ON_MACHINE, "/proc/self/cgroup": "0::/docker/ab12\n" },
    "Docker",
  ],
  [
    "a control group of a pod",
    { ...IN_NAMESPACE, "/proc/self/cgroup": "0::/kubepods/burstable/pod1/2\n" },
    "Kubernetes",
  ],
  ["a bare PID namespace", IN_NAMESPACE, "PID namespace"],
  ["a machine", ON_MACHINE, null],
  ["a virtual machine that was booted from an image of Docker", { ...ON_MACHINE, "/.dockerenv": "" }, null],
  ["a machine that hides processes", {}, null],
] as const satisfies readonly (readonly [string, FileTree, string | null])[])
  void test(`${what} is ${name ?? "no container"}`, () => assert.equal(readContainer(filesOf(tree)), name));
