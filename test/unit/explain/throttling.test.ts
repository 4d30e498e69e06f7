/** A CPU limit stops the benchmark's threads: what shows it, and what must not be taken for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  explainOne,
  explainThrottled,
  FOREIGN,
  opening,
  OTHER_WORKER,
  periodLine,
  slowWakeup,
  switchLine,
  WAKER,
  wakeupLine,
  wakingLine,
  woken,
  WORKER,
} from "./scene.js";

const causesOf = ({ causes }: ReturnType<typeof explainOne>) => causes.map(({ cause, usec }) => [cause, usec]);

/** As Linux 6.18 does it: the woken thread gets the CPU, and is stopped on its way out of the kernel. */
const stoppedOnItsWay = (next: number): readonly string[] => [
  ...opening(next),
  ...woken,
  switchLine(1010, 1, next, "R", WORKER),
  switchLine(1025, 1, WORKER, "R+", next),
];

void test("a thread that comes off its CPU at once and goes on when a period ends was throttled, though a foreign task ran", () => {
  const lines = [
    ...stoppedOnItsWay(FOREIGN),
    periodLine(31_000, 0, 0),
    switchLine(31_100, 1, FOREIGN, "R", WORKER),
    switchLine(32_000, 1, WORKER, "S", 0),
  ];
  const one = explainThrottled(lines, slowWakeup(31_102));
  assert.equal(one.cause, "throttled");
  assert.deepEqual(causesOf(one).slice(0, 2), [
    ["throttled", 29_975],
    ["foreign-task", 106],
  ]);
});

void test("what a foreign task takes after the period has ended is not the limit's", () => {
  const lines = [
    ...stoppedOnItsWay(FOREIGN),
    periodLine(6000, 0, 0),
    switchLine(20_000, 1, FOREIGN, "R", WORKER),
    switchLine(22_000, 1, WORKER, "S", 0),
  ];
  assert.deepEqual(causesOf(explainThrottled(lines, slowWakeup(20_002))).slice(0, 2), [
    ["foreign-task", 14_006],
    ["throttled", 4975],
  ]);
});

void test("an awake CPU that goes idle with the thread on its queue is no slow idle state but a limit", () => {
  const lines = [
    ...opening(0),
    ...woken,
    switchLine(1010, 1, 0, "R", WORKER),
    switchLine(1020, 1, WORKER, "R+", 0),
    switchLine(9000, 1, 0, "R", FOREIGN),
    switchLine(9100, 1, FOREIGN, "S", 0),
    switchLine(31_000, 1, 0, "R", WORKER),
  ];
  const one = explainThrottled(lines, slowWakeup(31_002));
  assert.deepEqual(causesOf(one)[0], ["throttled", 29_980]);
  assert.equal(one.idleExit?.usec, 6);
});

void test("a thread on the queue of a stopped group is throttled too, as kernels before 6.18 do it", () => {
  const lines = [
    ...opening(FOREIGN),
    ...woken,
    switchLine(1050, 1, FOREIGN, "S", 0),
    periodLine(40_000, 0, WAKER),
    switchLine(40_020, 1, 0, "R", WORKER),
  ];
  assert.deepEqual(causesOf(explainThrottled(lines, slowWakeup(40_022)))[0], ["throttled", 39_016]);
});

void test("a message thread that the limit stops between stamp and waking is throttled, not preempted", () => {
  const lines = [
    ...opening(0),
    switchLine(1001, 0, WAKER, "R+", 0),
    periodLine(21_000, 1, 0),
    switchLine(21_010, 0, 0, "R", WAKER),
    wakingLine(21_012, 0, WAKER, WORKER, 1),
    wakeupLine(21_014, 0, WAKER, WORKER, 1),
    switchLine(21_020, 1, 0, "R", WORKER),
  ];
  assert.equal(explainThrottled(lines, slowWakeup(21_022)).cause, "throttled");
});

void test("another thread of the benchmark that runs on before the period ends shows that nobody was stopped", () => {
  const lines = [
    ...stoppedOnItsWay(OTHER_WORKER),
    periodLine(11_000, 0, 0),
    switchLine(31_100, 1, OTHER_WORKER, "R", WORKER),
  ];
  assert.equal(explainThrottled(lines, slowWakeup(31_102)).cause, "own-thread");
});

void test("of the periods of several groups those count after which the benchmark's threads go on", () => {
  const lines = [
    ...stoppedOnItsWay(FOREIGN),
    periodLine(5000, 0, 0, "00000000deadbeef"),
    periodLine(9000, 0, 0, "00000000deadbeef"),
    periodLine(31_000, 0, 0),
    switchLine(31_100, 1, FOREIGN, "R", WORKER),
    switchLine(32_000, 1, WORKER, "S", 0),
  ];
  assert.deepEqual(causesOf(explainThrottled(lines, slowWakeup(31_102)))[0], ["throttled", 29_975]);
});

void test("where no limit stopped anybody, nothing is put down to one", () => {
  const lines = [...stoppedOnItsWay(FOREIGN), periodLine(31_000, 0, 0), switchLine(31_100, 1, FOREIGN, "R", WORKER)];
  assert.equal(explainOne(lines, slowWakeup(31_102)).cause, "foreign-task");
});

void test("an idle CPU that sleeps on with the thread on its queue is leaving its idle state: nothing shows that it was awake", () => {
  const lines = [...opening(0), ...woken, switchLine(5000, 1, 0, "R", WORKER)];
  assert.equal(explainThrottled(lines, slowWakeup(5002)).cause, "idle-exit");
});

void test("a thread of the group that comes off at once, too, was stopped itself and does not show that the group may run", () => {
  const lines = [
    ...stoppedOnItsWay(FOREIGN),
    wakeupLine(3000, 0, WAKER, OTHER_WORKER, 1),
    switchLine(3004, 1, FOREIGN, "R", OTHER_WORKER),
    switchLine(3014, 1, OTHER_WORKER, "R+", FOREIGN),
    periodLine(31_000, 0, 0),
    switchLine(31_100, 1, FOREIGN, "R", WORKER),
    switchLine(32_000, 1, WORKER, "S", 0),
  ];
  assert.deepEqual(causesOf(explainThrottled(lines, slowWakeup(31_102)))[0], ["throttled", 29_975]);
});
