/** One scene for each cause. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTraceText } from "../../../src/explain/trace-text.js";
import {
  explainOne,
  explainScene,
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
  WORKER,
} from "./scene.js";

const woken = [wakingLine(1002, 0, WAKER, WORKER, 1), wakeupLine(1004, 0, WAKER, WORKER, 1)];

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
      side: "foreign",
      heldUp: "thread",
      usec: 3000,
    },
  ]);
  assert.equal(one.latencyUsec, 3006);
  assert.deepEqual(one.missing, []);
});

void test("the four phases of a wakeup are those that the trace shows", () => {
  const one = explainOne([...opening(FOREIGN), ...woken, switchLine(4004, 1, FOREIGN, "R", WORKER)], slowWakeup(4006));
  assert.deepEqual(one.phases, [
    { from: "stamp", to: "waking", usec: 2 },
    { from: "waking", to: "wakeup", usec: 2 },
    { from: "wakeup", to: "switched-in", usec: 3000 },
    { from: "switched-in", to: "run", usec: 2 },
  ]);
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

void test("a thread that was preempted on its way to sleep needs no waking to be explained", () => {
  const lines = [
    switchLine(900, 0, 0, "R", WAKER),
    switchLine(910, 1, 0, "R", WORKER),
    switchLine(990, 1, WORKER, "R", FOREIGN),
    switchLine(2990, 1, FOREIGN, "S", WORKER),
  ];
  const one = explainOne(lines, slowWakeup(2992));
  assert.equal(one.cause, "foreign-task");
  assert.deepEqual(one.phases, [
    { from: "stamp", to: "switched-in", usec: 1990 },
    { from: "switched-in", to: "run", usec: 2 },
  ]);
});

void test("a thread that is preempted again after it was switched in is charged to who took its CPU", () => {
  const lines = [
    ...opening(0),
    ...woken,
    switchLine(1006, 1, 0, "R", WORKER),
    switchLine(1007, 1, WORKER, "R", FOREIGN),
    switchLine(3000, 1, FOREIGN, "R", WORKER),
  ];
  const one = explainOne(lines, slowWakeup(3002));
  assert.equal(one.cause, "foreign-task");
  assert.equal(one.phases.at(-1)?.usec, 1996);
});

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

void test("a run's explanation counts wakeups by their main cause and splits the time among all", () => {
  const lines = [...opening(FOREIGN), ...woken, switchLine(4004, 1, FOREIGN, "R", WORKER)];
  const explanation = explainScene(lines, [slowWakeup(4006)]);
  assert.equal(explanation.attributed, 1);
  assert.deepEqual(
    explanation.causes.map(({ cause, wakeups, usec }) => [cause, wakeups, usec]),
    [
      ["foreign-task", 1, 3000],
      ["kernel-path", 0, 6],
    ],
  );
  assert.deepEqual(explanation.causes[0]?.who, [{ name: "burn", usec: 3000 }]);
});

void test("the time line shows every CPU from before the stamp to after it", () => {
  const lines = [...opening(FOREIGN), ...woken, switchLine(4004, 1, FOREIGN, "R", WORKER)];
  const [worst] = explainScene(lines, [slowWakeup(4006)]).worst;
  assert.deepEqual(
    worst?.timeline.cpus.map(({ cpu, spans }) => [cpu, spans.map(({ kind }) => kind)]),
    [
      [0, ["idle", "waker"]],
      [1, ["idle", "thread", "foreign", "thread"]],
    ],
  );
});

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

void test("a thread of this process that is not of the benchmark is told from a foreign one", () => {
  const lines = [...opening(FOREIGN), ...woken, switchLine(4004, 1, FOREIGN, "R", WORKER)];
  const [one] = explainTrace(parseTraceText(lines.join("\n")), [slowWakeup(4006)], undefined, [FOREIGN]).worst;
  assert.equal(one?.cause, "harness");
  assert.equal(one?.ran[0]?.side, "harness");
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
