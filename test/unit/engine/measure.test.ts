/** The measured time on a clock that the test turns, over threads that are numbers. */
import assert from "node:assert/strict";
import test from "node:test";
import { type Measurement, measure } from "../../../src/engine/measure.js";
import { closesWindows } from "../../../src/engine/tick-duties.js";
import { placesOf } from "../../../src/engine/memory/shared-memory.js";
import type { RatePlan } from "../../../src/model/plan/run-plan.js";
import { readEnvironment } from "../../../src/platform/machine/environment.js";
import { NSEC_PER_SEC } from "../../../src/units.js";
import { engineLayout, testMemory } from "../../helpers/engines.js";
import { IDLE_WORK, ratePlan } from "../../helpers/fakes/fake-plan.js";
import { windowStats } from "../../helpers/fakes/fake-window.js";

const nothing = (): void => undefined;
const stats = windowStats();
const seconds6 = ratePlan({ workerThreads: 1, runtimeSec: 6, work: IDLE_WORK, autoBusyPercent: 50 });

/** A run of 1,000 requests a second and CPUs half busy, whose main thread sleeps on for so long after each moment. */
const measureWith = async (oversleptSec: (tick: number) => number, more: Partial<RatePlan> = {}) => {
  const plan: RatePlan = { ...seconds6, ...more };
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
    groups: { beginMeasured: nothing, endMeasured: () => [] },
    loads: {
      begin: async () => undefined,
      check: nothing,
      beginMeasured: nothing,
      endMeasured: () => [],
      end: async () => undefined,
      commandCpuSec: () => 0,
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
    readSurroundings: () => readEnvironment(files, { nowSec, ownCpuSec: 0, suspendedSec: 0 }, null),
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

const wholeSeconds = (entries: readonly { readonly atSec: number }[]): readonly number[] =>
  entries.map(({ atSec }) => Math.floor(atSec));

test("F-03: seconds that the main thread slept through are one sample, with the rate of the whole time", async () => {
  const { seconds, autoRps, lateTicks } = await measureWith((tick) => (tick === 1 ? 2.002 : 0));
  assert.deepEqual(wholeSeconds(seconds), [3, 4, 5, 6]);
  for (const { rps } of seconds) assert.ok(rps > 900 && rps < 1100, `${rps} requests/s`);
  for (const { busyPercent } of seconds) assert.ok(busyPercent === null || Math.abs(busyPercent - 50) < 2);
  assert.ok(Math.abs((autoRps?.goalPerSec ?? 0) - 100) <= 3, `${autoRps?.goalPerSec} is the goal`);
  assert.deepEqual(
    lateTicks.map(({ lateSec, awaySec }) => [lateSec.toFixed(2), awaySec.toFixed(2)]),
    [["2.00", "3.00"]],
  );
});

test("F-03: a tick that is late by less than a second is a sample of its own, and so is the one soon after it", async () => {
  const { seconds, lateTicks } = await measureWith((tick) => (tick === 2 ? 0.8 : 0));
  assert.deepEqual(
    seconds.map(({ rps }) => Math.round(rps)),
    [1000, 556, 1000, 1000, 1000, 1000],
    "the third since the first: over 0.2 s a rate would be noise",
  );
  assert.deepEqual(lateTicks, []);
});

test("a main thread that comes back shortly before a tick waits for it, but not beyond the run's end", async () => {
  const late = await measureWith((tick) => (tick === 1 ? 1.7 : 0));
  assert.deepEqual(wholeSeconds(late.seconds), [3, 4, 5, 6]);
  const atEnd = await measureWith((tick) => (tick === 5 ? 3.6 : 0));
  assert.deepEqual(wholeSeconds(atEnd.seconds), [1, 2, 3, 4, 8]);
  assert.equal(atEnd.lateTicks.length, 1);
});

test("an interval, a restart and the end of the warm-up are due once where the main thread slept through them", async () => {
  const intervals = await measureWith((tick) => (tick === 2 ? 2.6 : 0), { intervalSec: 2, runtimeSec: 8 });
  assert.deepEqual(wholeSeconds(intervals.intervals), [5, 6, 8], "those of the seconds 2 and 4 are one");
  const restarts = await measureWith((tick) => (tick === 2 ? 2.6 : 0), { zeroSec: 2, runtimeSec: 8 });
  assert.deepEqual(restarts.closedAtSec.map(Math.floor), [5, 6]);
  const warm = await measureWith((tick) => (tick === 1 ? 2.1 : 0), { warmupSec: 2 });
  assert.deepEqual(wholeSeconds(warm.seconds), [4, 5, 6]);
  assert.ok(Math.abs(warm.measuredSec - 2.9) < 0.02, `${warm.measuredSec} s from when it came back`);
  assert.deepEqual(warm.lateTicks, [], "what a warm-up missed is in no percentile");
  const overslept = await measureWith((tick) => (tick === 1 ? 9 : 0), { warmupSec: 2 });
  assert.deepEqual([overslept.seconds.length, overslept.measuredSec], [0, 0]);
});

test("a long run closes windows before a 32-bit bucket could be full, and has the memory for it", async () => {
  const long = await measureWith(() => 0, { runtimeSec: 3000 });
  assert.deepEqual([long.closedAtSec, long.closesWindows], [[1000, 2000], true]);
  const short = await measureWith(() => 0, { runtimeSec: 1000 });
  assert.deepEqual([short.closedAtSec, short.closesWindows], [[], false]);
});
