import assert from "node:assert/strict";
import { test } from "node:test";
import { type Axis, axisNamed } from "../../../src/validate/axes.js";
import { degeneracies } from "../../../src/validate/degenerate.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const axis = (name: string): Axis => {
  const found = axisNamed(name);
  assert.ok(found);
  return found;
};
const many = (value: number) => Array.from({ length: 200 }, () => value);
/** A run of ten seconds, with a sample of requests per second for each. */
const tenSeconds = (run: RunResult): RunResult => ({
  ...run,
  rps: run.rps === null ? null : { ...run.rps, samples: 10 },
});
const result = (more: Partial<RunResult> = {}, averageRps = 100): RunResult => ({
  ...tenSeconds(fakeResult({ wakeupUsec: many(5), requestUsec: many(5000), averageRps })),
  ...more,
});
const rate: NonNullable<RunResult["rate"]> = {
  askedPerSec: 10,
  pacing: "burst",
  offered: null,
  sent: null,
  dropped: null,
  lateness: null,
  finalGoalPerSec: 42,
  targetBusyPercent: 50,
  targetHit: true,
};
const codes = (name: string, ...results: RunResult[]) =>
  degeneracies(axis(name), [{ subject: "gcc", isReference: true, results }]).map((degeneracy) => degeneracy.code);

void test("an ordinary axis has nothing degenerate", () => {
  assert.deepEqual(codes("default", result(), result()), []);
  assert.deepEqual(codes("R100-burst", result()), []);
  assert.deepEqual(codes("A50", result({ rate })), []);
});

void test("requests per second of a run of one second have no percentile, so they are not judged", () => {
  const short = fakeResult({ wakeupUsec: many(5), requestUsec: many(5000), averageRps: 100 });
  assert.equal(short.rps?.samples, 1);
  const [found] = degeneracies(axis("storm-2x16"), [{ subject: "ours", isReference: false, results: [short] }]);
  assert.equal(found?.code, "few-seconds");
  assert.deepEqual(found?.spoils, ["rps-p50"]);
  assert.deepEqual(codes("p4k", short), []);
});

void test("a target that our engine says was not hit is said with the goal of each subject, and rates are not judged", () => {
  const [found] = degeneracies(axis("A50"), [
    {
      subject: "gcc",
      isReference: true,
      results: [result({ rps: null, rate: { ...rate, targetHit: null, finalGoalPerSec: 2_000_000 } })],
    },
    {
      subject: "ours",
      isReference: false,
      results: [result({ rate: { ...rate, targetHit: false } }), result({ rate })],
    },
  ]);
  assert.equal(found?.code, "target-not-reached");
  assert.match(found?.message ?? "", /gcc goal 2000000\/s at the end, ours goal 42\.0\/s at the end \(1 of 2 runs\)/);
  assert.deepEqual(found?.spoils, ["rps-p50", "average-rps"]);
});

void test("a closed-loop run without an RPS sample is no missed target", () => {
  assert.deepEqual(codes("default", result({ rps: null })), []);
});

void test("a rate above capacity is said with what was served, and wakeups are not judged", () => {
  const [found] = degeneracies(axis("R1000-paced"), [
    { subject: "gcc", isReference: true, results: [result({}, 400), result({}, 420)] },
  ]);
  assert.equal(found?.code, "over-capacity");
  assert.match(found?.message ?? "", /^1000\/s is above capacity \(served: gcc 410\/s\)/);
  assert.deepEqual(found?.spoils, ["wakeup-p99"]);
  assert.deepEqual(codes("R1000-paced", result({}, 960)), []);
});

void test("a rate that only we cannot serve is no fault of the axis", () => {
  const found = degeneracies(axis("R1000-paced"), [
    { subject: "gcc", isReference: true, results: [result({}, 1000)] },
    { subject: "ours", isReference: false, results: [result({}, 400)] },
  ]);
  assert.deepEqual(found, []);
});

void test("the reference's wakeups from the end of a rate run are recognised, ours are taken as they are", () => {
  const slow = tenSeconds(fakeResult({ wakeupUsec: [...many(5), 950_000], requestUsec: many(5000), averageRps: 100 }));
  assert.deepEqual(codes("R100-burst", slow), ["stop-artefact"]);
  assert.deepEqual(
    codes("R100-burst", { ...slow, source: { kind: "engine", version: "1", engine: "native", build: "x" } }),
    [],
  );
  assert.deepEqual(codes("default", slow), []);
});

void test("a p99 of next to no samples is pointed out, but judged", () => {
  const [found] = degeneracies(axis("default"), [
    {
      subject: "gcc",
      isReference: true,
      results: [tenSeconds(fakeResult({ wakeupUsec: many(5), requestUsec: [1, 2, 3] }))],
    },
  ]);
  assert.equal(found?.code, "few-samples");
  assert.match(found?.message ?? "", /^request p99 of fewer than 100 samples a run .*gcc 3\.0/);
  assert.deepEqual(found?.spoils, []);
});
