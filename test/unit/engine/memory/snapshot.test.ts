import assert from "node:assert/strict";
import test from "node:test";
import { at } from "../../../../src/at.js";
import { placesOf } from "../../../../src/engine/memory/shared-memory.js";
import { createCollector } from "../../../../src/engine/memory/snapshot.js";
import { engineLayout, testMemory } from "../../../helpers/engines.js";
import { pipePlan } from "../../../helpers/fakes/fake-plan.js";

/** Memory for a message thread and its worker, neither of which runs. */
const oneWorker = () => {
  const places = placesOf(engineLayout, {
    plan: pipePlan({ workerThreads: 1 }),
    possibleCpus: 1,
    manyWindows: true,
  });
  return { places, memory: testMemory(places.bytes), worker: at(places.threads, 1) };
};

test("a bucket whose 32 bits wrap between two windows loses nothing", () => {
  const { places, memory, worker } = oneWorker();
  const setBucket = (usec: number, count: number): void => {
    memory.write(worker.stats.wakeup, "Stats.min", usec);
    memory.write(worker.stats.wakeup, "Stats.max", usec);
    memory.write(worker.stats.wakeup + usec * 4, "Stats.plat", count);
  };
  const collector = createCollector(memory, places);
  setBucket(3, 2 ** 32 - 5);
  assert.equal(collector.closeWindow().wakeup.counts[3], 2 ** 32 - 5);
  memory.write(worker.threadData, "ThreadData.window", 1);
  setBucket(3, 7);
  assert.equal(collector.current().wakeup.counts[3], 12);
});
