/**
 * What kind of CPU this is, from the first entry of /proc/cpuinfo. The kernel writes that file CPU by CPU, so reading
 * only its start costs the same on 2 and on 1,000 CPUs.
 */
import { type Files, fieldOf, readValue } from "../files.js";

const FIRST_ENTRY_BYTES = 8192;

/** What kind of CPU it is; null where it is not told. */
export interface CpuInfo {
  readonly model: string | null;
  /** x86: vendor, family and model, since hosts hide the name; null elsewhere, where the model says which core it is. */
  readonly signature: string | null;
  /** Whether the CPU says that it runs under a hypervisor; null: this architecture does not say. */
  readonly hypervisorFlag: boolean | null;
  /** By Node's names, of those that we have engines for. */
  readonly architecture: "x64" | "arm64" | null;
  /** Arm: who made it, `0x41`; `0x00` is nobody. */
  readonly implementer: string | null;
  readonly bogoMips: string | null;
}

/** Arm server and board cores by implementer and part number; source: arch/arm64/include/asm/cputype.h of Linux. */
const ARM_CORES: Readonly<Record<string, string>> = {
  "0x41/0xd03": "Arm Cortex-A53",
  "0x41/0xd07": "Arm Cortex-A57",
  "0x41/0xd08": "Arm Cortex-A72",
  "0x41/0xd0b": "Arm Cortex-A76",
  "0x41/0xd0c": "Arm Neoverse N1",
  "0x41/0xd40": "Arm Neoverse V1",
  "0x41/0xd49": "Arm Neoverse N2",
  "0x41/0xd4f": "Arm Neoverse V2",
  "0x41/0xd84": "Arm Neoverse V3",
  "0x41/0xd8e": "Arm Neoverse N3",
  "0xc0/0xac3": "Ampere-1",
  "0xc0/0xac4": "Ampere-1A",
};

const armModel = (text: string): string | null => {
  const implementer = fieldOf(text, "CPU implementer");
  const part = fieldOf(text, "CPU part");
  if (implementer === null || part === null) return null;
  return ARM_CORES[`${implementer}/${part}`] ?? `Arm implementer ${implementer} part ${part}`;
};

const x86Signature = (text: string): string | null => {
  const parts = [fieldOf(text, "vendor_id"), fieldOf(text, "cpu family"), fieldOf(text, "model")];
  const [vendor, family, model] = parts;
  return parts.includes(null) ? null : `${vendor} family ${family} model ${model}`;
};

/** Pure: model, signature and hypervisor flag from the start of /proc/cpuinfo. */
export const parseCpuInfo = (text: string): CpuInfo => {
  // A family with "model name" is x86; "cpu" is POWER, "uarch" RISC-V, "vendor_id" alone S/390.
  const model =
    fieldOf(text, "model name") ??
    armModel(text) ??
    fieldOf(text, "cpu") ??
    fieldOf(text, "uarch") ??
    fieldOf(text, "isa");
  const flags = fieldOf(text, "flags");
  const implementer = fieldOf(text, "CPU implementer");
  return {
    model,
    signature: x86Signature(text),
    hypervisorFlag: flags === null ? null : /\bhypervisor\b/u.test(flags),
    architecture: implementer === null ? (flags === null ? null : "x64") : "arm64",
    implementer,
    bogoMips: fieldOf(text, "BogoMIPS"),
  };
};

/** What kind of CPU this machine has. */
export const readCpuInfo = (files: Files): CpuInfo => {
  const info = parseCpuInfo(files.readText("/proc/cpuinfo", FIRST_ENTRY_BYTES) ?? "");
  if (info.model !== null) return info;
  // Boards without a CPU name still say what they are; the text of a device tree ends in a zero byte.
  const board = readValue(files, "/proc/device-tree/model")?.replaceAll("\0", "") ?? null;
  return { ...info, model: board };
};
