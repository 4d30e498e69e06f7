/** The phases and the time line of a wakeup, and the sums over all of a run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { explainOne, explainScene, FOREIGN, opening, slowWakeup, switchLine, WAKER, woken, WORKER } from "./scene.js";

void test("the four phases of a wakeup are those that the trace shows", () => {
  const one = explainOne([...opening(FOREIGN), ...woken, switchLine(4004, 1, FOREIGN, "R", WORKER)], slowWakeup(4006));
  assert.deepEqual(one.phases, [
    { from: "stamp", to: "waking", usec: 2 },
    { from: "waking", to: "wakeup", usec: 2 },
    { from: "wakeup", to: "switched-in", usec: 3000 },
    { from: "switched-in", to: "run", usec: 2 },
  ]);
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
