/** One scene for each cause. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTraceText } from "../../../src/explain/trace/trace-text.js";
import {
  explainOne,
  explainTrace,
  FOREIGN,
  irqLine,
  migrateLine,
  opening,
  OTHER_WORKER,
  slowWakeup,
  softirqLine,
  switchLine,
  WAKER,
  wakeupLine,
  wakingLine,
  woken,
  WORKER,
} from "./scene.js";

void test("a foreign task that keeps the CPU is the cause, with its name, priority and time", () => {
  const one = explainOne([...opening(FOREIGN), ...woken, switchLine(4004, 1, FOREIGN, "R", WORKER)], slowWakeup(4006));
  assert.equal(one.cause, "foreign-task");
  assert.deepEqual(one.ran, [
    {
      cpu: 1,
      tid: FOREIGN,
      comm: "burn",
      priority: 120,
      schedClass: "normal",
      policy: null,
      group: null,
      side: "foreign",
      heldUp: "thread",
      usec: 3000,
    },
  ]);
  assert.equal(one.latencyUsec, 3006);
  assert.deepEqual(one.missing, []);
});

void test("a task of a real-time class is said to be one", () => {
  const lines = [
    ...opening(0),
    switchLine(960, 1, 0, "R", FOREIGN, 49),
    ...woken,
    switchLine(1500, 1, FOREIGN, "S", WORKER),
  ];
  assert.equal(explainOne(lines, slowWakeup(1502)).ran[0]?.schedClass, "realtime");
});

void test("another thread of the benchmark is not a foreign task", () => {
  const one = explainOne(
    [...opening(OTHER_WORKER), ...woken, switchLine(3000, 1, OTHER_WORKER, "R", WORKER)],
    slowWakeup(3001),
  );
  assert.equal(one.cause, "own-thread");
  assert.equal(one.ran[0]?.side, "benchmark");
});

void test("a message thread that loses its CPU between stamp and waking is the cause, with who took it", () => {
  const one = explainOne(
    [
      ...opening(0),
      switchLine(1001, 0, WAKER, "R", FOREIGN),
      switchLine(2001, 0, FOREIGN, "S", WAKER),
      wakingLine(2003, 0, WAKER, WORKER, 1),
      wakeupLine(2005, 0, WAKER, WORKER, 1),
      switchLine(2010, 1, 0, "R", WORKER),
    ],
    slowWakeup(2012),
  );
  assert.equal(one.cause, "preempted-waker");
  assert.equal(one.ran[0]?.heldUp, "waker");
  assert.equal(one.ran[0]?.comm, "burn");
});

void test("a message thread that falls asleep between stamp and waking is the cause", () => {
  const one = explainOne(
    [
      ...opening(0),
      switchLine(1001, 0, WAKER, "D", 0),
      switchLine(2001, 0, 0, "R", WAKER),
      wakingLine(2003, 0, WAKER, WORKER, 1),
      wakeupLine(2005, 0, WAKER, WORKER, 1),
      switchLine(2010, 1, 0, "R", WORKER),
    ],
    slowWakeup(2012),
  );
  assert.equal(one.cause, "blocked-waker");
});

void test("a message thread that wakes others of its list first is busy, not preempted", () => {
  const others = Array.from({ length: 10 }, (_, at) => wakingLine(1001 + at * 10, 0, WAKER, OTHER_WORKER, 0));
  const one = explainOne(
    [
      ...opening(0),
      ...others,
      wakingLine(1100, 0, WAKER, WORKER, 1),
      wakeupLine(1102, 0, WAKER, WORKER, 1),
      switchLine(1110, 1, 0, "R", WORKER),
    ],
    slowWakeup(1112),
  );
  assert.equal(one.cause, "busy-waker");
});

void test("an interrupt on the CPU that is waited for takes its time from the task it interrupts", () => {
  const one = explainOne(
    [
      ...opening(FOREIGN),
      ...woken,
      irqLine(1010, 1, FOREIGN, "entry"),
      irqLine(1910, 1, FOREIGN, "exit"),
      switchLine(2000, 1, FOREIGN, "R", WORKER),
    ],
    slowWakeup(2002),
  );
  assert.equal(one.cause, "interrupt");
  assert.deepEqual(one.interrupts, [{ cpu: 1, kind: "irq", name: "nvme0q1", usec: 900 }]);
  assert.equal(one.ran[0]?.usec, 96);
});

void test("a soft interrupt inside which a device interrupts is counted without it", () => {
  const one = explainOne(
    [
      ...opening(FOREIGN),
      ...woken,
      softirqLine(1010, 1, FOREIGN, "entry"),
      irqLine(1100, 1, FOREIGN, "entry"),
      irqLine(1200, 1, FOREIGN, "exit"),
      softirqLine(1910, 1, FOREIGN, "exit"),
      switchLine(1950, 1, FOREIGN, "R", WORKER),
    ],
    slowWakeup(1952),
  );
  assert.equal(one.cause, "softirq");
  assert.deepEqual(
    one.interrupts.map(({ name, usec }) => [name, usec]),
    [
      ["NET_RX", 800],
      ["nvme0q1", 100],
    ],
  );
});

void test("a CPU that was idle and takes its time to leave the idle state is the cause", () => {
  const one = explainOne([...opening(0), ...woken, switchLine(1054, 1, 0, "R", WORKER)], slowWakeup(1056));
  assert.equal(one.cause, "idle-exit");
  assert.deepEqual(one.idleExit, { cpu: 1, usec: 50 });
});

void test("an idle CPU that is handed the wakeup counts from the waking on", () => {
  const lines = [
    ...opening(0),
    wakingLine(1002, 0, WAKER, WORKER, 1),
    wakeupLine(1052, 1, 0, WORKER, 1),
    switchLine(1054, 1, 0, "R", WORKER),
  ];
  assert.deepEqual(explainOne(lines, slowWakeup(1056)).idleExit, { cpu: 1, usec: 52 });
});

void test("kernel code that stands still between waking and wakeup points to the hypervisor", () => {
  const lines = [
    ...opening(0),
    wakingLine(1002, 0, WAKER, WORKER, 1),
    wakeupLine(2502, 0, WAKER, WORKER, 1),
    switchLine(2504, 1, 0, "R", WORKER),
  ];
  assert.equal(explainOne(lines, slowWakeup(2506)).cause, "stalled-cpu");
});

void test("a wakeup of small steps has no culprit", () => {
  const one = explainOne([...opening(0), ...woken, switchLine(1005, 1, 0, "R", WORKER)], slowWakeup(1007));
  assert.equal(one.cause, "kernel-path");
});

void test("a thread that is moved while it waits has waited on both CPUs", () => {
  const one = explainOne(
    [
      ...opening(FOREIGN),
      switchLine(990, 0, WAKER, "R", WAKER),
      ...woken,
      migrateLine(1500, 0, WAKER, WORKER, 1, 0),
      switchLine(2500, 0, WAKER, "S", WORKER),
    ],
    slowWakeup(2502, { cpuAfter: 0 }),
  );
  assert.equal(one.cause, "own-thread");
  assert.deepEqual(one.migrations, [{ atUsec: 500, fromCpu: 1, toCpu: 0 }]);
  assert.deepEqual(
    one.causes.slice(0, 2).map(({ cause, usec }) => [cause, usec]),
    [
      ["own-thread", 1000],
      ["foreign-task", 496],
    ],
  );
});

void test("time in the kernel's migration thread is put down to migration", () => {
  const migrationThread = switchLine(1010, 1, FOREIGN, "R", 18, 0).replace("next_comm=task", "next_comm=migration/1");
  const lines = [
    ...opening(FOREIGN),
    ...woken,
    migrationThread,
    switchLine(1900, 1, 18, "S", WORKER).replace("prev_comm=task", "prev_comm=migration/1"),
  ];
  assert.equal(explainOne(lines, slowWakeup(1902)).cause, "migration");
});

void test("a thread that gets the CPU but sleeps again before its stamp has slept again", () => {
  const one = explainOne(
    [
      ...opening(0),
      ...woken,
      switchLine(1006, 1, 0, "R", WORKER),
      switchLine(1008, 1, WORKER, "D", 0),
      wakingLine(1998, 1, 0, WORKER, 1),
      wakeupLine(1999, 1, 0, WORKER, 1),
      switchLine(2000, 1, 0, "R", WORKER),
    ],
    slowWakeup(2002),
  );
  assert.equal(one.cause, "slept-again");
});

void test("a thread of this process that is not of the benchmark is told from a foreign one", () => {
  const lines = [...opening(FOREIGN), ...woken, switchLine(4004, 1, FOREIGN, "R", WORKER)];
  const [one] = explainTrace(parseTraceText(lines.join("\n")), [slowWakeup(4006)], undefined, [FOREIGN]).worst;
  assert.equal(one?.cause, "harness");
  assert.equal(one?.ran[0]?.side, "harness");
});

void test("a thread whose waking races its way to sleep is being woken, and has not slept again", () => {
  const lines = [
    switchLine(900, 0, 0, "R", WAKER),
    switchLine(910, 1, 0, "R", WORKER),
    wakingLine(1001, 0, WAKER, WORKER, 1),
    switchLine(1002, 1, WORKER, "S", FOREIGN),
    wakeupLine(1402, 0, WAKER, WORKER, 1),
    switchLine(1404, 1, FOREIGN, "R", WORKER),
  ];
  const one = explainOne(lines, slowWakeup(1406));
  assert.deepEqual(
    one.causes.map(({ cause, usec }) => [cause, usec]),
    [
      ["stalled-cpu", 400],
      ["kernel-path", 4],
      ["foreign-task", 2],
    ],
  );
});
