/** The kernel that was asked for, from its image, and the one that runs: are they the same? */
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { UserError } from "../../errors.js";
import { fileReason } from "../../file-reason.js";
import { readValue } from "../../platform/files.js";
import { KERNEL_HEAD_BYTES, kernelImageOf } from "../vm/kernel-image.js";
import { buildIdIn, buildIdOfElf } from "./elf-notes.js";
import type { RebootSystem } from "./system.js";

/** What tells one kernel from another; null is unknown. */
export interface KernelIdentity {
  /** `uname -r` */
  readonly release: string;
  /** `uname -v`: number, configuration and time of the build. */
  readonly build: string | null;
  /** Of the linker, in hexadecimal. */
  readonly buildId: string | null;
}

/** The kernel that runs. */
export interface RunningKernel extends KernelIdentity {
  readonly bootId: string;
  readonly commandLine: string;
}

/** A kernel in a file. */
export interface KernelFile extends KernelIdentity {
  readonly path: string;
  /** The first root beside it; null: none is known. */
  readonly initrd: string | null;
}

const NOTES = "/sys/kernel/notes";
const SETUP_SECTORS_AT = 0x1f1;
const PAYLOAD_OFFSET_AT = 0x248;
const PAYLOAD_LENGTH_AT = 0x24c;
const SECTOR_BYTES = 512;
/** How long the packed kernel is when unpacked follows it, and is no part of what packers write, but of gzip's. */
const LENGTH_BYTES = 4;

/** Packers of kernels by their first bytes (scripts/extract-vmlinux in Linux' sources), and who unpacks them. */
const PACKERS = [
  { magic: "28b52ffd", command: ["zstd", "-dcq"] },
  { magic: "fd377a58", command: ["xz", "-dcq", "--single-stream"] },
  { magic: "02214c18", command: ["lz4", "-dcq"] },
  { magic: "425a68", command: ["bzip2", "-dcq"] },
] as const;

/** The kernel as the linker left it, from a bzImage; null: nobody here unpacks it. */
const unpacked = async (image: Buffer, system: RebootSystem): Promise<Buffer | null> => {
  const start = (image.readUInt8(SETUP_SECTORS_AT) + 1) * SECTOR_BYTES + image.readUInt32LE(PAYLOAD_OFFSET_AT);
  const payload = image.subarray(start, start + image.readUInt32LE(PAYLOAD_LENGTH_AT));
  const magic = payload.toString("hex", 0, 6);
  if (magic.startsWith("1f8b")) {
    try {
      return gunzipSync(payload);
    } catch {
      return null;
    }
  }
  const packer = PACKERS.find(({ magic: first }) => magic.startsWith(first));
  if (packer === undefined || system.findProgram(packer.command[0]) === null) return null;
  return (await system.run(packer.command, payload.subarray(0, payload.length - LENGTH_BYTES))).stdout;
};

/** Names of the first root of a kernel `vmlinuz-RELEASE`, as distributions give them. */
const initrdsOf = (kernel: string): readonly string[] => {
  const suffix = /^[^-]+-(.+)$/u.exec(basename(kernel))?.[1];
  if (suffix === undefined) return [];
  return [`initrd.img-${suffix}`, `initramfs-${suffix}.img`, `initrd-${suffix}`].map((name) =>
    join(dirname(kernel), name),
  );
};

/**
 * Reads a kernel's image.
 *
 * @throws UserError for a file that is no kernel, or whose release cannot be told
 */
export const readKernelFile = async (
  path: string,
  initrd: string | null,
  system: RebootSystem,
): Promise<KernelFile> => {
  let image: Buffer;
  try {
    image = system.readBytes(path);
  } catch (thrown) {
    throw new UserError(`cannot read the kernel "${path}": ${fileReason(thrown, "read")}`, "Name another file.", {
      cause: thrown,
    });
  }
  const found = kernelImageOf(image.subarray(0, KERNEL_HEAD_BYTES), path);
  if (found.kind !== "bzImage" || found.version === null)
    throw new UserError(
      `cannot boot this machine with "${path}": the file does not tell its release`,
      "Give a bzImage, such as /boot/vmlinuz-6.1.0-18-amd64.",
    );
  const vmlinux = await unpacked(image, system);
  return {
    path,
    release: found.version,
    build: found.build,
    buildId: vmlinux === null ? null : buildIdOfElf(vmlinux),
    initrd: initrd ?? initrdsOf(path).find((file) => system.files.exists(file)) ?? null,
  };
};

const notesOf = (system: RebootSystem): Buffer => {
  try {
    return system.readBytes(NOTES);
  } catch {
    return Buffer.alloc(0);
  }
};

/** Reads which kernel runs. */
export const readRunningKernel = (system: RebootSystem): RunningKernel => {
  const { files } = system;
  return {
    bootId: readValue(files, "/proc/sys/kernel/random/boot_id") ?? "",
    release: readValue(files, "/proc/sys/kernel/osrelease") ?? "",
    build: readValue(files, "/proc/sys/kernel/version"),
    buildId: buildIdIn(notesOf(system)),
    commandLine: readValue(files, "/proc/cmdline") ?? "",
  };
};

/** How a running kernel is another than the one asked for, as the end of a sentence; null: it is that one, as far as both are known. */
export const otherThan = (asked: KernelIdentity, now: KernelIdentity): string | null => {
  const differs = (key: keyof KernelIdentity): boolean =>
    asked[key] !== null && now[key] !== null && asked[key] !== now[key];
  if (differs("release")) return `release "${now.release}" instead of "${asked.release}"`;
  if (differs("build")) return `another build of "${now.release}": "${now.build}" instead of "${asked.build}"`;
  if (differs("buildId")) return `build id ${now.buildId} instead of ${asked.buildId}`;
  return null;
};
