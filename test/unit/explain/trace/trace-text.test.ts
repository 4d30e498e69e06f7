import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTraceText } from "../../../../src/explain/trace/trace-text.js";
import { recordedText } from "../recorded.js";
import {
  explainOne,
  explainTrace,
  FOREIGN,
  opening,
  slowWakeup,
  switchLine,
  WAKER,
  wakeupLine,
  wakingLine,
  WORKER,
} from "../scene.js";

const scene = [
  ...opening(FOREIGN),
  wakingLine(1002, 0, WAKER, WORKER, 1),
  wakeupLine(1004, 0, WAKER, WORKER, 1),
  switchLine(4004, 1, FOREIGN, "R", WORKER),
];

void test("every line of a recorded trace is understood", () => {
  const trace = parseTraceText(recordedText());
  assert.equal(trace.damaged, 0);
  assert.equal(trace.events.length, 812);
  assert.equal(trace.events[0]?.timeNsec, 2_075_237_861_000);
});

void test("names with spaces, colons, brackets and equals signs are read whole", () => {
  const text = " a: [b] c=d-7  [001] d..2. 5.000001: sched_waking: comm=x pid=1 y=z pid=44 prio=120 target_cpu=001";
  const [event] = parseTraceText(text).events;
  assert.deepEqual(event, {
    timeNsec: 5_000_001_000,
    cpu: 1,
    currentTid: 7,
    kind: "waking",
    comm: "x pid=1 y=z",
    tid: 44,
    priority: 120,
    targetCpu: 1,
  });
});

void test("a trace with thread group ids, or without flags, is read as well", () => {
  const text = [
    "          burn-900   (   900) [001] d..2. 0.000001: softirq_exit: vec=1 [action=TIMER]",
    "          burn-900   [001] 0.000002: softirq_exit: vec=1 [action=TIMER]",
  ].join("\n");
  assert.deepEqual(
    parseTraceText(text).events.map(({ timeNsec, currentTid }) => [timeNsec, currentTid]),
    [
      [1000, 900],
      [2000, 900],
    ],
  );
});

void test("events of other tracers are passed over without being called damaged", () => {
  const trace = parseTraceText(
    "   burn-900 [001] d..2. 0.000001: sys_enter: NR 1 (1, 2, 3)\n   burn-900 [001] ..... 0.000002: tracing_mark_write: hello",
  );
  assert.deepEqual(trace, { events: [], lost: [], damaged: 0 });
});

void test("a trace that ends in the middle of a line loses that line only", () => {
  const text = scene.join("\n");
  const trace = parseTraceText(text.slice(0, -20));
  assert.equal(trace.events.length, scene.length - 1);
  assert.equal(trace.damaged, 1);
});

void test("a wakeup whose switch was cut off is unknown, and says what is missing", () => {
  const one = explainOne(scene.slice(0, -1), slowWakeup(4006));
  assert.equal(one.cause, "unknown");
  assert.deepEqual(one.missing, ["no-switch-in"]);
  assert.deepEqual(
    one.phases.map(({ to, usec }) => [to, usec]),
    [
      ["waking", 2],
      ["wakeup", 2],
      ["run", 3002],
    ],
  );
});

void test("a wakeup of which nothing was recorded is unknown", () => {
  const one = explainOne([], slowWakeup(4006));
  assert.equal(one.cause, "unknown");
  assert.deepEqual(one.missing, ["no-events-of-thread"]);
});

void test("lost events make the time unknown in which they were lost, on their CPU only", () => {
  const lines = [...scene.slice(0, -1), "CPU:1 [LOST 123 EVENTS]", ...scene.slice(-1)];
  const trace = parseTraceText(lines.join("\n"));
  assert.deepEqual(trace.lost, [{ cpu: 1, fromNsec: 950_000, toNsec: 4_004_000, events: 123 }]);
  const [one] = explainTrace(trace, [slowWakeup(4006)]).worst;
  assert.equal(one?.cause, "unknown");
  assert.deepEqual(one?.missing, ["cpu-unknown", "events-lost"]);
});

void test("losses on another CPU do not take the cause away", () => {
  const lines = [...scene.slice(0, -1), "CPU:0 [LOST EVENTS]", switchLine(4003, 0, WAKER, "S", 0), ...scene.slice(-1)];
  const [one] = explainTrace(parseTraceText(lines.join("\n")), [slowWakeup(4006)]).worst;
  assert.equal(one?.cause, "foreign-task");
});

void test("a damaged line of an event we need leaves a stretch without evidence", () => {
  const lines = scene.map((line) =>
    line.includes("target_cpu") ? line : line.replace("prev_state=R ==>", "prev_state=R ="),
  );
  const trace = parseTraceText(lines.join("\n"));
  assert.ok(trace.damaged > 0);
  assert.ok(trace.lost.length > 0);
});

void test("an overwritten beginning leaves the rest as it is", () => {
  const one = explainOne(scene.slice(3), slowWakeup(4006));
  assert.equal(one.cause, "foreign-task");
});

void test("an event in a thread that cannot have the CPU shows that a switch is missing, and nobody is blamed", () => {
  const lines = [...scene.slice(0, -1), switchLine(4004, 1, 777, "S", WORKER)];
  const one = explainOne(lines, slowWakeup(4006));
  assert.equal(one.cause, "unknown");
  assert.deepEqual(one.ran, []);
});
