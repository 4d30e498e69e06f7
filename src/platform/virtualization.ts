/**
 * Which hypervisor this machine runs under, if any. On x86 the CPU itself says whether there is one; what it is called
 * comes from the firmware tables or from the paravirtual clock that the kernel has found.
 */
import type { CpuInfo } from "./cpu-info.js";
import { type Files, readValue } from "./files.js";

/** Firmware vendors (or products) that name a hypervisor. First match wins. */
const FIRMWARE = [
  [/\bmicrosoft corporation\b/iu, "Hyper-V"],
  [/\bvmware\b/iu, "VMware"],
  [/\binnotek\b|\bvirtualbox\b/iu, "VirtualBox"],
  [/\bparallels\b/iu, "Parallels"],
  [/\bamazon ec2\b/iu, "Amazon EC2"],
  [/\bgoogle\b/iu, "Google Compute Engine"],
  [/\bxen\b/iu, "Xen"],
  [/\bqemu\b|\bkvm\b|\bopenstack\b|\bovirt\b/iu, "KVM"],
] as const;

/** Clock sources that exist only under one hypervisor. */
const CLOCKS = [
  ["kvm-clock", "KVM"],
  ["hyperv_clocksource", "Hyper-V"],
  ["xen", "Xen"],
] as const;

/**
 * Name of the hypervisor, or null on bare metal.
 *
 * `unnamed hypervisor` where the CPU says that there is one and nothing says which (a Firecracker guest, for one).
 */
export const readVirtualization = (files: Files, cpu: CpuInfo): string | null => {
  const hypervisor = readValue(files, "/sys/hypervisor/type");
  if (hypervisor === "xen") return "Xen";
  const kernel = readValue(files, "/proc/sys/kernel/osrelease") ?? "";
  if (/microsoft/iu.test(kernel)) return "WSL (Hyper-V)";
  if (cpu.hypervisorFlag === false) return null;

  const product = readValue(files, "/sys/class/dmi/id/product_name") ?? "";
  const vendor = readValue(files, "/sys/class/dmi/id/sys_vendor") ?? "";
  const named = FIRMWARE.find(([pattern]) => pattern.test(`${vendor} ${product}`))?.[1] ?? null;
  if (cpu.hypervisorFlag === null) {
    // Arm, POWER and others have no such flag: a bare-metal cloud machine carries the cloud's name, too.
    if (/\bmetal\b/iu.test(product)) return null;
    if (named === "Hyper-V" && !/\bvirtual machine\b/iu.test(product)) return null;
    return named ?? (files.exists("/proc/device-tree/hypervisor") ? "unnamed hypervisor" : null);
  }
  const clocks = readValue(files, "/sys/devices/system/clocksource/clocksource0/available_clocksource") ?? "";
  return named ?? CLOCKS.find(([clock]) => clocks.includes(clock))?.[1] ?? "unnamed hypervisor";
};
