import assert from "node:assert/strict";
import { test } from "node:test";
import { watchedFingerprint, type WatchedThread, type WatchReading } from "../../../src/fingerprint/watched.js";
import type { ThreadCounters } from "../../../src/platform/threads/proc-thread.js";

const THREADS: readonly WatchedThread[] = [
  { tid: 10, role: "message", messageTid: null },
  { tid: 11, role: "worker", messageTid: null },
  { tid: 12, role: "worker", messageTid: null },
];

/** Counters of a thread that has switched so often. */
const counters = (switches: number, cpu: number): ThreadCounters => ({
  schedStat: { cpuNsec: switches * 1e6, runDelayNsec: 0, timesRun: switches },
  stat: { minorFaults: 2 * switches, userTicks: switches, systemTicks: switches, cpu },
  voluntarySwitches: switches,
  involuntarySwitches: 10 * switches,
  migrations: switches / 2,
  allowedCpus: "0-1",
});

const reading = (atSec: number, switches: number, cpus: readonly [number, number, number]): WatchReading => ({
  atSec,
  counters: new Map(THREADS.map(({ tid }, index) => [tid, counters(switches, cpus[index] ?? 0)])),
});

const READINGS = [reading(1, 0, [0, 0, 1]), reading(2, 50, [1, 1, 1]), reading(3, 100, [0, 1, 1])];

void test("what two readings of the counters of any schbench say, by role and per request", () => {
  const seen = watchedFingerprint(THREADS, READINGS, { perSec: 50, of: "all-workers" });
  assert.equal(seen?.observer, "outside");
  assert.equal(seen.seconds, 2);
  assert.equal(seen.requests, 100);
  assert.equal(seen.message?.voluntarySwitchesPerRequest, 1);
  assert.equal(seen.worker?.voluntarySwitchesPerRequest, 2);
  assert.equal(seen.worker.involuntarySwitchesPerRequest, 20);
  assert.equal(seen.worker.migrationsPerSec, 50);
  assert.equal(seen.worker.minorFaults, 400);
  assert.equal(seen.worker.wakeupsPerRequest, null);
  assert.deepEqual(seen.besideMessage, { atStart: 0.5, mean: 0.5, atEnd: 0 });
});

void test("in pipe mode the rate is that of a worker", () => {
  const seen = watchedFingerprint(THREADS, READINGS, { perSec: 50, of: "a-worker" });
  assert.equal(seen?.requests, 200);
});

void test("without a rate only what is not per request is known", () => {
  const seen = watchedFingerprint(THREADS, READINGS, { perSec: null, of: "all-workers" });
  assert.equal(seen?.worker?.voluntarySwitchesPerRequest, null);
  assert.equal(seen?.worker?.migrationsPerSec, 50);
});

void test("with several message threads nothing tells whose a worker is", () => {
  const threads = THREADS.map((thread) => (thread.tid === 12 ? { ...thread, role: "message" as const } : thread));
  const seen = watchedFingerprint(threads, READINGS, { perSec: 50, of: "all-workers" });
  assert.deepEqual(seen?.besideMessage, { atStart: null, mean: null, atEnd: null });
});

void test("with several message threads it is known once the births of the workers are", () => {
  const threads: readonly WatchedThread[] = [
    { tid: 10, role: "message", messageTid: null },
    { tid: 11, role: "worker", messageTid: 10 },
    { tid: 12, role: "message", messageTid: null },
  ];
  // Thread 11 stands beside 10 at the second reading alone, and beside 12 at the last two.
  assert.deepEqual(
    watchedFingerprint(threads, [reading(1, 0, [0, 1, 0]), ...READINGS.slice(1)], { perSec: 50, of: "all-workers" })
      ?.besideMessage,
    { atStart: 0, mean: 1 / 3, atEnd: 0 },
  );
});

void test("a program that ends too early has no fingerprint", () => {
  const gone = { ...reading(3, 100, [0, 0, 0]), counters: new Map() };
  const rate = { perSec: 50, of: "all-workers" } as const;
  assert.equal(watchedFingerprint(THREADS, [reading(1, 0, [0, 0, 0]), gone], rate), null);
  assert.equal(watchedFingerprint(THREADS, [reading(1, 0, [0, 0, 0])], rate), null);
  assert.equal(watchedFingerprint([], READINGS, rate), null);
});
