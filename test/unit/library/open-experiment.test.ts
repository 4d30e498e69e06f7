import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { UsageError, UserError } from "../../../src/errors.js";
import type { Laboratory } from "../../../src/experiment/laboratory.js";
import type { ExperimentSpec } from "../../../src/library/experiment-spec.js";
import { headerOf } from "../../../src/library/experiment-spec.js";
import { openExperimentIn } from "../../../src/library/open-experiment.js";
import { fakeLaboratory } from "../../helpers/fakes/fake-laboratory.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const workload = { kind: "schbench", messageThreads: 1, workerThreads: 2, runtimeSec: 5 } as const;
const spec: ExperimentSpec = {
  subjects: [{ name: "plain" }, { name: "more", settings: { operations: 6 } }],
  workload,
  rounds: 2,
};
const startedAt = new Date(0);

test("a spec becomes the header that the command would write", () => {
  assert.deepEqual(
    headerOf(
      {
        subjects: [
          { name: "ours", setup: "scx & sleep 1", env: { A: "1" }, settings: { engine: "v8" } },
          { name: "gcc", command: ["./schbench", "-x"], settings: { operations: 1, pacing: "burst" } },
        ],
        workload: { ...workload, requestsPerSec: 5, pacing: "paced" },
      },
      startedAt,
    ),
    {
      format: "schbench-ts/experiment",
      version: 1,
      kind: "ab",
      subjects: [
        {
          name: "ours",
          launch: { kind: "engine", node: null },
          flags: ["--engine=v8"],
          env: { A: "1" },
          setup: "scx & sleep 1",
          prepare: null,
          teardown: null,
        },
        {
          name: "gcc",
          launch: { kind: "external", command: ["./schbench", "-x"] },
          flags: ["--operations=1"],
          env: {},
          setup: null,
          prepare: null,
          teardown: null,
        },
      ],
      cells: [
        {
          name: "run",
          flags: ["--message-threads=1", "--threads=2", "--runtime=5", "--rps=5"],
          engineFlags: ["--pacing=paced"],
          runtimeSec: 5,
          rounds: null,
        },
      ],
      rounds: 6,
      warmupRounds: 1,
      seed: 1,
      startedAt: "1970-01-01T00:00:00.000Z",
    },
  );
});

test("what is varied gives a cell for each combination, the last setting varying fastest", () => {
  const { kind, cells } = headerOf({ ...spec, vary: { workerThreads: [1, 2], noLocking: [false, true] } }, startedAt);
  assert.equal(kind, "sweep");
  assert.deepEqual(
    cells.map(({ name }) => name),
    [
      "workerThreads=1 noLocking=false",
      "workerThreads=1 noLocking=true",
      "workerThreads=2 noLocking=false",
      "workerThreads=2 noLocking=true",
    ],
  );
  assert.deepEqual(cells[3]?.flags, ["--message-threads=1", "--threads=2", "--runtime=5", "--no-locking"]);
});

const WRONG: readonly (readonly [Partial<ExperimentSpec>, RegExp])[] = [
  [{ subjects: [{ name: "a" }, { name: "a" }] }, /^two subjects are called "a"/],
  [{ subjects: [{ name: "" }] }, /^invalid name of a subject ""/],
  [{ subjects: [{ name: "a", command: [] }] }, /^the command of subject "a" is empty/],
  [{ subjects: [{ name: "a", settings: { operations: -1 } }] }, /^invalid value "-1" for operations/],
  [{ workload: { kind: "schbench", runtimeSec: 0 } }, /^runtimeSec "0" would never end/],
  [
    { workload: { ...workload, noLocking: true }, subjects: [{ name: "a", settings: { noLocking: false } }] },
    /^subject "a" cannot turn off noLocking/,
  ],
  [{ vary: { operations: [] } }, /^nothing to vary operations over/],
  [{ vary: { operations: [1.5] } }, /^invalid value "1.5" for operations/],
  [{ rounds: 0 }, /^invalid value "0" for rounds: allowed is a whole number, 1 or more$/],
  [{ warmupRounds: -1 }, /^invalid value "-1" for warmupRounds/],
  [{ seed: 0.5 }, /^invalid value "0.5" for seed/],
];

for (const [part, message] of WRONG)
  test(`${JSON.stringify(part)} is refused before anything runs`, async () => {
    const lab = fakeLaboratory();
    await assert.rejects(
      openExperimentIn(lab, { ...spec, ...part }),
      (error) => error instanceof UsageError && message.test(error.message),
    );
    assert.deepEqual(lab.log, []);
  });

