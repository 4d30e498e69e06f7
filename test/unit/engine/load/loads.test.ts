import assert from "node:assert/strict";
import test from "node:test";
import { at } from "../../../../src/at.js";
import { createLoads } from "../../../../src/engine/load/loads.js";
import { placesOf } from "../../../../src/engine/memory/shared-memory.js";
import { engineLayout, testMemory } from "../../../helpers/engines.js";
import { pipePlan } from "../../../helpers/fakes/fake-plan.js";

/** A load of one thread that does a turn a millisecond, on a clock whose sleeps are off by so much. */
const watched = async (offNsec: number): Promise<number | null | undefined> => {
  const plan = pipePlan({ workerThreads: 1, loads: [{ kind: "spin", threads: 1 }] });
  const places = placesOf(engineLayout, { plan, possibleCpus: 1, manyWindows: false });
  const memory = testMemory(places.bytes);
  let now = 0;
  const loads = createLoads({
    plan,
    files: { readText: () => null, readGzipText: () => null, list: () => [], exists: () => false },
    memory,
    places,
    clock: {
      nowNsec: () => now,
      sleepUntil: async (nsec) => {
        now = nsec + offNsec;
        memory.write(at(places.loads, 0).threadData, "ThreadData.loopCount", now / 1e6);
      },
      wake: () => undefined,
    },
    groups: { placeLoad: () => undefined },
  });
  await loads.begin();
  loads.beginMeasured();
  return loads.endMeasured()[0]?.work?.alonePerSec;
};

test("what a load did alone is known though the timers fire a little early or late", async () => {
  for (const offNsec of [-0.4e6, 0, 3e6]) assert.ok(Math.abs(((await watched(offNsec)) ?? 0) - 1000) < 1, `${offNsec}`);
});

test("a watch that a signal has cut short says nothing", async () => {
  assert.equal(await watched(-0.25e9), null);
});
