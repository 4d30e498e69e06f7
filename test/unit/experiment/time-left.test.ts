import assert from "node:assert/strict";
import { test } from "node:test";
import { secondsLeft } from "../../../src/experiment/time-left.js";
import { cellNamed, fakeRecord } from "../../helpers/fakes/fake-store.js";

const slot = (subject: string, cell: string) => ({ subject, cell, round: 2, order: 0 });
const cells = [cellNamed("x", { runtimeSec: 10 }), cellNamed("free", { runtimeSec: null })];

void test("before the first run the run time asked for counts, and a little for the start", () => {
  assert.equal(secondsLeft([slot("a", "x"), slot("b", "x")], cells, []), 21);
});

void test("a run of the same subject and cell is the best example, then one of the cell", () => {
  const records = [fakeRecord("a", "x", 1, { tookSec: 12 }), fakeRecord("a", "x", 2, { tookSec: 14 })];
  assert.equal(secondsLeft([slot("a", "x"), slot("b", "x")], cells, records), 26);
});

void test("a cell without a run time and without an example leaves it open", () => {
  assert.equal(secondsLeft([slot("a", "free")], cells, []), null);
  assert.equal(secondsLeft([], cells, []), 0);
});