test("it runs what is planned, keeps it, and compares with the first subject", async () => {
  const lab = fakeLaboratory();
  const experiment = await openExperimentIn(lab, spec);
  assert.equal(experiment.remaining(), 6);
  const events: string[] = [];
  assert.equal(await experiment.run({ onEvent: ({ kind }) => events.push(kind) }), "done");
  assert.equal(experiment.remaining(), 0);
  assert.equal(events.filter((kind) => kind === "run-finished").length, 6);
  assert.equal(lab.log.filter((line) => line.includes("--operations=6")).length, 3);
  assert.equal(experiment.records().length, 6);
  assert.equal(experiment.results("plain").length, 2);
  const comparison = experiment.compare({ primaryMetric: "wakeup-p99", resamples: 0 });
  assert.deepEqual(
    comparison.subjects.map(({ name, runs }) => [name, runs]),
    [
      ["plain", 2],
      ["more", 2],
    ],
  );
  assert.equal(comparison.primaryMetric, "wakeup-p99");
  assert.equal(await experiment.run(), "done");
  assert.equal(experiment.records().length, 6);
});

test("names that the experiment does not have are refused", async () => {
  const experiment = await openExperimentIn(fakeLaboratory(), spec);
  assert.throws(
    () => experiment.results("other"),
    (error) =>
      error instanceof UserError &&
      error.message === 'the experiment has no subject "other": allowed is one of plain, more',
  );
  assert.throws(() => experiment.compare({}, "t=4"), /no cell "t=4": allowed is one of run$/);
});

test("an aborted experiment says so, and goes on from its file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
  const file = join(folder, "runs.ndjson");
  try {
    const stop = new AbortController();
    const first = await openExperimentIn(fakeLaboratory(), spec, { file });
    const outcome = await first.run({
      signal: stop.signal,
      onEvent: ({ kind }) => {
        if (kind === "run-finished" && first.records().length === 2) stop.abort();
      },
    });
    assert.equal(outcome, "interrupted");
    const second = await openExperimentIn(fakeLaboratory(), spec, { file });
    assert.equal(second.remaining(), 4);
    assert.equal(await second.run(), "done");
    assert.equal(second.records().length, 6);
    await assert.rejects(
      openExperimentIn(fakeLaboratory(), { ...spec, seed: 99 }, { file }),
      /it holds another experiment \(different seed\)/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a subject that could not be run is an error before the first run, and none once all is done", async () => {
  let fault: unknown = null;
  const lab = fakeLaboratory({ startFault: () => fault });
  const subjects = [{ name: "plain" }, { name: "other", command: ["./other"] }] as const;
  const experiment = await openExperimentIn(lab, { ...spec, subjects, rounds: 1, warmupRounds: 0 });
  fault = Object.assign(new Error("spawn"), { code: "ENOENT" });
  await assert.rejects(experiment.run(), {
    name: "UserError",
    message: /^cannot start "\.\/other" of subject "other": /,
  });
  assert.deepEqual(lab.log, []);
  fault = null;
  assert.equal(await experiment.run(), "done");
  fault = new Error("gone");
  assert.equal(await experiment.run(), "done");
});

/** Ten microseconds for each thread that the output names. */
const parse: Laboratory["parse"] = (text) => [fakeResult({ wakeupUsec: [Number(text) * 10] })];

test("a sweep has a value for each combination", async () => {
  const lab = fakeLaboratory({
    execute: ({ command }) => ({ stdout: command.find((word) => word.startsWith("--threads="))?.slice(10) ?? "" }),
  });
  const experiment = await openExperimentIn(
    { ...lab, parse },
    {
      subjects: [{ name: "plain" }],
      workload,
      vary: { workerThreads: [1, 2, 4] },
      rounds: 1,
      warmupRounds: 0,
    },
  );
  assert.equal(await experiment.run(), "done");
  const sweep = experiment.sweep();
  assert.deepEqual(sweep.varied, ["workerThreads"]);
  assert.deepEqual(
    sweep.metrics.find(({ id }) => id === "wakeup-p50")?.points.map(({ values, median }) => [values, median]),
    [
      [["1"], 10],
      [["2"], 20],
      [["4"], 40],
    ],
  );
  assert.deepEqual(
    experiment.sweep(["wakeup-p99", "wakeup-p50"]).metrics.map(({ id }) => id),
    ["wakeup-p50", "wakeup-p99"],
  );
});
