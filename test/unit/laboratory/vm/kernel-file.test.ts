import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { kernelFile } from "../../../../src/laboratory/vm/kernel-file.js";

void test("a kernel is named by its file, by the tree that make or vng --build left it in, or by an installed release", () => {
  const folder = mkdtempSync(join(tmpdir(), "kernel-file-"));
  try {
    const image = join(folder, "arch/x86/boot/bzImage");
    assert.throws(() => kernelFile(folder), /no kernel in ".*": it has no arch\/x86\/boot\/bzImage/);
    mkdirSync(join(folder, "arch/x86/boot"), { recursive: true });
    writeFileSync(image, "");
    assert.equal(kernelFile(image), image);
    assert.equal(kernelFile(folder), image);
    assert.equal(kernelFile(`${folder}/`), image);
    // What is nowhere keeps its name, which the check of the image then tells.
    assert.equal(kernelFile("6.0.0-no-such-release"), "6.0.0-no-such-release");
    assert.equal(kernelFile(join(folder, "nope")), join(folder, "nope"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
