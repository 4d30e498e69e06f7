import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExperimentHeader, RunRecord } from "../../../src/experiment/record.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { judgeValidation, undecidedAxes, type ValidateOptions } from "../../../src/validate/validate.js";
import { plainSubject } from "../../../src/experiment/subject.js";
import { cellNamed, external, fakeHeader, fakeRecord } from "../../helpers/fakes/fake-store.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const header: ExperimentHeader = fakeHeader({
  kind: "validate",
  subjects: [plainSubject("ours", { kind: "engine", node: null }), external("gcc"), external("clang")],
  cells: [cellNamed("default")],
  rounds: 5,
});
const OPTIONS: ValidateOptions = { policy: "measured", references: ["gcc", "clang"], code: null };

/** Five rounds whose request latencies are near the given values; everything else is the same for all. */
const records = (usec: Readonly<Record<string, number>>, wobble = 2): readonly RunRecord[] =>
  Object.entries(usec).flatMap(([subject, value]) =>
    [1, 2, 3, 4, 5].map((round) =>
      fakeRecord(subject, "default", round, {
        result: fakeResult({
          requestUsec: Array.from({ length: 200 }, () => value + wobble * (round % 3)),
          averageRps: 1_000_000 / value,
        }),
      }),
    ),
  );
const statusOf = (usec: Readonly<Record<string, number>>, options: ValidateOptions = OPTIONS, wobble = 2) => {
  const validation = judgeValidation(header, records(usec, wobble), options);
  const metric = validation.axes[0]?.metrics.find(({ id }) => id === "request-p50");
  return { validation, status: metric?.verdicts[0]?.status };
};

void test("between the references is inside", () => {
  const { validation, status } = statusOf({ gcc: 500, clang: 450, ours: 470 });
  assert.equal(status, "inside");
  assert.equal(validation.outcome, "inside");
});

void test("beyond the references by more than the rounds scatter is outside", () => {
  const { validation, status } = statusOf({ gcc: 500, clang: 450, ours: 530 });
  assert.equal(status, "outside");
  assert.equal(validation.outcome, "outside");
});

void test("references that scatter more than they lie apart make noise", () => {
  assert.equal(statusOf({ gcc: 401, clang: 400, ours: 402 }, OPTIONS, 20).status, "noise");
});

void test("the published policy goes by the averages alone, and by its list of noise", () => {
  const published: ValidateOptions = { ...OPTIONS, policy: "published" };
  const { validation, status } = statusOf({ gcc: 401, clang: 400, ours: 402 }, published, 20);
  assert.equal(status, "outside");
  assert.equal(validation.axes[0]?.metrics.find(({ id }) => id === "wakeup-p99")?.verdicts[0]?.status, "noise");
});

void test("on an edge it is undecided, and the axis is named for further rounds", () => {
  const { validation, status } = statusOf({ gcc: 500, clang: 450, ours: 451 }, OPTIONS, 0);
  assert.equal(status, "inside");
  const scattered = [
    ...records({ gcc: 500, clang: 450 }, 0),
    ...[440, 460, 445, 455, 449].map((value, index) =>
      fakeRecord("ours", "default", index + 1, {
        result: fakeResult({ requestUsec: Array.from({ length: 200 }, () => value), averageRps: 1_000_000 / value }),
      }),
    ),
  ];
  const undecided = judgeValidation(header, scattered, OPTIONS);
  assert.equal(undecided.outcome, "undecided");
  assert.deepEqual(undecidedAxes(undecided), ["default"]);
  assert.deepEqual(undecidedAxes(validation), []);
});

void test("references come first in the tables, and every build of ours has its verdict", () => {
  const two: ExperimentHeader = {
    ...header,
    subjects: [plainSubject("native", { kind: "engine", node: null }), ...header.subjects],
  };
  const validation = judgeValidation(two, records({ native: 480, ours: 600, gcc: 500, clang: 450 }), OPTIONS);
  const metric = validation.axes[0]?.metrics.find(({ id }) => id === "request-p50");
  assert.deepEqual(
    metric?.subjects.map(({ subject }) => subject),
    ["gcc", "clang", "native", "ours"],
  );
  assert.deepEqual(
    metric?.verdicts.map(({ subject, status }) => [subject, status]),
    [
      ["native", "inside"],
      ["ours", "outside"],
    ],
  );
});

void test("warm-up runs, failed runs and runs under a changed scheduler do not count, and the last are listed", () => {
  const good = records({ gcc: 500, clang: 450, ours: 470 });
  const bad = fakeResult({ requestUsec: [9_000_000], averageRps: 0 });
  const changed = "sched_ext changed from a to b during the run";
  const validation = judgeValidation(
    header,
    [
      ...good,
      fakeRecord("ours", "default", 0, { result: bad, excluded: { code: "warm-up", message: "" } }),
      fakeRecord("ours", "default", 6, { result: bad, excluded: { code: "sched-ext-changed", message: changed } }),
      fakeRecord("ours", "default", 7, { result: null, excluded: { code: "failed", message: "" } }),
    ],
    OPTIONS,
  );
  assert.equal(validation.outcome, "inside");
  assert.deepEqual(validation.leftOut, [`ours, default, round 6: ${changed}`]);
});

