/** Is a file a kernel that QEMU boots, and which? Its first bytes say (Documentation/arch/x86/boot.rst). Pure. */
import { UserError } from "../../errors.js";

/** What a file's first bytes say. */
export type KernelImage =
  | {
      readonly kind: "bzImage";
      /** `uname -r` */
      readonly version: string | null;
      /** `uname -v` */
      readonly build: string | null;
    }
  /** An uncompressed vmlinux, which QEMU starts by its PVH note. */
  | { readonly kind: "elf" };

/** So much of a file is looked at: the x86 boot sector and set-up code. */
export const KERNEL_HEAD_BYTES = 64 * 1024;

const HEADER_MAGIC = { at: 0x202, text: "HdrS" } as const;
const VERSION_POINTER_AT = 0x20e;
const SETUP_AT = 0x200;
const ELF_MACHINE_AT = 18;
const ELF_X86_64 = 62;

const REMEDY = "Give a bzImage, such as /boot/vmlinuz-6.1.0-18-amd64 or arch/x86/boot/bzImage of a kernel tree.";

/** What is taken for a kernel by mistake, by its first bytes. */
const MISTAKES = [
  {
    at: 0,
    bytes: "!<arch>\n",
    what: "a Debian package",
    remedy: "Unpack it: dpkg -x PACKAGE FOLDER; the kernel is FOLDER/boot/vmlinuz-*.",
  },
  {
    at: 0,
    bytes: "\xed\xab\xee\xdb",
    what: "an RPM package",
    remedy: "Unpack it: rpm2cpio PACKAGE | cpio -id; the kernel is lib/modules/*/vmlinuz.",
  },
  {
    at: 0,
    bytes: "070701",
    what: "an initramfs",
    remedy: "The kernel is the vmlinuz beside it; the initramfs is made by this command.",
  },
  {
    at: 0,
    bytes: "\x1f\x8b",
    what: "a file compressed by gzip",
    remedy: "It may be an initramfs, or a kernel of another architecture. " + REMEDY,
  },
  { at: 0, bytes: "\x28\xb5\x2f\xfd", what: "a file compressed by zstd", remedy: REMEDY },
  { at: 0, bytes: "\xfd7zXZ", what: "a file compressed by xz", remedy: REMEDY },
  {
    at: 0x38,
    bytes: "ARM\x64",
    what: "a kernel for arm64",
    remedy: "The guest runs this machine's programs, so its kernel must be for x86-64.",
  },
] as const;

const textAt = (head: Buffer, start: number): string | null => {
  const end = head.indexOf(0, start);
  return start >= head.length || end < 0 ? null : head.toString("latin1", start, end);
};

/**
 * Looks at the first bytes of a kernel.
 *
 * @throws UserError that says what the file is instead
 */
export const kernelImageOf = (head: Buffer, path: string): KernelImage => {
  if (head.toString("latin1", HEADER_MAGIC.at, HEADER_MAGIC.at + 4) === HEADER_MAGIC.text) {
    const pointer = head.readUInt16LE(VERSION_POINTER_AT);
    const words = pointer === 0 ? null : textAt(head, SETUP_AT + pointer);
    return {
      kind: "bzImage",
      version: words?.split(" ")[0] ?? null,
      build: words === null ? null : (/#\d.*/u.exec(words)?.[0] ?? null),
    };
  }
  if (head.toString("latin1", 0, 4) === "\x7fELF") {
    if (head.readUInt16LE(ELF_MACHINE_AT) === ELF_X86_64) return { kind: "elf" };
    throw new UserError(`"${path}" is not a kernel for x86-64: it is for another architecture`, REMEDY);
  }
  const mistake = MISTAKES.find(({ at, bytes }) => head.toString("latin1", at, at + bytes.length) === bytes);
  throw new UserError(
    `"${path}" is not a kernel: it is ${mistake?.what ?? "neither a bzImage nor an ELF file"}`,
    mistake?.remedy ?? REMEDY,
  );
};
