import assert from "node:assert/strict";
import { test } from "node:test";
import { UserError } from "../../../src/errors.js";
import type { Laboratory } from "../../../src/experiment/laboratory.js";
import type { ExperimentHeader, RunRecord } from "../../../src/experiment/record.js";
import { type ExperimentEvent, runExperiment } from "../../../src/experiment/runner.js";
import { schedule } from "../../../src/experiment/schedule.js";
import { fakeLaboratory } from "../../helpers/fakes/fake-laboratory.js";
import { external, fakeHeader, fakeRecord } from "../../helpers/fakes/fake-store.js";

const never = new AbortController().signal;
const runAll = async (
  header: ExperimentHeader,
  lab: Laboratory,
  records: readonly RunRecord[] = [],
  signal: AbortSignal = never,
) => {
  const events: ExperimentEvent[] = [];
  for await (const event of runExperiment(header, records, lab, signal)) events.push(event);
  return events;
};
const withCommands = (name: string) =>
  external(name, { setup: `up ${name}`, prepare: `prep ${name}`, teardown: `down ${name}` });
const withSetup = (setup: string) => fakeHeader({ rounds: 1, subjects: [external("a", { setup })] });
const one = fakeHeader({ subjects: [withCommands("a")], rounds: 1 });

void test("set-up, prepare, run and tear-down come in this order", async () => {
  const lab = fakeLaboratory();
  await runAll(one, lab);
  assert.deepEqual(lab.log, ["sh up a", "sh prep a", "run ./a -x", "sh down a"]);
});

void test("the runs follow the schedule and are stored in that order", async () => {
  const header = fakeHeader({ rounds: 3, warmupRounds: 1 });
  const lab = fakeLaboratory();
  const events = await runAll(header, lab);
  assert.deepEqual(
    lab.stored.map((record) => record.slot),
    schedule(header),
  );
  assert.deepEqual(
    lab.stored.map((record) => record.excluded?.code ?? null),
    ["warm-up", "warm-up", null, null, null, null, null, null],
  );
  assert.equal(events.length, 16);
});

void test("our engine is asked for JSON, and a subject's own flags come last", async () => {
  const lab = fakeLaboratory({ execute: () => ({ stdout: "{}" }) });
  await runAll(
    fakeHeader({
      subjects: [external("b", { launch: { kind: "engine", node: "/n22" }, flags: ["-n", "6"] })],
      cells: [{ name: "x", flags: ["-t", "2"], engineFlags: ["--pacing", "burst"], runtimeSec: 1, rounds: null }],
      rounds: 1,
    }),
    lab,
  );
  assert.deepEqual(lab.log, ["run /n22 bin.js -t 2 --pacing burst -n 6 -j -"]);
});

void test("a failing set-up stops the experiment with its output, after the tear-down", async () => {
  const lab = fakeLaboratory({
    shell: ({ script }) => (script.startsWith("up") ? { exitCode: 3, output: "no such scheduler\n" } : {}),
  });
  await assert.rejects(runAll(one, lab), (error) => {
    assert.ok(error instanceof UserError);
    assert.equal(error.message, 'set-up of subject "a" failed: "up a" ended with 3');
    assert.match(error.remedy ?? "", /\| no such scheduler/);
    return true;
  });
  assert.deepEqual(lab.log, ["sh up a", "sh down a"]);
  assert.deepEqual(lab.stored, []);
});

void test("a failing prepare command still gets its tear-down", async () => {
  const lab = fakeLaboratory({ shell: ({ script }) => (script.startsWith("prep") ? { exitCode: 1 } : {}) });
  await assert.rejects(runAll(one, lab), /prepare command of subject "a" failed/);
  assert.deepEqual(lab.log, ["sh up a", "sh prep a", "sh down a"]);
});

void test("a run that fails is recorded as failed, torn down, and ends the experiment with its output", async () => {
  const lab = fakeLaboratory({ execute: () => ({ exitCode: 1, stderr: "out of memory" }) });
  await assert.rejects(runAll(one, lab), (error) => {
    assert.ok(error instanceof UserError);
    assert.match(error.message, /subject "a" ended with exit code 1: \.\/a -x/);
    assert.match(error.remedy ?? "", /\| out of memory/);
    return true;
  });
  assert.equal(lab.log.at(-1), "sh down a");
  assert.deepEqual(
    lab.stored.map((record) => [record.excluded?.code, record.result]),
    [["failed", null]],
  );
});

for (const [what, answer, expected] of [
  ["killed", { exitCode: null, endedBy: "SIGSEGV" }, /was ended by SIGSEGV/],
  ["stuck", { exitCode: null, endedBy: "SIGKILL", timedOut: true }, /did not end in time/],
] as const)
  void test(`a subject that is ${what} is said to be so`, async () => {
    await assert.rejects(runAll(one, fakeLaboratory({ execute: () => answer })), expected);
  });

void test("output that cannot be read, or holds two runs, is a failed run", async () => {
  const throwing: Laboratory = {
    ...fakeLaboratory(),
    parse: () => {
      throw new UserError("a:1: not a schbench output");
    },
  };
  await assert.rejects(runAll(one, throwing), /printed what cannot be read: a:1: not a schbench output/);
  const lab = fakeLaboratory();
  const double: Laboratory = { ...lab, parse: () => [...lab.parse("", ""), ...lab.parse("", "")] };
  await assert.rejects(runAll(one, double), /printed 2 results for one run/);
  await assert.rejects(runAll(one, { ...lab, parse: () => [] }), /printed no result/);
});

