import assert from "node:assert/strict";
import { test } from "node:test";
import { consoleFault, consoleTail } from "../../../../src/laboratory/vm/console-fault.js";

for (const [text, what, means] of [
  [
    "[    3.1] Kernel panic - not syncing: sysrq triggered crash\r\n",
    "its kernel panicked: sysrq triggered crash",
    null,
  ],
  [
    "[    1.2] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\r\n",
    "its kernel panicked: VFS: Unable to mount root fs on unknown-block(0,0)",
    /CONFIG_BLK_DEV_INITRD/,
  ],
  ["Initramfs unpacking failed: write error\n", null, /too little memory/],
  [
    "Failed to execute /bin/schbench-ts-node (error -8)\nKernel panic - not syncing: No init\n",
    "its kernel panicked: No init",
    /BINFMT_ELF/,
  ],
  ["Error loading uncompressed kernel without PVH ELF Note\n", null, /CONFIG_PVH/],
  [
    "[ 9.0] BUG: kernel NULL pointer dereference, address: 0\n",
    'its kernel said "BUG: kernel NULL pointer dereference, address: 0"',
    null,
  ],
  ["[    0.0] Linux version 6.12\n", null, null],
  ["", null, null],
] as const)
  void test(`a console that ends with ${JSON.stringify(text.slice(0, 60))} is read`, () => {
    const fault = consoleFault(text);
    assert.equal(fault.what, what);
    if (means === null) assert.equal(fault.means, null);
    else assert.match(fault.means ?? "", means);
  });

void test("the last lines of a console begin shortly before a panic, not at the end of its long report", () => {
  const lines = Array.from({ length: 60 }, (_, index) =>
    index === 30 ? "Kernel panic - not syncing: why" : `line ${index}`,
  );
  const shown = consoleTail(lines.join("\n"), 10).split("\n");
  assert.equal(shown.length, 10);
  assert.deepEqual(shown.slice(0, 3), ["line 28", "line 29", "Kernel panic - not syncing: why"]);
  assert.deepEqual(consoleTail("a\nb\nc\n", 2), "b\nc");
  assert.equal(consoleTail("\u001B[2Ja\r\nb", 5), "a\nb");
});
