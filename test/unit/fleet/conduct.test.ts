import assert from "node:assert/strict";
import { test } from "node:test";
import { askMachine } from "../../../src/fleet/ask.js";
import { conductPart, type PartEnd, runsDone } from "../../../src/fleet/conduct.js";
import type { Link, LinkEnd, OpenLink } from "../../../src/fleet/link.js";
import type { RunRecord } from "../../../src/experiment/record.js";
import { schedule } from "../../../src/experiment/schedule.js";
import type { Store } from "../../../src/experiment/store.js";
import { fakeHeader, fakeRecord } from "../../helpers/fakes/fake-store.js";

const MACHINE = { name: "n1", prefix: ["ssh", "n1"] } as const;
const HEADER = fakeHeader();
const RECORDS: readonly RunRecord[] = schedule(HEADER).map((slot) =>
  fakeRecord(slot.subject, slot.cell, slot.round, { slot }),
);
const LINES = RECORDS.map((record) => JSON.stringify(record));
const WELL: LinkEnd = { exitCode: 0, endedBy: null, stderr: "" };

interface FakeLink {
  readonly open: OpenLink;
  readonly commands: (readonly string[])[];
}

/** A link that says these lines, then ends so; with `hangs`, it does not end by itself. */
const fakeLink = (lines: readonly string[], end: LinkEnd, hangs = false): FakeLink => {
  const commands: (readonly string[])[] = [];
  return {
    commands,
    open: async (command): Promise<Link> => {
      commands.push(command);
      const stop = new AbortController();
      const isCut = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve()));
      return {
        lines: (async function* () {
          yield* lines;
          if (hangs) await isCut;
        })(),
        ended: hangs ? isCut.then(() => end) : Promise.resolve(end),
        letGo: () => stop.abort(),
        cut: () => stop.abort(),
      };
    },
  };
};

const storeWith = (records: readonly RunRecord[]) => {
  const appended: RunRecord[] = [];
  const store: Store = {
    path: "f/n1.ndjson",
    header: HEADER,
    records,
    notes: [],
    append: async (record) => void appended.push(record),
    alone: (work) => work(),
  };
  return { store, appended };
};

const conduct = async (
  link: FakeLink,
  {
    records = [],
    signal = new AbortController().signal,
  }: { records?: readonly RunRecord[]; signal?: AbortSignal } = {},
): Promise<{ readonly end: PartEnd; readonly appended: readonly RunRecord[] }> => {
  const { store, appended } = storeWith(records);
  const end = await conductPart(
    { machine: MACHINE, store, words: ["ab", "--flags=b=-n 6"] },
    { program: ["schbench-ts"], open: link.open, signal, landed: () => undefined, patienceMsec: 50 },
  );
  return { end, appended };
};

const faultIn = (end: PartEnd): string => (end.kind === "lost" ? end.fault.message : end.kind);

void test("the runs that a machine makes are kept as they land, among what else it prints", async () => {
  const link = fakeLink(["Welcome!", JSON.stringify(HEADER), "", ...LINES], WELL);
  const { end, appended } = await conduct(link);
  assert.equal(end.kind, "done");
  assert.deepEqual(appended, RECORDS);
  assert.deepEqual(link.commands, [["ssh", "n1", "schbench-ts", "on", "run", "0", "ab", "--flags=b=-n%206"]]);
});

void test("a run's origin has the name by which its machine was asked for, beside the one that it calls itself", async () => {
  const origin = { bootId: "b", kernel: "6.18", hostname: "pod-x7", version: "1.0.0" };
  const sent = RECORDS.map((record) => ({ ...record, origin }));
  const { appended } = await conduct(
    fakeLink(
      [HEADER, ...sent].map((line) => JSON.stringify(line)),
      WELL,
    ),
  );
  assert.equal(appended.length, RECORDS.length);
  for (const { origin: kept } of appended) assert.deepEqual(kept, { ...origin, machine: "n1" });
});

