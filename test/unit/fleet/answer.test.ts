import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AnsweredMachine,
  answerDoubts,
  answerIn,
  checkAlike,
  type MachineAnswer,
} from "../../../src/fleet/answer.js";
import { fakeHeader } from "../../helpers/fakes/fake-store.js";

const answer = (more: Partial<MachineAnswer> = {}): MachineAnswer => ({
  format: "schbench-ts/on",
  version: "1.0.0",
  origin: { bootId: "boot-1", kernel: "6.18", hostname: "n1", version: "1.0.0" },
  cpus: 8,
  header: fakeHeader(),
  threads: [{ subject: "a", cell: "x", threads: "1 x 8" }],
  isHeld: true,
  ...more,
});

const machine = (name: string, more: Partial<MachineAnswer> = {}): AnsweredMachine => ({
  machine: { name, prefix: ["ssh", name] },
  answer: answer({ origin: { bootId: `boot of ${name}`, kernel: "6.18", hostname: name, version: "1.0.0" }, ...more }),
});

void test("the answer is found among what a shell's start-up files print", () => {
  const printed = `Welcome!\n{"quota": 3}\n${JSON.stringify(answer())}\n`;
  assert.deepEqual(answerIn(printed, "n1", "1.0.0"), answer());
  assert.equal(answerIn("Welcome!\n", "n1", "1.0.0"), null);
});

void test("another version is refused by its number, whatever else it says", () => {
  assert.throws(
    () => answerIn('{"format":"schbench-ts/on","version":"2.0.0","new":1}', "n1", "1.0.0"),
    /n1 has schbench-ts 2\.0\.0, and here is 1\.0\.0/,
  );
});

void test("machines that would run different numbers of threads are refused, with their CPUs", () => {
  checkAlike([machine("n1"), machine("n2")]);
  const other = machine("n2", { cpus: 16, threads: [{ subject: "a", cell: "x", threads: "1 x 16" }] });
  assert.throws(() => checkAlike([machine("n1"), other]), /n1 has 8, n2 has 16/);
});

void test("different numbers of CPUs are fine where the threads are given", () => {
  checkAlike([machine("n1"), machine("n2", { cpus: 16 })]);
});

void test("two names of one machine, and a machine whose input is not connected, are told", () => {
  assert.deepEqual(answerDoubts([machine("n1"), machine("n2")]), []);
  const same = { origin: answer().origin };
  assert.deepEqual(answerDoubts([machine("n1", same), machine("n2", same), machine("n3", { isHeld: false })]), [
    "n1, n2 are one machine: their runs disturb each other",
    "standard input does not reach n3: if this command is ended, the runs there go on (kubectl exec needs -i)",
  ]);
});
