import assert from "node:assert/strict";
import { test } from "node:test";
import { schedulerDoubts } from "../../../src/experiment/scheduler-doubts.js";
import { fakeRecord } from "../../helpers/fakes/fake-store.js";

const under = (subject: string, round: number, before: string | null) =>
  fakeRecord(subject, "x", round, { schedExt: { before, after: before } });

void test("a subject whose set-up came too late once is named", () => {
  const records = [
    under("a", 1, "disabled"),
    under("b", 1, "rusty"),
    under("b", 2, "disabled"),
    under("b", 3, "rusty"),
  ];
  assert.deepEqual(schedulerDoubts(records), [
    "b did not run under one scheduler: rusty in 2 runs, disabled in 1 run; make its set-up wait until the scheduler is in charge",
  ]);
});

void test("runs that do not count, and kernels without sched_ext, raise no doubt", () => {
  const warmUp = { ...under("b", 0, "disabled"), excluded: { code: "warm-up", message: "" } } as const;
  assert.deepEqual(schedulerDoubts([warmUp, under("b", 1, "rusty"), under("c", 1, null), under("c", 2, null)]), []);
});