void test("a machine goes on behind the runs that are there, and is not started when all are", async () => {
  const link = fakeLink([JSON.stringify(HEADER), ...LINES.slice(3)], WELL);
  const { end, appended } = await conduct(link, { records: RECORDS.slice(0, 3) });
  assert.equal(end.kind, "done");
  assert.equal(appended.length, 1);
  assert.equal(link.commands[0]?.[5], "3");
  const idle = fakeLink([], WELL);
  assert.equal((await conduct(idle, { records: RECORDS })).end.kind, "done");
  assert.deepEqual(idle.commands, []);
});

void test("a machine that is cut off keeps its runs and loses the one that was being written", async () => {
  const gone: LinkEnd = { exitCode: 255, endedBy: null, stderr: "Connection reset\n" };
  const { end, appended } = await conduct(fakeLink([JSON.stringify(HEADER), LINES[0] ?? "", '{"format":"schb'], gone));
  assert.equal(appended.length, 1);
  assert.match(faultIn(end), /^n1 was cut off with exit code 255$/);
});

void test("a machine that says nothing any more is given up", async () => {
  const { end, appended } = await conduct(fakeLink([JSON.stringify(HEADER), LINES[0] ?? ""], WELL, true));
  assert.equal(appended.length, 1);
  assert.match(faultIn(end), /^n1 has said nothing for/);
});

void test("what fails on a machine is told in its own words, with its name", async () => {
  const failed: LinkEnd = {
    exitCode: 1,
    endedBy: null,
    stderr: "1 of 4 runs were written\nschbench-ts: it broke\nMend it.\n",
  };
  const { end } = await conduct(fakeLink([JSON.stringify(HEADER), LINES[0] ?? ""], failed));
  assert.equal(faultIn(end), "n1: it broke");
  assert.equal(end.kind === "lost" && end.fault.remedy, "Mend it.");
});

void test("an interruption lets the machine go and is no fault of its", async () => {
  const stop = new AbortController();
  stop.abort();
  const ended = await conduct(fakeLink([JSON.stringify(HEADER)], { ...WELL, exitCode: 143 }, true), {
    signal: stop.signal,
  });
  assert.equal(ended.end.kind, "interrupted");
});

void test("another experiment than was asked for is not kept", async () => {
  const { end, appended } = await conduct(fakeLink([JSON.stringify(fakeHeader({ rounds: 9 })), ...LINES], WELL));
  assert.match(faultIn(end), /n1 runs another experiment \(different rounds\)/);
  assert.deepEqual(appended, []);
});

void test("runs with a gap before them are not gone on with", () => {
  assert.equal(runsDone(HEADER, RECORDS.slice(0, 2), "f"), 2);
  assert.throws(() => runsDone(HEADER, RECORDS.slice(1, 2), "f"), /an earlier run is missing/);
});

const askFor = (stderr: string, exitCode: number, stdout: readonly string[] = []): Promise<unknown> =>
  askMachine(MACHINE, {
    program: ["schbench-ts"],
    words: ["ab"],
    version: "1",
    open: fakeLink(stdout, { exitCode, endedBy: null, stderr }).open,
    signal: new AbortController().signal,
  });

void test("a machine without an answer is told by what is wrong", async () => {
  for (const [stderr, exitCode, message] of [
    [
      "ssh: connect to host n1 port 22: Connection refused\n",
      255,
      /^n1 does not answer: "ssh n1" ended with exit code 255$/,
    ],
    ["bash: line 1: schbench-ts: command not found\n", 127, /^there is no "schbench-ts" on n1/],
    ["slurmstepd: error: execve(): schbench-ts: No such file or directory\n", 2, /^there is no "schbench-ts" on n1/],
    ['schbench-ts: unknown command "on": allowed is one of run\n', 1, /^n1 has an older schbench-ts/],
    ["motd\nschbench-ts: invalid value\nRemedy.\n", 1, /^n1 cannot run this experiment: invalid value$/],
  ] as const)
    await assert.rejects(askFor(stderr, exitCode), { message });
});
