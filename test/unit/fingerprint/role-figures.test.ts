/** From the counters of threads to the figures of a role. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deedBetween, roleFigures, type ThreadDeed, withTrace } from "../../../src/fingerprint/role-figures.js";
import type { ThreadCounters } from "../../../src/platform/threads/proc-thread.js";

const counters = (scale: number): ThreadCounters => ({
  schedStat: { cpuNsec: 1_000_000_000 * scale, runDelayNsec: 1, timesRun: 1 },
  stat: { minorFaults: 7 * scale, userTicks: 30 * scale, systemTicks: 10 * scale, cpu: 0 },
  voluntarySwitches: 100 * scale,
  involuntarySwitches: 20 * scale,
  migrations: 3 * scale,
  allowedCpus: "0",
});

const processor = { instructions: 5000, cycles: 9000 };
const deed = deedBetween(counters(1), counters(3), processor);
const span = { requests: 50, seconds: 4 };

void test("what a thread did is the difference of two readings", () => {
  assert.deepEqual(deed, {
    voluntarySwitches: 200,
    involuntarySwitches: 40,
    migrations: 6,
    minorFaults: 14,
    cpuUsec: 2_000_000,
    userTicks: 60,
    systemTicks: 20,
    ...processor,
  });
});

void test("without a first reading, or on a kernel that does not count, what a thread did is unknown", () => {
  const unknown = Object.values(deedBetween(null, counters(3), { instructions: null, cycles: null }));
  assert.deepEqual(new Set(unknown), new Set([null]));
  assert.equal(deedBetween(counters(1), { ...counters(2), migrations: null }, processor).migrations, null);
});

void test("figures are sums over threads, per request, per second or as they are", () => {
  assert.deepEqual(roleFigures([deed, deed], span), {
    threads: 2,
    voluntarySwitchesPerRequest: 8,
    involuntarySwitchesPerRequest: 1.6,
    migrationsPerSec: 3,
    minorFaults: 28,
    userUsecPerRequest: 60_000,
    systemUsecPerRequest: 20_000,
    instructionsPerRequest: 200,
    cyclesPerRequest: 360,
    wakeupsPerRequest: null,
    crossingShare: null,
    systemCallsPerRequest: null,
  });
});

void test("a figure that one thread lacks is unknown for its role, and the others stay", () => {
  const figures = roleFigures([deed, { ...deed, migrations: null }], span);
  assert.equal(figures?.migrationsPerSec, null);
  assert.equal(figures?.voluntarySwitchesPerRequest, 8);
});

void test("without a request nothing can be said per request", () => {
  const figures = roleFigures([deed], { requests: 0, seconds: 4 });
  assert.equal(figures?.voluntarySwitchesPerRequest, null);
  assert.equal(figures?.migrationsPerSec, 1.5);
  assert.equal(roleFigures([], span), null);
});

const timesOf = (change: Partial<ThreadDeed>) => {
  const figures = roleFigures([{ ...deed, ...change }], { requests: 1, seconds: 1 });
  return [figures?.userUsecPerRequest, figures?.systemUsecPerRequest];
};

void test("user and system time share what the scheduler's clock says; a few ticks say nothing about the shares", () => {
  assert.deepEqual(timesOf({ userTicks: 10, systemTicks: 30, cpuUsec: 404_000 }), [101_000, 303_000]);
  assert.deepEqual(timesOf({ userTicks: 10, systemTicks: 30, cpuUsec: null }), [100_000, 300_000]);
  assert.deepEqual(timesOf({ userTicks: 2, systemTicks: 3, cpuUsec: 55_000 }), [null, null]);
});

const trace = {
  wakeups: 150,
  handedOver: 80,
  crossed: 20,
  voluntarySwitches: 100,
  involuntarySwitches: 0,
  migrations: 8,
  systemCalls: new Map([
    ["read", 5],
    ["futex", 125],
  ]),
};

void test("a trace adds wakeups and calls, and fills in what /proc does not have", () => {
  const figures = roleFigures([{ ...deed, migrations: null }], span);
  assert.ok(figures !== null);
  const traced = withTrace(figures, trace, span);
  assert.deepEqual([traced.voluntarySwitchesPerRequest, traced.migrationsPerSec], [4, 2]);
  assert.deepEqual([traced.wakeupsPerRequest, traced.crossingShare], [3, 0.25]);
  assert.equal(JSON.stringify(traced.systemCallsPerRequest), '{"futex":2.5,"read":0.1}');
  assert.equal(traced.minorFaults, 14);
  assert.equal(withTrace(figures, { ...trace, handedOver: 0, crossed: 0 }, span).crossingShare, null);
  assert.equal(withTrace(figures, trace, { requests: 0, seconds: 1 }).systemCallsPerRequest, null);
});
