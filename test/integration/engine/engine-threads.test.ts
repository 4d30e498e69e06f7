import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { cpuIdsOf } from "../../../src/platform/cpus/cpu-ids.js";
import { fieldOf } from "../../../src/platform/files.js";
import { ENGINES, testBench, until } from "../../helpers/engines.js";

const HAND_OVERS = 3000;
const PUTTERS = 6;
const PUTS = 1000;
const LOCKERS = 4;
const LOCKED = 20_000;

const ownCpus = cpuIdsOf(fieldOf(readFileSync("/proc/self/status", "utf8"), "Cpus_allowed_list"));

for (const engine of ENGINES) {
  test(`${engine.name}: ${HAND_OVERS} hand-overs between two threads lose nothing and wake nobody twice`, async () => {
    const bench = testBench(engine, 2);
    bench.partner(0, 1);
    bench.partner(1, 0);
    bench.start(0, "test_hand_over", [HAND_OVERS, 1]);
    bench.start(1, "test_hand_over", [HAND_OVERS, 0]);
    await bench.run();
    assert.equal(bench.loops(0), HAND_OVERS - 1);
    assert.equal(bench.loops(1), HAND_OVERS);
  });

  test(`${engine.name}: threads that are up wait at the gate until it is opened`, async () => {
    const bench = testBench(engine, 2);
    bench.partner(0, 1);
    bench.partner(1, 0);
    bench.start(0, "test_hand_over", [2, 1]);
    bench.start(1, "test_hand_over", [2, 0]);
    await until("both are up", () => bench.memory.read(bench.control, "Control.waiting") === 2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual([bench.loops(0), bench.loops(1)], [0, 0]);
    await bench.run();
    assert.deepEqual([bench.loops(0), bench.loops(1)], [1, 2]);
  });

  test(`${engine.name}: a list with ${PUTTERS} putting threads and one taking loses no entry`, async () => {
    const bench = testBench(engine, PUTTERS + 1);
    bench.start(0, "test_list_take", [PUTTERS * PUTS, 0]);
    for (let i = 1; i <= PUTTERS; i++) {
      bench.partner(i, 0);
      bench.start(i, "test_list_put", [PUTS, 0]);
    }
    await bench.run();
    assert.equal(bench.loops(0), PUTTERS * PUTS);
    for (let i = 1; i <= PUTTERS; i++) assert.equal(bench.loops(i), PUTS);
  });

  test(`${engine.name}: the lock of a CPU lets one thread in at a time`, async () => {
    const bench = testBench(engine, LOCKERS);
    const cpus = ownCpus.slice(0, 1);
    for (let i = 0; i < LOCKERS; i++) bench.start(i, "test_cpu_lock", [LOCKED, bench.scratch], cpus);
    await bench.run();
    assert.equal(new BigUint64Array(bench.memory.memory.buffer)[bench.scratch / 8], BigInt(LOCKERS * LOCKED));
  });

  test(`${engine.name}: a CPU that a thread may not use is written into the control block`, async () => {
    const bench = testBench(engine, 1);
    bench.start(0, "test_hand_over", [0, 1], [4095]);
    await bench.run();
    assert.equal(bench.memory.read(bench.control, "Control.errorCall"), 6);
    assert.equal(bench.memory.read(bench.control, "Control.errorCode"), 22, "EINVAL");
    assert.ok(bench.memory.read(bench.control, "Control.errorTid") > 0, "and whose it was");
  });
}

for (const engine of ENGINES)
  test(`${engine.name}: a thread that traps beside others ends the run, and nobody waits for it`, async () => {
    const bench = testBench(engine, 3);
    bench.partner(0, 1);
    bench.partner(1, 0);
    bench.start(0, "test_hand_over", [0, 1]);
    bench.start(1, "test_hand_over", [0, 0]);
    bench.start(2, "test_trap", [0, 0]);
    await bench.run();
    const native = engine.name.startsWith("native");
    assert.equal(bench.memory.read(bench.control, "Control.errorCall"), native ? 5 : 0);
    assert.equal(bench.memory.read(bench.control, "Control.exited"), native ? 3 : 2);
  });
