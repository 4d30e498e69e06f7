import assert from "node:assert/strict";
import test from "node:test";
import { Worker } from "node:worker_threads";
import { placesOf } from "../../../src/engine/memory/shared-memory.js";
import { readSlowWakeups } from "../../../src/engine/watch/thread-readings.js";
import { engineLayout, testMemory } from "../../helpers/engines.js";
import { pipePlan } from "../../helpers/fakes/fake-plan.js";

/** Finishes, after a while, the entry that the test has begun: end of the wait, then the sequence is even again. */
const FINISH = `
const { workerData } = require("node:worker_threads");
const { buffer, runNsec, sequence } = workerData;
setTimeout(() => {
  new Float64Array(buffer)[runNsec / 8] = 5000;
  Atomics.add(new Uint32Array(buffer), sequence, 1);
}, 200);
`;

test("a slow wakeup that its thread is writing down is read when it is complete", async () => {
  const places = placesOf(engineLayout, {
    plan: pipePlan({ workerThreads: 1, slowWakeups: { perThread: 4, breakUsec: 1 } }),
    possibleCpus: 1,
    manyWindows: false,
  });
  const memory = testMemory(places.bytes);
  const worker = places.threads[1];
  assert.ok(worker !== undefined);
  const sequence = memory.word(worker.threadData, "ThreadData.sequence");
  memory.write(worker.threadData, "ThreadData.sequence", 1);
  memory.write(worker.threadData, "ThreadData.slowCount", 1);
  memory.write(worker.slow, "SlowWakeup.wakeNsec", 2000);
  const runNsec = worker.slow + engineLayout.field("SlowWakeup.runNsec").offset;
  const finisher = new Worker(FINISH, { eval: true, workerData: { buffer: memory.memory.buffer, runNsec, sequence } });
  assert.deepEqual(
    readSlowWakeups(memory, places).map((wakeup) => [wakeup.wakeNsec, wakeup.runNsec]),
    [[2000, 5000]],
  );
  await finisher.terminate();
});