void test("a failing tear-down stops the experiment", async () => {
  const lab = fakeLaboratory({
    shell: ({ script }) => (script.startsWith("down") ? { exitCode: 1, output: "stuck" } : {}),
  });
  await assert.rejects(runAll(one, lab), /tear-down of subject "a" failed/);
});

void test("a set-up and a tear-down that both fail are both reported", async () => {
  const lab = fakeLaboratory({ shell: () => ({ exitCode: 1 }) });
  await assert.rejects(runAll(one, lab), /set-up of subject "a" failed.*; then the tear-down of subject "a" failed/);
});

void test("a set-up whose background process is gone before the run stops the experiment, so that no run is of something else", async () => {
  const lab = fakeLaboratory({ shell: () => ({ output: "/bin/sh: 1: scx_lavd: not found" }) });
  for (const script of ["scx_lavd & sleep 2", "scx_lavd &", "mount x && scx_lavd 2>&1 & sleep 1"])
    await assert.rejects(
      runAll(withSetup(script), lab),
      (error) =>
        error instanceof UserError &&
        /set-up of subject "a" left nothing running: .*has already ended/.test(error.message) &&
        error.remedy?.includes("scx_lavd: not found") === true,
    );
  assert.deepEqual(lab.stored, []);
  for (const script of ["a && b", "a >&2", "a 2>&1", "a &> log", "a & wait", "setsid a & sleep 1"])
    await runAll(withSetup(script), lab);
});

void test("what a set-up leaves in the background is ended after the tear-down", async () => {
  const log: string[] = [];
  const base = fakeLaboratory();
  const lab: Laboratory = {
    ...base,
    shell: async (command) => {
      log.push(command.script);
      const endLeftOvers = async () => void log.push(`end what "${command.script}" left`);
      return { exitCode: 0, output: "", endLeftOvers: command.script.startsWith("up") ? endLeftOvers : null };
    },
  };
  await runAll(one, lab);
  assert.deepEqual(log, ["up a", "prep a", "down a", 'end what "up a" left']);
});

void test("an interrupt during a run tears down, records nothing and ends", async () => {
  const controller = new AbortController();
  const lab = fakeLaboratory({
    execute: () => {
      controller.abort(130);
      return { exitCode: 130 };
    },
  });
  const events = await runAll(one, lab, [], controller.signal);
  assert.deepEqual(events.at(-1), { kind: "interrupted", done: 0, total: 1 });
  assert.equal(lab.log.at(-1), "sh down a");
  assert.deepEqual(lab.stored, []);
});

void test("an interrupt during a set-up tears down too", async () => {
  const controller = new AbortController();
  const lab = fakeLaboratory({
    shell: ({ script }) => {
      if (script === "up a") controller.abort(130);
      return {};
    },
  });
  const events = await runAll(one, lab, [], controller.signal);
  assert.equal(events.at(-1)?.kind, "interrupted");
  assert.deepEqual(lab.log, ["sh up a", "sh down a"]);
});

void test("a run during which the scheduler changed is marked and left out", async () => {
  const states = ["rusty", "disabled", "disabled", "disabled"];
  const lab = fakeLaboratory({ schedExt: () => ({ name: states.shift() ?? "", loads: 1 }) });
  await runAll(fakeHeader({ rounds: 1 }), lab);
  assert.deepEqual(
    lab.stored.map((record) => record.excluded?.message ?? null),
    ["sched_ext changed from rusty to disabled during the run", null],
  );
  assert.notEqual(lab.stored[0]?.result, null);
});

void test("a run during which the same scheduler was loaded anew is marked, too", async () => {
  let loads = 0;
  const lab = fakeLaboratory({ schedExt: () => ({ name: "rusty", loads: loads++ }) });
  await runAll(one, lab);
  assert.equal(
    lab.stored[0]?.excluded?.message,
    "sched_ext changed from rusty to rusty (loaded meanwhile) during the run",
  );
});

void test("a kernel without sched_ext changes nothing", async () => {
  const lab = fakeLaboratory({ schedExt: () => null });
  await runAll(one, lab);
  assert.deepEqual(lab.stored[0]?.schedExt, { before: null, after: null });
  assert.equal(lab.stored[0]?.excluded, null);
});

void test("a rerun does what is left: stored runs are kept, failed ones repeated", async () => {
  const header = fakeHeader({ rounds: 2 });
  const [first, second] = schedule(header);
  assert.ok(first && second);
  const records = [
    fakeRecord(first.subject, first.cell, first.round),
    fakeRecord(second.subject, second.cell, second.round, {
      excluded: { code: "failed", message: "" },
      result: null,
    }),
  ];
  const lab = fakeLaboratory();
  const events = await runAll(header, lab, records);
  assert.deepEqual(
    lab.stored.map((record) => record.slot),
    schedule(header).slice(1),
  );
  assert.deepEqual(events[0], { kind: "run-started", slot: second, number: 2, total: 4 });
});

void test("a consumer that stops early leaves no set-up standing", async () => {
  const lab = fakeLaboratory();
  for await (const event of runExperiment(one, [], lab, never)) if (event.kind === "run-finished") break;
  assert.equal(lab.log.at(-1), "sh down a");
});
