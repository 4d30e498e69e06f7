/** Can this machine boot this guest? Asked before anything starts. */
import { accessSync, closeSync, constants, openSync, readSync } from "node:fs";
import { availableParallelism } from "node:os";
import { UserError } from "../../errors.js";
import type { VmShape } from "../../experiment/whereabouts.js";
import { fileReason } from "../../file-reason.js";
import { hostFiles } from "../../platform/files.js";
import { availableMemoryBytes } from "../../platform/limits/memory.js";
import { BYTES_PER_MIB } from "../../units.js";
import { findProgram } from "./brought-programs.js";
import { KERNEL_HEAD_BYTES, type KernelImage, kernelImageOf } from "./kernel-image.js";
import { QEMU, topologyFits } from "./qemu-command.js";

/** What a check looks at. */
export interface VmHost {
  readonly hasQemu: boolean;
  /** Why /dev/kvm cannot be used; null: it can be opened. */
  readonly kvmFault: string | null;
  readonly cpus: number;
  /** null: not known. */
  readonly freeMemoryMib: number | null;
  /** The first bytes of a file; throws what the system says. */
  readonly head: (path: string) => Buffer;
}

const headOf = (path: string): Buffer => {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(KERNEL_HEAD_BYTES);
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
};

const kvmFaultHere = (): string | null => {
  try {
    accessSync("/dev/kvm", constants.R_OK | constants.W_OK);
    return null;
  } catch (thrown) {
    return fileReason(thrown, "read");
  }
};

const freeMemoryHere = (): number | null => {
  const bytes = availableMemoryBytes(hostFiles);
  return bytes === null ? null : Math.floor(bytes / BYTES_PER_MIB);
};

/** This machine. */
export const hostForVm = (): VmHost => ({
  hasQemu: findProgram(QEMU.program, process.env["PATH"] ?? "/usr/bin:/bin") !== null,
  kvmFault: kvmFaultHere(),
  cpus: availableParallelism(),
  freeMemoryMib: freeMemoryHere(),
  head: headOf,
});

/** The first root takes about half of this, twice while it is unpacked. */
const LEAST_MEMORY_MIB = 512;

const readKernel = (path: string, host: VmHost): KernelImage => {
  let head: Buffer;
  try {
    head = host.head(path);
  } catch (thrown) {
    throw new UserError(`cannot read the kernel "${path}": ${fileReason(thrown, "read")}`, "Name another file.", {
      cause: thrown,
    });
  }
  return kernelImageOf(head, path);
};

const checkCpus = (vm: VmShape, host: VmHost): void => {
  if (!topologyFits(vm))
    throw new UserError(
      `sockets, cores and threads in --vm do not make ${vm.cpus} CPUs`,
      "Give a product of the three that is cpus=, or leave one of them out.",
    );
  if (vm.nodes > vm.cpus) throw new UserError(`${vm.cpus} CPUs cannot be divided among ${vm.nodes} NUMA nodes`);
  if (vm.pin !== null && vm.pin.length !== vm.cpus)
    throw new UserError(
      `pin= in --vm names ${vm.pin.length} CPUs for ${vm.cpus} of the guest`,
      "Each CPU of the guest is pinned to one of this machine.",
    );
  // What is emulated is not timed.
  if (!vm.emulate && vm.cpus > host.cpus)
    throw new UserError(
      `a guest of ${vm.cpus} CPUs does not fit this machine: it has ${host.cpus}`,
      `Give --vm cpus=${host.cpus} or fewer: CPUs of a guest that share one here wait for each other.`,
    );
};

const checkMemory = ({ memoryMib }: VmShape, { freeMemoryMib }: VmHost): void => {
  if (memoryMib < LEAST_MEMORY_MIB)
    throw new UserError(
      `a guest of ${memoryMib} MiB is too small: its programs alone need ${LEAST_MEMORY_MIB}`,
      "Give it more with --vm memory=1G.",
    );
  if (freeMemoryMib !== null && memoryMib > freeMemoryMib)
    throw new UserError(
      `a guest of ${memoryMib} MiB does not fit this machine: it has ${freeMemoryMib} MiB free`,
      "Give it less with --vm memory=….",
    );
};

/**
 * Checks a guest against the machine that is to run it.
 *
 * @throws UserError for the first thing that would keep it from booting
 */
export const checkVm = (kernel: string, vm: VmShape, host: VmHost): KernelImage => {
  if (!host.hasQemu)
    throw new UserError(
      `cannot boot "${kernel}": there is no ${QEMU.program}`,
      `Install QEMU: apt install ${QEMU.debian} (Debian, Ubuntu), dnf install ${QEMU.fedora} (Fedora).`,
    );
  const image = readKernel(kernel, host);
  if (!vm.emulate && host.kvmFault !== null)
    throw new UserError(
      `cannot boot "${kernel}" with KVM: /dev/kvm: ${host.kvmFault}`,
      "Load the module kvm_intel or kvm_amd and join the group kvm. --emulate boots without KVM: that shows whether a kernel works, but its times mean nothing.",
    );
  checkCpus(vm, host);
  checkMemory(vm, host);
  return image;
};
