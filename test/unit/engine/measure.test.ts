/** The measured time on a clock that the test turns, over threads that are numbers. */
import assert from "node:assert/strict";
import test from "node:test";
import { type Measurement, measure } from "../../../src/engine/measure.js";
import { closesWindows } from "../../../src/engine/tick-duties.js";
import { placesOf } from "../../../src/engine/memory/shared-memory.js";
import type { WindowStats } from "../../../src/engine/memory/snapshot.js";
import type { RatePlan } from "../../../src/model/run-plan.js";
import { readEnvironment } from "../../../src/platform/environment.js";
import { histogramOf } from "../../../src/stats/plat.js";
import { NSEC_PER_SEC } from "../../../src/units.js";
import { engineLayout, testMemory } from "../../helpers/engines.js";
import { IDLE_WORK, ratePlan } from "../../helpers/fake-plan.js";

const nothing = (): void => undefined;
const empty = histogramOf([]);
const stats: WindowStats = {
  wakeup: empty,
  request: empty,
  response: empty,
  lateness: empty,
  loops: 0,
  loopsByWorker: [0],
  sent: 0,
  dropped: 0,
  unsent: 0,
};
const seconds6 = ratePlan({ workerThreads: 1, runtimeSec: 6, work: IDLE_WORK, autoBusyPercent: 50 });

/** A run of 1,000 requests a second and CPUs half busy, whose main thread sleeps on for so long after each moment. */
const measureWith = async (oversleptSec: (tick: number) => number, runtimeSec = 6) => {
  const plan: RatePlan = { ...seconds6, runtimeSec };
  let nowSec = 0;
  const closedAtSec: number[] = [];
  const files = {
    // Ticks of 10 ms: what is read within one of them is all busy or all idle.
    readText: (path: string) =>
      path === "/proc/stat" ? `cpu  ${Math.ceil(nowSec * 50)} 0 0 ${Math.floor(nowSec * 50)} 0 0 0 0 0 0\n` : null,
    readGzipText: () => null,
    list: () => [],
    exists: () => false,
  };
  const places = placesOf(engineLayout, { plan, possibleCpus: 1, manyWindows: false });
  const run: Measurement = {
    plan,
    files,
    memory: testMemory(places.bytes),
    places,
    threads: {
      check: nothing,
      startClock: nothing,
      stop: nothing,
      gather: async () => true,
      join: async () => undefined,
    },
    clock: {
      nowNsec: () => nowSec * NSEC_PER_SEC,
      sleepUntil: async (nsec) => {
        const tick = nsec / NSEC_PER_SEC;
        nowSec = Math.max(nowSec + 0.001, tick) + oversleptSec(tick);
      },
      wake: nothing,
    },
    collector: {
      loops: () => Math.floor(nowSec) * 1000,
      current: () => stats,
      closeWindow: () => {
        closedAtSec.push(nowSec);
        return stats;
      },
    },
    hooks: {},
    signal: new AbortController().signal,
    readSurroundings: () => readEnvironment(files, nowSec, 0, null),
  };
  return { ...(await measure(run)), closedAtSec, closesWindows: closesWindows(plan) };
};

test("a second is a sample, and the steering takes a step a second", async () => {
  const { seconds } = await measureWith(() => 0);
  assert.deepEqual(
    seconds.map(({ rps, busyPercent }) => [rps, busyPercent]),
    Array.from({ length: 6 }, () => [1000, 50]),
  );
});

test("seconds that the main thread slept through have the rate of the whole time, not that of the moment it came back", async () => {
  const { seconds, autoRps } = await measureWith((tick) => (tick === 1 ? 2.002 : 0));
  assert.equal(seconds.length, 6);
  for (const { rps } of seconds) assert.ok(rps > 900 && rps < 1100, `${rps} requests/s`);
  for (const { busyPercent } of seconds) assert.ok(busyPercent === null || Math.abs(busyPercent - 50) < 2);
  assert.ok(Math.abs((autoRps?.goalPerSec ?? 0) - 100) <= 3, `${autoRps?.goalPerSec} is the goal`);
});

test("a long run closes windows before a 32-bit bucket could be full, and has the memory for it", async () => {
  const long = await measureWith(() => 0, 3000);
  assert.deepEqual([long.closedAtSec, long.closesWindows], [[1000, 2000], true]);
  const short = await measureWith(() => 0, 1000);
  assert.deepEqual([short.closedAtSec, short.closesWindows], [[], false]);
});
