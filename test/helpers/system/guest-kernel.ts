/** Kernels that tests boot: those of SCHBENCH_TS_KERNELS (paths with colons between), else the newest that lies in /boot. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { kernelImageOf } from "../../../src/laboratory/vm/kernel-image.js";

const isKernel = (path: string): boolean => {
  try {
    const file = openSync(path, "r");
    const head = Buffer.alloc(4096);
    readSync(file, head, 0, head.length, 0);
    closeSync(file);
    return kernelImageOf(head, path).kind === "bzImage";
  } catch {
    return false;
  }
};

const inBoot = (): readonly string[] => {
  try {
    return readdirSync("/boot")
      .filter((name) => name.startsWith("vmlinuz"))
      .map((name) => `/boot/${name}`)
      .toSorted()
      .toReversed();
  } catch {
    return [];
  }
};

/** Kernels that can be booted here; empty where there is no QEMU. */
export const guestKernels = (): readonly string[] => {
  if (process.arch !== "x64" || spawnSync("qemu-system-x86_64", ["--version"]).status !== 0) return [];
  const named = process.env["SCHBENCH_TS_KERNELS"];
  return (named === undefined ? inBoot() : named.split(":")).filter(isKernel);
};

/** Why tests of guests are skipped; false: they are not. */
export const noGuests = (kernels: readonly string[], needed: number): string | false =>
  kernels.length < needed &&
  `needs qemu-system-x86_64 and ${needed} kernel${needed === 1 ? "" : "s"} in SCHBENCH_TS_KERNELS or /boot`;
