import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { UserError } from "../../../../src/errors.js";
import { mergeResults } from "../../../../src/compare/merge/merge.js";
import { differences } from "../../../../src/compare/plan-differences.js";
import { distributionOf } from "../../../../src/model/metrics/distribution.js";
import { runResult } from "../../../../src/model/result/run-result.js";
import { histogramOf } from "../../../../src/stats/histogram/plat.js";
import { pipePlan } from "../../../helpers/fakes/fake-plan.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";

const transfer = (ops: number) => ({
  opsPerSecPerWorker: ops,
  bytesPerSecPerWorker: ops * 4096,
  opsPerSecTotal: null,
  bytesPerSecTotal: null,
});
const schedDelay = (workerUsec: number) => ({ messageUsec: null, workerUsec });
const delayed = (messageThreads: number, workerThreads: number, messageUsec: number, workerUsec: number) =>
  fakeResult({}, { plan: pipePlan({ messageThreads, workerThreads }), schedDelay: { messageUsec, workerUsec } });
const measured = (averageRps: number | null, measuredSec: number) =>
  fakeResult({ averageRps }, { loops: 100, measuredSec });
const calledAs = (...commandLine: string[]) => fakeResult({}, { commandLine });

void test("merged histograms are those of all samples together", () => {
  const samples = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.array(samples, { minLength: 1, maxLength: 4 }), (runs) => {
      const merged = mergeResults(runs.map((requestUsec) => fakeResult({ requestUsec })));
      assert.deepEqual(merged.request, distributionOf(histogramOf(runs.flat()), "usec"));
    }),
  );
});

void test("merging is the same in one step or two", () => {
  const [a, b, c] = [[1, 2], [3], [900, 901]].map((wakeupUsec) => fakeResult({ wakeupUsec }));
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  assert.deepEqual(mergeResults([mergeResults([a, b]), c]).wakeup, mergeResults([a, b, c]).wakeup);
});

void test("counts and times are summed, the rate follows from them, and the result is a valid one", () => {
  const merged = mergeResults([
    fakeResult(
      { averageRps: 100 },
      { loops: 1000, runtimeSec: 10, measuredSec: 10, startedAt: "2026-01-02T00:00:00Z" },
    ),
    fakeResult(
      { averageRps: 200 },
      { loops: 6000, runtimeSec: 30, measuredSec: 30, interrupted: true, startedAt: "2026-01-01T00:00:00Z" },
    ),
  ]);
  assert.equal(merged.loops, 7000);
  assert.equal(merged.measuredSec, 40);
  assert.equal(merged.averageRps, 175);
  assert.equal(merged.interrupted, true);
  assert.equal(merged.startedAt, "2026-01-01T00:00:00Z");
  assert.deepEqual(merged.warnings[0]?.code, "merged");
  assert.equal(runResult.safeParse(merged).success, true);
});

void test("transfer rates are weighed by measured time, scheduling delays by threads", () => {
  const merged = mergeResults([
    fakeResult({}, { transfer: transfer(100), measuredSec: 10, schedDelay: schedDelay(10) }),
    fakeResult({}, { transfer: transfer(200), measuredSec: 30, schedDelay: schedDelay(20) }),
  ]);
  assert.equal(merged.transfer?.opsPerSecPerWorker, 175);
  assert.equal(merged.transfer?.opsPerSecTotal, null);
  assert.deepEqual(merged.schedDelay, { messageUsec: null, workerUsec: 15 });
});

void test("a mean scheduling delay weighs as many threads as its run had", () => {
  const merged = mergeResults([delayed(1, 2, 10, 10), delayed(3, 4, 20, 24)], { force: true });
  // 1 and 3 message threads, 2 and 12 workers.
  assert.deepEqual(merged.schedDelay, { messageUsec: 17.5, workerUsec: 22 });
});

void test("without measured time, or with an unknown average, the rate is the mean of those known", () => {
  assert.equal(mergeResults([measured(100, 0), measured(200, 0)]).averageRps, null);
  assert.equal(mergeResults([measured(100, 1), measured(null, 1)]).averageRps, 100);
});

void test("different plans are refused with what differs, unless forced", () => {
  const runs = [fakeResult({}, { plan: pipePlan() }), fakeResult({}, { plan: pipePlan({ workerThreads: 8 }) })];
  assert.throws(
    () => mergeResults(runs),
    (error) =>
      error instanceof UserError && /workerThreads: 2, 8/.test(error.message) && /--force/.test(error.remedy ?? ""),
  );
  const forced = mergeResults(runs, { force: true });
  assert.equal(forced.plan, null);
  assert.equal(forced.request?.samples, 6);
});

void test("parsed runs differ by their command lines, not by the program's name", () => {
  assert.deepEqual(differences([calledAs("./schbench", "-m", "2"), calledAs("/bin/schbench", "-m", "2")]), []);
  assert.deepEqual(differences([calledAs("schbench", "-m", "2"), calledAs("schbench", "-m", "4")]), [
    'commandLine: "-m 2", "-m 4"',
  ]);
});

void test("tables cannot be added: refused, or left out when forced", () => {
  const table = fakeResult();
  const runs = [fakeResult(), { ...table, request: table.request && { ...table.request, buckets: null } }];
  assert.throws(() => mergeResults(runs), /cannot add the request distributions: 1 of 2 runs/);
  const forced = mergeResults(runs, { force: true });
  assert.equal(forced.request, null);
  assert.equal(forced.wakeup?.samples, 6);
});

void test("one run stays as it is, none is refused", () => {
  const run = fakeResult();
  assert.equal(mergeResults([run]), run);
  assert.throws(() => mergeResults([]), UserError);
});

/** A run of one worker thread with its own times. */
const started = (second: number) =>
  fakeResult(
    { requestUsec: [second] },
    {
      startedAt: `2026-12-01T12:00:0${second}.000Z`,
      threads: [
        {
          role: "worker",
          index: 0,
          tid: 100 + second,
          allowedCpus: "0",
          loops: 1,
          voluntarySwitches: 1,
          involuntarySwitches: 0,
          migrations: 0,
          runDelayUsec: 10 + second,
          timesRun: 2,
          group: null,
          sched: null,
        },
      ],
    },
  );

void test("a run that is given twice is added once, with a warning", () => {
  const merged = mergeResults([started(1), started(2), started(1)]);
  assert.equal(merged.request?.samples, 2);
  assert.ok(
    merged.warnings.some(
      ({ code, message }) =>
        code === "repeated-runs" &&
        message === "1 of 3 results is there twice, or part of another: each is counted once",
    ),
  );
});

void test("a run that a merged result holds already is not added to it again", () => {
  const both = mergeResults([started(1), started(2)]);
  for (const given of [
    [both, started(2)],
    [started(2), both],
  ])
    assert.equal(mergeResults(given).request?.samples, 2);
});

void test("merged results with runs in common are refused: they cannot be taken apart", () => {
  const parts = [mergeResults([started(1), started(2)]), mergeResults([started(2), started(3)])];
  assert.throws(() => mergeResults(parts), {
    name: "UserError",
    message: "cannot merge: results 1 and 2 have runs in common, which would count twice",
  });
  assert.equal(mergeResults(parts, { force: true }).request?.samples, 4);
});