void test("machine code that is not as it should be is outside, whatever the figures say", () => {
  const { validation } = statusOf(
    { gcc: 500, clang: 450, ours: 470 },
    { ...OPTIONS, code: [{ subject: "native", ok: false, summary: "vectorised" }] },
  );
  assert.equal(validation.outcome, "outside");
});

void test("without any run nothing is decided", () => {
  assert.equal(judgeValidation(header, [], OPTIONS).outcome, "undecided");
});

void test("judged by round, drift between rounds decides nothing", () => {
  const pace = [1, 2.3, 0.8, 1.7, 1.2, 3, 0.9, 2];
  const drifting = Object.entries({ gcc: 500, clang: 450, ours: 470 }).flatMap(([subject, value]) =>
    pace.map((factor, index) =>
      fakeRecord(subject, "default", index + 1, {
        result: fakeResult({
          requestUsec: Array.from({ length: 200 }, () => Math.round(value * factor)),
          averageRps: 1_000_000 / value / factor,
        }),
      }),
    ),
  );
  const requestIn = (policy: ValidateOptions["policy"]) =>
    judgeValidation(header, drifting, { ...OPTIONS, policy }).axes[0]?.metrics.find(({ id }) => id === "request-p50")
      ?.verdicts[0];
  assert.equal(requestIn("measured")?.status, "noise");
  assert.equal(requestIn("by-round")?.status, "inside");
  assert.equal(requestIn("measured")?.byRound?.kind, "inside", "it stands beside, whatever decides");
});

void test("with more references than span the envelope, the verdict by all stands beside", () => {
  const three: ExperimentHeader = { ...header, subjects: [...header.subjects, external("clang-19")] };
  const all = records({ gcc: 500, clang: 450, "clang-19": 540, ours: 530 });
  const validation = judgeValidation(three, all, {
    ...OPTIONS,
    references: ["gcc", "clang", "clang-19"],
    envelope: ["gcc", "clang"],
  });
  const verdict = validation.axes[0]?.metrics.find(({ id }) => id === "request-p50")?.verdicts[0];
  assert.equal(verdict?.status, "outside");
  assert.equal(verdict?.allBuilds?.status, "inside");
  assert.equal(validation.allBuilds?.outside, 0);
  assert.equal(judgeValidation(three, all, OPTIONS).allBuilds, null, "the two that are named are all");
});

/** What the kernel saw of a storm whose workers stand beside their message thread in such a share of the readings. */
const placed = (mean: number): RunResult =>
  fakeResult(
    {},
    {
      fingerprint: {
        observer: "engine",
        seconds: 1,
        requests: 1000,
        traced: false,
        lostEvents: null,
        message: null,
        worker: null,
        besideMessage: { atStart: mean, mean, atEnd: mean },
      },
    },
  );
const storms = (shares: Readonly<Record<string, readonly RunResult[]>>): readonly RunRecord[] =>
  Object.entries(shares).flatMap(([subject, results]) =>
    results.map((result, index) => fakeRecord(subject, "default", index + 1, { result })),
  );
const C_BUILDS = { gcc: [placed(0.97), placed(0.98)], clang: [placed(0.93), placed(0.94)] };

void test("workers that stand criss-cross are outside after two rounds, whatever the latencies say", () => {
  const validation = judgeValidation(header, storms({ ...C_BUILDS, ours: [placed(0.5), placed(0.55)] }), OPTIONS);
  const outside = validation.axes[0]?.metrics.filter(({ verdicts }) => verdicts[0]?.status === "outside");
  assert.deepEqual(
    outside?.map(({ id, group }) => [id, group]),
    [
      ["worker-beside-message-start", "fingerprint"],
      ["worker-beside-message-mean", "fingerprint"],
      ["worker-beside-message-end", "fingerprint"],
    ],
  );
  assert.equal(validation.outcome, "outside");
});

void test("workers that stand as the references' do are inside, and what only we know of our runs is no row", () => {
  const alike = judgeValidation(header, storms({ ...C_BUILDS, ours: [placed(0.95), placed(0.96)] }), OPTIONS);
  const mean = alike.axes[0]?.metrics.find(({ id }) => id === "worker-beside-message-mean");
  assert.equal(mean?.verdicts[0]?.status, "inside");
  const blind = judgeValidation(
    header,
    storms({ gcc: [fakeResult()], clang: [fakeResult()], ours: [placed(0.95)] }),
    OPTIONS,
  );
  assert.deepEqual(
    blind.axes[0]?.metrics.filter(({ group }) => group === "fingerprint"),
    [],
  );
});
