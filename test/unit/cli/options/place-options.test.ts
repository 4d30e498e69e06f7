import assert from "node:assert/strict";
import { test } from "node:test";
import { bootRepetitions, place, placeOptions, readVm } from "../../../../src/cli/options/place-options.js";
import { parseCommandLine } from "../../../../src/options/line/command-line.js";
import { engineSubject } from "../../../helpers/fakes/fake-store.js";

const SUBJECTS = [engineSubject("old"), engineSubject("new")];
const options = (words: readonly string[]) => parseCommandLine(words, placeOptions).options;
const placed = (...words: readonly string[]) => place(SUBJECTS, options(words));

void test("a kernel puts its subject into a virtual machine, and leaves the other here", () => {
  const [old, fresh] = placed("--kernel", "old=vmlinuz-6.1", "--emulate");
  assert.equal(old?.place?.kind === "vm" ? old.place.kernel : null, "vmlinuz-6.1");
  assert.equal(fresh?.place, undefined);
});

void test("two command lines of one kernel are two subjects", () => {
  const appended = placed("--kernel", "all=k", "--vm", "append=quiet", "--append", "new=mitigations=off nohz=off").map(
    (subject) => (subject.place?.kind === "vm" ? subject.place.vm.append : null),
  );
  assert.deepEqual(appended, ["quiet", "quiet mitigations=off nohz=off"]);
});

void test("a shape is read with its commas: those before anything but a key belong to the value", () => {
  const vm = readVm(
    options(["--vm", "memory=3G,sockets=2,threads=2,nodes=2,pin=2-4,7,limit=60,append=isolcpus=1,2 nohz=on"]),
    8,
  );
  assert.deepEqual(vm, {
    cpus: 4,
    memoryMib: 3072,
    sockets: 2,
    cores: null,
    threads: 2,
    nodes: 2,
    pin: [2, 3, 4, 7],
    append: "isolcpus=1,2 nohz=on",
    files: [],
    emulate: false,
    bootLimitSec: 60,
  });
  assert.equal(readVm(options([]), 8).cpus, 8);
});

void test("files go to the same path or another", () => {
  assert.deepEqual(readVm(options(["--vm-file", "/opt/scx", "--vm-file", "b:/c"]), 1).files, [
    { host: "/opt/scx", guest: "/opt/scx" },
    { host: "b", guest: "/c" },
  ]);
});

for (const [words, message] of [
  [["--vm", "cpus=4"], /--vm is about virtual machines/],
  [["--boots", "3"], /--boots is about virtual machines/],
  [["--kernel", "old=k", "--vm", "cpu=4"], /invalid value "cpu=4" in --vm: .*cpus, memory/],
  [["--kernel", "old=k", "--vm", "cpus=0"], /invalid value "cpus=0"/],
  [["--kernel", "old=k", "--vm", "memory=4"], /a number with M or G/],
  [["--kernel", "odl=k"], /it must start with a subject's name/],
  [["--kernel", "old=k", "--append", "new=x"], /"new", which has no --kernel/],
  [["--kernel", "old=k", "--vm-file", "a:b"], /absolute in the guest/],
] as const)
  void test(`${words.join(" ")} is refused`, () => {
    assert.throws(() => placed(...words), message);
  });

void test("runs that are not asked to share a boot have one each", () => {
  const subjects = placed("--kernel", "old=k");
  assert.deepEqual(bootRepetitions(SUBJECTS, { runs: 10, boots: null }, false), { rounds: 10 });
  assert.deepEqual(bootRepetitions(subjects, { runs: 10, boots: null }, false), { rounds: 10, runsPerBoot: 1 });
  assert.deepEqual(bootRepetitions(subjects, { runs: 10, boots: 4 }, false), { rounds: 12, runsPerBoot: 3 });
  assert.deepEqual(bootRepetitions(subjects, { runs: 2, boots: 4 }, true), { rounds: 8, runsPerBoot: 2 });
});
