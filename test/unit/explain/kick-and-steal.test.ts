/** Who told an idle CPU of a thread, and what the hypervisor took meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { explainRun } from "../../../src/explain/explain-run.js";
import { explainText } from "../../../src/explain/explain-text.js";
import { stolenAround, stolenTicks, watchSteal } from "../../../src/explain/steal.js";
import { parseTraceText } from "../../../src/explain/trace/trace-text.js";
import {
  explainOne,
  explainScene,
  kickLine,
  opening,
  polledLine,
  slowWakeup,
  switchLine,
  WAKER,
  wakeupLine,
  wakingLine,
  WORKER,
} from "./scene.js";

const idleWakeup = (kick: string): readonly string[] => [
  ...opening(0),
  kickLine(990, 0, WAKER, 1),
  wakingLine(1002, 0, WAKER, WORKER, 1),
  kick,
  kickLine(1006, 0, WAKER, 0),
  wakeupLine(1005, 0, WAKER, WORKER, 1),
  switchLine(1054, 1, 0, "R", WORKER),
];

void test("of an idle CPU the explanation says who interrupted it, from where and when", () => {
  const lines = idleWakeup(kickLine(1003, 0, WAKER, 1));
  const one = explainOne(lines, slowWakeup(1056));
  assert.equal(one.cause, "idle-exit");
  assert.deepEqual(one.kick, { atUsec: 3, fromCpu: 0, tid: WAKER, comm: "schbench-msg", how: "interrupt" });
  assert.match(
    explainText(explainScene(lines, [slowWakeup(1056)])),
    /CPU 1 49\.0 us, interrupted by schbench-msg-200 on CPU 0 at \+3\.0/,
  );
});

void test("an idle CPU that polls is told so without an interrupt", () => {
  assert.equal(explainOne(idleWakeup(polledLine(1003, 0, WAKER, 1)), slowWakeup(1056)).kick?.how, "polled");
});

void test("without an event of a kick nobody is said to have sent one", () => {
  const lines = [
    ...opening(0),
    wakingLine(1002, 0, WAKER, WORKER, 1),
    wakeupLine(1005, 0, WAKER, WORKER, 1),
    switchLine(1054, 1, 0, "R", WORKER),
  ];
  assert.equal(explainOne(lines, slowWakeup(1056)).kick, null);
});

const STAT = (steal0: number, steal1: number): string =>
  `cpu  1 2 3 4 5 6 7 ${steal0 + steal1} 9 10\ncpu0 1 2 3 4 5 6 7 ${steal0} 9 10\ncpu1 1 2 3 4 5 6 7 ${steal1} 9 10\nintr 1 2 3\n`;

void test("the eighth number of a CPU's line is its stolen time", () => {
  assert.deepEqual(
    [...stolenTicks(STAT(3, 40))],
    [
      [0, 3],
      [1, 40],
    ],
  );
  assert.deepEqual([...stolenTicks("cpu0 1 2 3 4\n")], []);
});

void test("stolen time belongs to the CPU and the two looks between which it was counted", () => {
  let text = STAT(5, 5);
  let nowNsec = 0;
  const watch = watchSteal({ readText: () => text }, () => nowNsec);
  nowNsec = 1_000_000;
  watch.look();
  text = STAT(5, 7);
  nowNsec = 3_000_000;
  watch.look();
  assert.deepEqual(watch.stolen(), [{ cpu: 1, usec: 20_000, fromNsec: 1_000_000, toNsec: 3_000_000 }]);
  const around = (fromNsec: number, toNsec: number, cpu: number) =>
    stolenAround(watch.stolen(), new Set([cpu]), { fromNsec, toNsec });
  assert.deepEqual(around(2_000_000, 9_000_000, 1), [{ cpu: 1, usec: 20_000, withinUsec: 2000 }]);
  assert.deepEqual(around(2_000_000, 9_000_000, 0), []);
  assert.deepEqual(around(3_000_000, 9_000_000, 1), []);
});

void test("threads of a PID namespace are found in the trace by its ids, and told by their own", () => {
  const lines = [
    ...opening(900),
    wakingLine(1002, 0, WAKER, WORKER, 1),
    wakeupLine(1004, 0, WAKER, WORKER, 1),
    switchLine(4004, 1, 900, "R", WORKER),
  ];
  const { worst } = explainRun({
    trace: parseTraceText(lines.join("\n")),
    counts: { events: 6, lostEvents: 0, ringKibPerCpu: 1024, drains: 0 },
    slowWakeups: [slowWakeup(4006, { tid: 11, wakerTid: 10 })],
    threads: [10, 11].map((tid) => ({ tid, allowedCpus: [0, 1] })),
    harnessTids: [9],
    wasThrottled: false,
    stolen: [{ cpu: 1, usec: 10_000, fromNsec: 0, toNsec: 9_000_000 }],
    kernelIds: new Map([
      [9, 900],
      [10, WAKER],
      [11, WORKER],
    ]),
  });
  const [one] = worst;
  assert.equal(one?.cause, "harness");
  assert.deepEqual([one?.tid, one?.wakerTid, one?.kernelTid], [11, 10, WORKER]);
  assert.deepEqual(one?.kernelSec, { from: "0.001000000", to: "0.004006000" });
  assert.deepEqual(one?.steal, [{ cpu: 1, usec: 10_000, withinUsec: 9000 }]);
});

void test("the wakeups after the worst ten are explained as well, the slowest first, without a time line", () => {
  const lines = [
    ...opening(900),
    wakingLine(1002, 0, WAKER, WORKER, 1),
    wakeupLine(1004, 0, WAKER, WORKER, 1),
    switchLine(4004, 1, 900, "R", WORKER),
  ];
  const wakeups = Array.from({ length: 120 }, (_, at) => slowWakeup(4006 + at));
  const { worst, more } = explainScene(lines, wakeups);
  assert.equal(worst.length, 10);
  assert.equal(more.length, 90);
  const latencies = [...worst, ...more].map(({ latencyUsec }) => latencyUsec);
  assert.deepEqual(
    latencies,
    Array.from({ length: 100 }, (_, at) => 3125 - at),
  );
});
