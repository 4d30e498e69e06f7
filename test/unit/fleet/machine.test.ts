import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../../src/errors.js";
import { readMachine, readMachines } from "../../../src/fleet/machine.js";

void test("a machine is named by the last word of its prefix that is no option", () => {
  for (const [prefix, name] of [
    ["ssh host3", "host3"],
    ["ssh -p 22 me@host3", "me@host3"],
    ["srun -w node7 --exclusive", "node7"],
    ["kubectl exec -i pod --", "pod"],
  ] as const)
    assert.equal(readMachine(prefix).name, name);
});

void test("a machine is named by what stands before the equals sign, and the rest is split as a shell would", () => {
  assert.deepEqual(readMachine("big='/opt/my ssh' -o A=b host"), {
    name: "big",
    prefix: ["/opt/my ssh", "-o", "A=b", "host"],
  });
  assert.deepEqual(readMachine("srun --nodelist=n1 n1").prefix, ["srun", "--nodelist=n1", "n1"]);
});

void test("a prefix without a word, one that gives no name for a file, and an open quote are refused", () => {
  for (const argument of ["", "a=", "ssh 'x", "env /usr/bin/x", "../x=ssh h", "--"])
    assert.throws(() => readMachine(argument), UsageError, argument);
});

void test("two machines of one name are refused", () => {
  assert.deepEqual(
    readMachines(["ssh a", "ssh b"]).map(({ name }) => name),
    ["a", "b"],
  );
  assert.throws(() => readMachines(["ssh a", "srun -w a"]), /two machines are called "a"/);
});
