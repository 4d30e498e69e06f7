/** What can be said of a wakeup of which the kernel recorded only a part, and what cannot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  explainOne,
  FOREIGN,
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
