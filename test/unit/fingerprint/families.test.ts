/** Who is a message thread and who a worker, in any schbench. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFamilies } from "../../../src/fingerprint/families.js";

/** A program with two message threads of two workers each; `named`: they have the names of newer versions. */
const schbench = (named: boolean) => {
  const families = createFamilies();
  families.born(100, 1, false);
  for (const message of [101, 102]) {
    families.born(message, 100, true);
    for (const worker of [message * 10, message * 10 + 1]) families.born(worker, message, true);
  }
  for (const tid of [1010, 1011, 1020, 1021]) families.gone(tid, named ? "schbench-worker" : "schbench");
  for (const tid of [101, 102]) families.gone(tid, named ? "schbench-msg" : "schbench");
  families.gone(100, "schbench");
  return families;
};

const EXPECTED = [
  { tid: 101, role: "message", messageTid: null },
  { tid: 1010, role: "worker", messageTid: 101 },
  { tid: 1011, role: "worker", messageTid: 101 },
  { tid: 102, role: "message", messageTid: null },
  { tid: 1020, role: "worker", messageTid: 102 },
  { tid: 1021, role: "worker", messageTid: 102 },
];

for (const named of [true, false])
  void test(`a schbench that ${named ? "names" : "does not name"} its threads is told apart`, () => {
    assert.deepEqual(schbench(named).members(), EXPECTED);
  });

void test("where some are named, a thread with another name is none of the benchmark's, wherever it comes from", () => {
  const families = schbench(true);
  families.born(103, 100, true);
  families.gone(103, "libuv-worker");
  assert.equal(families.members().length, 6);
});

void test("workers that another thread created are workers, whose message thread cannot be told", () => {
  const families = createFamilies();
  for (const tid of [11, 12]) families.born(tid, 10, true);
  families.gone(11, "schbench-msg");
  families.gone(12, "schbench-worker");
  assert.deepEqual(families.members()[1], { tid: 12, role: "worker", messageTid: null });
});

void test("a child process is no thread, and a tid that is used again is what it is now", () => {
  const families = createFamilies();
  families.born(20, 10, false);
  assert.equal(families.isThread(20), false);
  families.born(20, 10, true);
  assert.equal(families.isThread(20), true);
  assert.deepEqual(createFamilies().members(), []);
});
