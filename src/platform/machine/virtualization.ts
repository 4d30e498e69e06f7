/**
 * What this machine is made of: bare metal, a hypervisor, an emulator. On x86 the CPU itself says whether there is a
 * hypervisor; what it is called comes from the firmware tables or from the paravirtual clock that the kernel has found. An
 * emulator looks like a hypervisor and must be told from it: no time taken under it means anything.
 */
import type { CpuInfo } from "../cpus/cpu-info.js";
import { type Files, readValue } from "../files.js";

/** Names of what executes the instructions of a program in software, or the kernel's calls outside of a kernel. */
const EMULATORS = {
  qemu: "QEMU emulation (TCG)",
  qemuUser: "QEMU user-mode emulation",
  rosetta: "Rosetta translation",
  gvisor: "gVisor",
  wsl1: "WSL 1",
} as const;

/** Whether a name of `readVirtualization` is that of an emulator: what is timed there is no Linux scheduler on a CPU. */
export const isEmulated = (virtualization: string | null): boolean =>
  Object.values<string | null>(EMULATORS).includes(virtualization);

/** Firmware vendors (or products) that name a hypervisor. First match wins. */
const FIRMWARE = [
  [/\bmicrosoft corporation\b/iu, "Hyper-V"],
  [/\bvmware\b/iu, "VMware"],
  [/\binnotek\b|\bvirtualbox\b/iu, "VirtualBox"],
  [/\bparallels\b/iu, "Parallels"],
  [/\bamazon ec2\b/iu, "Amazon EC2"],
  [/\bgoogle\b/iu, "Google Compute Engine"],
  [/\bxen\b/iu, "Xen"],
  [/\bqemu\b|\bkvm\b|\bopenstack\b|\bovirt\b|\bbochs\b/iu, "KVM"],
] as const;

/** Clock sources that exist only under one hypervisor. */
const CLOCKS = [
  ["kvm-clock", "KVM"],
  ["hyperv_clocksource", "Hyper-V"],
  ["xen", "Xen"],
] as const;

/** What gVisor has said it is, as a kernel, before it put its name there. */
const OLD_GVISOR = "Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016";

/** Kernels that are none, or not the machine's. */
const kernelName = (files: Files): string | null => {
  const release = readValue(files, "/proc/sys/kernel/osrelease") ?? "";
  const version = readValue(files, "/proc/version") ?? "";
  if (/gvisor/iu.test(`${release} ${version}`) || version.startsWith(OLD_GVISOR)) return EMULATORS.gvisor;
  if (!/microsoft/iu.test(release)) return null;
  // WSL 1 translates system calls, as 4.4.0-19041-Microsoft; WSL 2 is a kernel in a virtual machine.
  return /^4\.4\.0-\d+-Microsoft$/u.test(release) ? EMULATORS.wsl1 : "WSL 2 (Hyper-V)";
};

const CLOCK_FILE = "/sys/devices/system/clocksource/clocksource0/available_clocksource";

/** Which processor the kernel runs on, by what only one has; null for others. */
const kernelArch = (cpu: CpuInfo, clocks: string): "x64" | "arm64" | null => {
  if (/\barch_sys_counter\b/u.test(clocks)) return "arm64";
  if (/\b(?:tsc|kvm-clock|hpet|acpi_pm)\b/u.test(clocks)) return "x64";
  return cpu.architecture;
};

/** Programs of one processor on the kernel of another. QEMU's newer ones make up a /proc/cpuinfo, but no clock sources. */
const translatorName = (cpu: CpuInfo, clocks: string, arch: string): string | null => {
  if (/\bVirtualApple\b/u.test(cpu.model ?? "")) return EMULATORS.rosetta;
  if (arch !== "x64" && arch !== "arm64") return null;
  const kernel = kernelArch(cpu, clocks);
  return kernel !== null && kernel !== arch ? EMULATORS.qemuUser : null;
};

/** The counter of the arm64 machine that QEMU emulates: 62.5 MHz, which no CPU in use has. */
const QEMU_ARM_BOGOMIPS = "125.00";

/**
 * QEMU's board for arm64, by its firmware tables or, booted without firmware, by its device tree. With KVM it has the CPU of
 * the host; what it emulates is a CPU of no maker, or one with QEMU's own counter.
 */
const qemuBoardName = (files: Files, cpu: CpuInfo, product: string): string | null => {
  const compatible = readValue(files, "/proc/device-tree/compatible")?.replaceAll("\0", " ") ?? "";
  if (/\bQEMU Virtual Machine\b/iu.test(product)) return EMULATORS.qemu;
  if (/\bKVM Virtual Machine\b/iu.test(product)) return "KVM";
  if (!/\blinux,dummy-virt\b/u.test(compatible)) return null;
  const isNoMakers = /^0x0+$/u.test(cpu.implementer ?? "");
  return isNoMakers || cpu.bogoMips === QEMU_ARM_BOGOMIPS ? EMULATORS.qemu : "QEMU (KVM or emulation)";
};

/** Arm, POWER and others have no flag for it: a bare-metal cloud machine carries the cloud's name, too. */
const nameWithoutFlag = (files: Files, cpu: CpuInfo, product: string, named: string | null): string | null => {
  const board = qemuBoardName(files, cpu, product);
  if (board !== null) return board;
  if (/\bmetal\b/iu.test(product)) return null;
  if (named === "Hyper-V" && !/\bvirtual machine\b/iu.test(product)) return null;
  return named ?? (files.exists("/proc/device-tree/hypervisor") ? "unnamed hypervisor" : null);
};

/**
 * Name of the hypervisor or the emulator, or null on bare metal.
 *
 * `unnamed hypervisor` where the CPU says that there is one and nothing says which (a Firecracker guest, for one).
 *
 * @param arch what this program was compiled for, as Node says it
 */
export const readVirtualization = (files: Files, cpu: CpuInfo, arch: string = process.arch): string | null => {
  const clocks = readValue(files, CLOCK_FILE);
  const outside = kernelName(files) ?? translatorName(cpu, clocks ?? "", arch);
  if (outside !== null) return outside;
  if (readValue(files, "/sys/hypervisor/type") === "xen") return "Xen";
  if (cpu.hypervisorFlag === false) return null;

  const product = readValue(files, "/sys/class/dmi/id/product_name") ?? "";
  const vendor = readValue(files, "/sys/class/dmi/id/sys_vendor") ?? "";
  const named = FIRMWARE.find(([pattern]) => pattern.test(`${vendor} ${product}`))?.[1] ?? null;
  if (cpu.hypervisorFlag === null) return nameWithoutFlag(files, cpu, product, named);
  const byClock = CLOCKS.find(([clock]) => clocks?.includes(clock) === true)?.[1] ?? null;
  if (/\bQEMU TCG CPU\b/u.test(cpu.model ?? "")) return EMULATORS.qemu;
  // QEMU's firmware with none of the clocks that KVM gives its guests.
  const isQemu = named === "KVM" || /\bQEMU\b/u.test(cpu.model ?? "");
  if (isQemu && clocks !== null && byClock === null) return EMULATORS.qemu;
  return named ?? byClock ?? "unnamed hypervisor";
};
