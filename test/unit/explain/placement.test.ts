/** Whether another CPU stood idle while a thread waited for its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  explainOne,
  FOREIGN,
  migrateLine,
  opening,
  OTHER_WORKER,
  slowWakeup,
  switchLine,
  WAKER,
  wakeupLine,
  wakingLine,
  woken,
  WORKER,
} from "./scene.js";

void test("another allowed CPU that stands idle meanwhile is a placement miss", () => {
  const lines = [
    ...opening(FOREIGN),
    ...woken,
    switchLine(1010, 0, WAKER, "S", 0),
    switchLine(4004, 1, FOREIGN, "R", WORKER),
  ];
  const one = explainOne(lines, slowWakeup(4006));
  assert.equal(one.cause, "foreign-task");
  assert.deepEqual(one.placementMiss, [{ cpu: 0, idleUsec: 2994 }]);
});

void test("a CPU that the thread may not use is no placement miss", () => {
  const lines = [
    ...opening(FOREIGN),
    ...woken,
    switchLine(1010, 0, WAKER, "S", 0),
    switchLine(4004, 1, FOREIGN, "R", WORKER),
  ];
  assert.deepEqual(explainOne(lines, slowWakeup(4006), [{ tid: WORKER, allowedCpus: [1] }]).placementMiss, []);
});

void test("an idle CPU that another thread has already been woken for is not free", () => {
  const lines = [
    ...opening(FOREIGN),
    ...woken,
    wakingLine(1009, 0, WAKER, OTHER_WORKER, 0),
    switchLine(1010, 0, WAKER, "S", 0),
    switchLine(1100, 0, 0, "R", OTHER_WORKER),
    switchLine(4004, 1, FOREIGN, "R", WORKER),
  ];
  assert.deepEqual(explainOne(lines, slowWakeup(4006)).placementMiss, []);
});

void test("an idle CPU that pulls the thread over in the end has stood idle until then", () => {
  const lines = [
    ...opening(FOREIGN),
    ...woken,
    switchLine(1010, 0, WAKER, "S", 0),
    migrateLine(6000, 0, 0, WORKER, 1, 0),
    switchLine(6004, 0, 0, "R", WORKER),
  ];
  assert.deepEqual(explainOne(lines, slowWakeup(6006, { cpuAfter: 0 })).placementMiss, [{ cpu: 0, idleUsec: 4990 }]);
});

void test("an idle CPU whose switch to another thread was not recorded is taken from that thread's wakeup on", () => {
  const lines = [
    ...opening(FOREIGN),
    ...woken,
    switchLine(1010, 0, WAKER, "S", 0),
    wakeupLine(1100, 1, FOREIGN, OTHER_WORKER, 0),
    switchLine(4004, 1, FOREIGN, "R", WORKER),
    switchLine(4500, 0, 0, "R", 777),
  ];
  assert.deepEqual(explainOne(lines, slowWakeup(4006)).placementMiss, [{ cpu: 0, idleUsec: 90 }]);
});
