import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSubjects } from "../../../src/experiment/check-subjects.js";
import type { Execution } from "../../../src/experiment/laboratory.js";
import { plainSubject, type Subject } from "../../../src/experiment/subject.js";
import { UserError } from "../../../src/errors.js";
import { type FakeAnswers, fakeLaboratory } from "../../helpers/fakes/fake-laboratory.js";
import { cellNamed, external } from "../../helpers/fakes/fake-store.js";

const MISSING = Object.assign(new Error("spawn"), { code: "ENOENT" });
const never = new AbortController().signal;

const check = async (subjects: readonly Subject[], answers: FakeAnswers = {}) => {
  const lab = fakeLaboratory(answers);
  await checkSubjects(subjects, [cellNamed("x"), cellNamed("y", { flags: ["-t", "4"] })], lab, never);
  return lab.log;
};

const refusal = async (subjects: readonly Subject[], answers: FakeAnswers): Promise<string> => {
  try {
    await check(subjects, answers);
  } catch (thrown) {
    if (thrown instanceof UserError) return `${thrown.message}\n${thrown.remedy ?? ""}`;
    throw thrown;
  }
  return "nothing";
};

const usage =
  (stderr: string, exitCode = 1): (() => Partial<Execution>) =>
  () => ({ exitCode, stderr });

void test("our engine under this Node is not asked anything", async () => {
  assert.deepEqual(await check([plainSubject("ours", { kind: "engine", node: null })]), []);
});

void test("another schbench is asked for its usage behind the flags that it will get", async () => {
  const log = await check([external("a", { flags: ["-n", "6"] })]);
  assert.deepEqual(log, ["run ./a -t 4 -n 6 --help"]);
});

void test("a program that is not there is found before any other subject runs, and named with its subject", async () => {
  const answers = { startFault: (program: string) => (program === "./third" ? MISSING : null) };
  assert.match(
    await refusal([external("first"), external("second"), external("third")], answers),
    /^cannot start "\.\/third" of subject "third": there is no such program\nGive the path/,
  );
});

void test("a program that a set-up or prepare command may make ready is left to its run", async () => {
  const answers = { startFault: (program: string) => (program === "./made" ? MISSING : null) };
  for (const step of ["setup", "prepare"] as const)
    assert.deepEqual(await check([external("made", { [step]: "make" })], answers), []);
  assert.match(await refusal([external("made", { teardown: "make clean" })], answers), /there is no such program/);
});

void test("commands around runs need a shell", async () => {
  const answers = { startFault: (program: string) => (program === "/bin/sh" ? MISSING : null) };
  for (const step of ["setup", "prepare", "teardown"] as const)
    assert.match(
      await refusal([external("a", { [step]: "true" })], answers),
      /cannot start "\/bin\/sh" of subject "a"/,
    );
  assert.equal(await refusal([external("a")], answers), "nothing");
});

for (const complaint of [
  "./a: invalid option -- 'X'",
  "./a: unrecognized option '--foo'",
  "./a: option requires an argument -- 'm'",
  "./a: option '--pac' is ambiguous; possibilities: '--pace' '--pacing'",
  "./a: unrecognized option: X",
])
  void test(`the complaint ${JSON.stringify(complaint)} ends the experiment before it begins`, async () => {
    const said = await refusal([external("a", { flags: ["-X"] })], { execute: usage(`${complaint}\nusage: …\n`) });
    assert.equal(said, `subject "a" rejects its flags: ${complaint}\nIts runs would be started as: ./a -t 4 -X`);
  });

void test("a program that knows no --help, or only mentions options, is left to its run", async () => {
  const answers = [
    usage("./a: unrecognized option '--help'\n"),
    usage("./a: invalid option -- 'X'\n", 0),
    usage("usage: the options of this program\n"),
  ];
  for (const execute of answers) assert.equal(await refusal([external("a")], { execute }), "nothing");
});

void test("what an interrupted program said is no complaint", async () => {
  const lab = fakeLaboratory({ execute: usage("./a: invalid option -- 'X'\n") });
  await assert.doesNotReject(checkSubjects([external("a")], [cellNamed("x")], lab, AbortSignal.abort()));
});

void test("a launcher that cannot start the program is told from a usage", async () => {
  const said = await refusal([external("a")], {
    execute: usage("taskset: failed to execute ./no: No such file\n", 127),
  });
  assert.equal(
    said,
    'subject "a" cannot be started: "./a" ended with exit code 127\nIt printed:\n  | taskset: failed to execute ./no: No such file',
  );
});

const under = (node: string) => [plainSubject("b", { kind: "engine", node })];
const knows = () => ({ stdout: "schbench-ts 1.0.0\n" });

void test("a Node must run our engine", async () => {
  assert.deepEqual(await check(under("/opt/node"), { execute: knows }), ["run /opt/node bin.js --version"]);
  assert.match(await refusal(under("/opt/node"), { startFault: () => MISSING }), /"\/opt\/node" of subject "b"/);
  assert.match(
    await refusal(under("/bin/true"), {}),
    /^"\/bin\/true" of subject "b" does not run our engine: it is not a Node that this package works with\n/,
  );
});
