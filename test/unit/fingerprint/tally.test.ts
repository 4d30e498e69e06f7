/** Counting events by thread, and joining the two halves of a wakeup. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTally } from "../../../src/fingerprint/tally.js";

const WORKER = 11;
const MESSAGE = 10;

void test("a wakeup crosses when the thread is put on another CPU than its waker's, whichever half is read first", () => {
  const tally = createTally();
  tally.woken(WORKER, { timeNsec: 31, cpu: 1, wakerTid: null });
  tally.woken(WORKER, { timeNsec: 11, cpu: 0, wakerTid: null });
  tally.waking(WORKER, { timeNsec: 30, cpu: 0, wakerTid: MESSAGE });
  tally.waking(WORKER, { timeNsec: 10, cpu: 0, wakerTid: MESSAGE });
  tally.settle();
  assert.equal(tally.of(WORKER).wakeups, 2);
  assert.deepEqual([...tally.of(WORKER).wokenBy], [[MESSAGE, { handedOver: 2, crossed: 1 }]]);
});

void test("a wakeup by an interrupt, or by the thread itself, is one, and hands nothing over", () => {
  const tally = createTally();
  for (const [timeNsec, wakerTid] of [
    [10, null],
    [20, WORKER],
  ] as const) {
    tally.waking(WORKER, { timeNsec, cpu: 0, wakerTid });
    tally.woken(WORKER, { timeNsec: timeNsec + 1, cpu: 1, wakerTid: null });
  }
  tally.settle();
  assert.equal(tally.of(WORKER).wakeups, 2);
  assert.equal(tally.of(WORKER).wokenBy.size, 0);
});

void test("a half whose other half was not recorded is joined with nothing", () => {
  const tally = createTally();
  tally.woken(WORKER, { timeNsec: 5, cpu: 1, wakerTid: null });
  tally.waking(WORKER, { timeNsec: 10, cpu: 0, wakerTid: MESSAGE });
  tally.settle();
  assert.equal(tally.of(WORKER).wokenBy.size, 0);
  // The waking of the burst before belongs to no wakeup of this one.
  tally.woken(WORKER, { timeNsec: 100, cpu: 1, wakerTid: null });
  tally.settle();
  assert.equal(tally.of(WORKER).wokenBy.size, 0);
});

void test("after a reset there is nothing", () => {
  const tally = createTally();
  tally.of(WORKER).migrations++;
  tally.reset();
  assert.equal(tally.all().size, 0);
});
