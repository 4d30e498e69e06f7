import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fieldOf } from "../../src/platform/files.js";
import { ENGINES, testBench } from "../helpers/engines.js";

const STARTS = 1000;
const WARM = 100;

const residentKib = (): number => Number(fieldOf(readFileSync("/proc/self/status", "utf8"), "VmRSS")?.split(" ")[0]);
const threads = (): number => readdirSync("/proc/self/task").length;
const descriptors = (): number => readdirSync("/proc/self/fd").length;

test(`native: ${STARTS} starts, stops and joins leave no thread, no memory and no descriptor behind`, async (t) => {
  const engine = ENGINES.find(({ name }) => name.startsWith("native"));
  if (engine === undefined) return t.skip("no native engine was built on this machine");
  const bench = testBench(engine, 4);
  const once = async (): Promise<void> => {
    bench.reset();
    for (let i = 0; i < 4; i++) bench.partner(i, i ^ 1);
    for (let i = 0; i < 4; i++) bench.start(i, "test_hand_over", [5, i % 2 === 0 ? 1 : 0]);
    await bench.run();
  };
  for (let i = 0; i < WARM; i++) await once();
  const before = { kib: residentKib(), threads: threads(), descriptors: descriptors() };
  for (let i = 0; i < STARTS; i++) await once();
  assert.equal(threads(), before.threads);
  assert.equal(descriptors(), before.descriptors);
  assert.ok(residentKib() - before.kib < 16 * 1024, `${residentKib() - before.kib} KiB more`);
  return undefined;
});
