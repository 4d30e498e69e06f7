import assert from "node:assert/strict";
import { test } from "node:test";
import { UserError } from "../../../../src/errors.js";
import { kernelImageOf } from "../../../../src/laboratory/vm/kernel-image.js";

const head = (parts: Readonly<Record<number, string>>): Buffer => {
  const buffer = Buffer.alloc(4096);
  for (const [at, text] of Object.entries(parts)) buffer.write(text, Number(at), "latin1");
  return buffer;
};

void test("a bzImage tells its release and its build", () => {
  const image = head({ 0x202: "HdrS" });
  image.writeUInt16LE(0x400, 0x20e);
  image.write("6.12.1-test (me@here) #1 SMP\0", 0x600, "latin1");
  assert.deepEqual(kernelImageOf(image, "k"), {
    kind: "bzImage",
    version: "6.12.1-test",
    build: "#1 SMP",
  });
});

void test("an uncompressed kernel for x86-64 is one, for another architecture it is refused", () => {
  const elf = head({ 0: "\x7fELF" });
  elf.writeUInt16LE(62, 18);
  assert.deepEqual(kernelImageOf(elf, "vmlinux"), { kind: "elf" });
  elf.writeUInt16LE(183, 18);
  assert.throws(() => kernelImageOf(elf, "vmlinux"), /"vmlinux" is not a kernel for x86-64/);
});

for (const [what, parts, remedy] of [
  ["a Debian package", { 0: "!<arch>\ndebian-binary" }, /dpkg -x/],
  ["an RPM package", { 0: "\xed\xab\xee\xdb" }, /rpm2cpio/],
  ["an initramfs", { 0: "070701" }, /made by this command/],
  ["a kernel for arm64", { 0: "MZ", 0x38: "ARM\x64" }, /x86-64/],
  ["a file compressed by gzip", { 0: "\x1f\x8b" }, /bzImage/],
  ["a file compressed by zstd", { 0: "\x28\xb5\x2f\xfd" }, /bzImage/],
  ["neither a bzImage nor an ELF file", { 0: "#!/bin/sh\n" }, /bzImage/],
] as const)
  void test(`${what} is refused as a kernel, and said to be that`, () => {
    assert.throws(
      () => kernelImageOf(head(parts), "/boot/x"),
      (error) =>
        error instanceof UserError &&
        error.message === `"/boot/x" is not a kernel: it is ${what}` &&
        remedy.test(error.remedy ?? ""),
    );
  });

void test("a file that is shorter than a boot sector is no kernel", () => {
  assert.throws(() => kernelImageOf(Buffer.from(""), "empty"), /"empty" is not a kernel/);
});
