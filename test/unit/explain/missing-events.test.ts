/** What can be said of a wakeup of which the kernel recorded only a part, and what cannot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  explainOne,
  FOREIGN,
  idleLine,
  irqLine,
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

void test("an idle CPU whose switch was not recorded is left for the thread that is seen on it next", () => {
  const lines = [
    ...opening(0),
    irqLine(1001, 1, 0, "entry"),
    wakingLine(1002, 1, 0, WORKER, 1),
    wakeupLine(1004, 1, 0, WORKER, 1),
    irqLine(1010, 1, 0, "exit"),
    irqLine(1200, 1, WORKER, "entry"),
  ];
  const one = explainOne(lines, slowWakeup(1015, { wakerTid: 0 }));
  assert.equal(one.cause, "interrupt");
  assert.deepEqual(one.missing, []);
  assert.deepEqual(
    one.phases.map(({ to, usec }) => [to, usec]),
    [
      ["waking", 2],
      ["wakeup", 2],
      ["run", 11],
    ],
  );
});

void test("a CPU that slept when the thread was put on its queue left its idle state at some time before the stamp", () => {
  const lines = [...opening(0), ...woken, irqLine(1200, 1, WORKER, "entry")];
  const one = explainOne(lines, slowWakeup(1100));
  assert.equal(one.cause, "idle-exit");
  assert.deepEqual(one.idleExit, { cpu: 1, usec: 96 });
});

void test("when another thread left the idle state first, nobody knows when, and nobody is blamed", () => {
  const lines = [
    ...opening(0),
    wakingLine(1000, 0, WAKER, OTHER_WORKER, 1),
    wakeupLine(1001, 0, WAKER, OTHER_WORKER, 1),
    ...woken,
    switchLine(1900, 1, OTHER_WORKER, "S", WORKER),
  ];
  assert.equal(explainOne(lines, slowWakeup(1902)).cause, "unknown");
});

void test("what was seen of a thread before events went missing on any CPU says nothing of it afterwards", () => {
  const lines = [
    switchLine(100, 0, WORKER, "R", FOREIGN),
    switchLine(150, 1, 0, "R", 777),
    "CPU:1 [LOST 5 EVENTS]",
    switchLine(900, 1, 778, "S", FOREIGN),
    wakingLine(1002, 0, FOREIGN, WORKER, 1),
    wakeupLine(1004, 0, FOREIGN, WORKER, 1),
    switchLine(2004, 1, FOREIGN, "R", WORKER),
  ];
  const one = explainOne(lines, slowWakeup(2006, { wakerTid: FOREIGN }));
  assert.equal(one.phases[0]?.to, "waking");
  assert.deepEqual(
    one.causes.map(({ cause, usec }) => [cause, usec]),
    [
      ["foreign-task", 1000],
      ["kernel-path", 6],
    ],
  );
});

void test("a switch-in that was not recorded leaves unknown only what comes after the last event of its CPU", () => {
  const lines = [
    ...opening(FOREIGN),
    ...woken,
    irqLine(3000, 1, FOREIGN, "entry"),
    irqLine(3002, 1, FOREIGN, "exit"),
    switchLine(4000, 1, FOREIGN, "S", 777),
    switchLine(4050, 1, 777, "S", OTHER_WORKER),
    switchLine(9000, 1, OTHER_WORKER, "S", 0),
  ];
  const one = explainOne(lines, slowWakeup(4062));
  assert.equal(one.cause, "foreign-task");
  assert.deepEqual(
    one.causes.map(({ cause, usec }) => [cause, usec]),
    [
      ["foreign-task", 3044],
      ["unknown", 12],
      ["kernel-path", 4],
      ["interrupt", 2],
    ],
  );
  assert.deepEqual(one.missing, ["no-switch-in"]);
});

void test("where the thread took its stamp on another CPU than it waited for, a move was not recorded, and nobody is blamed", () => {
  const lines = [...opening(FOREIGN), ...woken, irqLine(3000, 1, FOREIGN, "entry")];
  assert.equal(explainOne(lines, slowWakeup(4000, { cpuAfter: 0 })).cause, "unknown");
});

void test("a CPU that enters its idle state had the thread before it until then", () => {
  const lines = [...opening(FOREIGN), ...woken, idleLine(3000, 1, 1), switchLine(3010, 1, 0, "R", WORKER)];
  const one = explainOne(lines, slowWakeup(3012));
  assert.equal(one.cause, "foreign-task");
  assert.equal(one.causes[0]?.usec, 1996);
});

void test("a CPU that leaves its idle state goes on to the thread that is seen on it next", () => {
  const lines = [
    ...opening(0),
    switchLine(930, 0, WAKER, "R", WAKER),
    ...woken,
    idleLine(1010, 1, null),
    switchLine(3000, 1, 777, "S", WORKER),
  ];
  const one = explainOne(lines, slowWakeup(3002));
  assert.equal(one.cause, "foreign-task");
  assert.deepEqual(one.missing, []);
});
