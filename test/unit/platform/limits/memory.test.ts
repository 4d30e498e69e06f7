import assert from "node:assert/strict";
import { test } from "node:test";
import { availableMemoryBytes, readMemoryTotalKib } from "../../../../src/platform/limits/memory.js";
import { ARM64, BARE_METAL_INTEL, CGROUP_V1, CONTAINER, filesOf } from "../machines.js";

void test("without a limit, what the kernel says is available can be had", () => {
  assert.equal(availableMemoryBytes(filesOf(BARE_METAL_INTEL)), 260_000_000 * 1024);
  assert.equal(readMemoryTotalKib(filesOf(ARM64)), 8_000_000);
});

void test("under a limit it is what the group has left, unused page cache not counted as used", () => {
  assert.equal(availableMemoryBytes(filesOf(CONTAINER)), 536_870_912 - (436_870_912 - 200_000_000));
  assert.equal(availableMemoryBytes(filesOf(CGROUP_V1)), 1_073_741_824 - 73_741_824);
});

void test("a group over its limit has nothing left", () => {
  const full = { ...CONTAINER, "/sys/fs/cgroup/memory.current": "900000000\n" };
  assert.equal(availableMemoryBytes(filesOf(full)), 0);
});

void test("an unknown amount is null", () => assert.equal(availableMemoryBytes(filesOf({})), null));
