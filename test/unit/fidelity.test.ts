/** The differences of docs/fidelity.md that a pure function shows. Those that need a run are in test/integration. */
import assert from "node:assert/strict";
import test from "node:test";
import { stepAutoRps } from "../../src/engine/watch/auto-rps.js";
import { placesOf } from "../../src/engine/memory/shared-memory.js";
import { tickNsec } from "../../src/engine/watch/run-clock.js";
import { UsageError } from "../../src/errors.js";
import { parseCommandLine } from "../../src/options/line/command-line.js";
import { resolvePinning } from "../../src/options/run/pinning.js";
import { resolveRun } from "../../src/options/run/run-options.js";
import { runOptions } from "../../src/options/run/run-table.js";
import { distributionOf } from "../../src/model/metrics/distribution.js";
import { finalReport } from "../../src/text/schbench-text.js";
import { histogramOf, mergeHistograms } from "../../src/stats/histogram/plat.js";
import { percentileRows } from "../../src/stats/histogram/percentiles.js";
import { scaleBytes } from "../../src/units.js";
import { engineLayout } from "../helpers/engines.js";
import { fakeResult } from "../helpers/fakes/fake-result.js";
import { GRANTS_ALL } from "../helpers/fakes/grants-all.js";

const cpus = (allowedCpus: readonly number[]) => ({ allowedCpus, refusalOf: () => null, ...GRANTS_ALL });

const planOf = (line: string, allowedCpus: readonly number[] = [0, 1]) =>
  resolveRun(parseCommandLine(line.split(" ").filter(Boolean), runOptions).options, {
    allowedCpus,
    refusalOf: () => null,
    ...GRANTS_ALL,
  }).plan;

test("F-02: the goal of -A never falls below 1, however often it is cut", () => {
  let state = { goalPerSec: 50, targetHit: false };
  for (let second = 0; second < 100; second++) state = stepAutoRps(state, 100, 1);
  assert.equal(state.goalPerSec, 1);
});

test("F-04: {0, 0, 5} has count 3, min 0 and p50 0; an empty histogram has no say in a merged minimum", () => {
  const histogram = histogramOf([0, 0, 5]);
  const distribution = distributionOf(histogram, "usec");
  assert.equal(distribution?.samples, 3);
  assert.equal(distribution?.min, 0);
  assert.equal(percentileRows(histogram, [50])[0]?.value, 0);
  assert.equal(mergeHistograms([histogramOf([]), histogramOf([7])]).min, 7);
});

test("F-05: no percentile lies above the maximum or below the minimum", () => {
  const rows = percentileRows(histogramOf([1000]), [1, 50, 99.9]);
  for (const { value } of rows) assert.equal(value, 1000, "the bucket's middle is 1001");
});

test("F-10: 4295 seconds and a hundred days are that long", () => {
  assert.equal(planOf("-r 4295").runtimeSec, 4295);
  assert.equal(planOf("-r 8640000 -w 4295 -z 5000 -i 4300").zeroSec, 5000);
  assert.equal(tickNsec(0, 4295), 4295e9);
});

test("F-11: 20 million transfers of 1 MiB in 1,000 s are 19.53GB/s", () => {
  const { value, unit } = scaleBytes((20e6 * 1024 * 1024) / 1000);
  assert.equal(`${value.toFixed(2)}${unit}/s`, "19.53GB/s");
});

test("F-15: with -M auto workers get the allowed CPUs minus the message CPUs, and an error if none is left", () => {
  assert.deepEqual(resolvePinning(1, "auto", null, cpus([2, 5, 9])).workerCpus, [5, 9]);
  assert.throws(() => resolvePinning(2, "auto", null, cpus([0, 1])), UsageError);
});

test("F-16: there is a lock for every possible CPU id, a cache line apart", () => {
  const [few, many] = [4, 400].map((possibleCpus) =>
    placesOf(engineLayout, { plan: planOf("-t 1"), possibleCpus, manyWindows: false }),
  );
  assert.ok((many?.bytes ?? 0) - (few?.bytes ?? 0) >= 64 * (400 - 4) - 4096);
  assert.equal(engineLayout.sizeOf("Lock"), 64);
});

test("F-17: --cache_footprint works, in both spellings", () => {
  for (const line of ["--cache_footprint 512", "--cache-footprint=512", "-F 512"]) {
    const plan = planOf(line);
    assert.equal(plan.mode === "closed-loop" ? plan.work.footprintKib : 0, 512);
  }
});

test("F-18: -W alone also moves the message threads", () => {
  const { messageCpus, workerCpus } = resolvePinning(2, null, [1], cpus([0, 1]));
  assert.deepEqual(workerCpus, [1]);
  assert.deepEqual(messageCpus, [[1], [1]]);
});

test("F-23: a rate run is paced unless burst is asked for", () => {
  const paced = planOf("-R 100");
  const burst = planOf("-R 100 --pacing burst");
  assert.equal(paced.mode === "rate" ? paced.pacing : "", "paced");
  assert.equal(burst.mode === "rate" ? burst.pacing : "", "burst");
});

test("F-26: the default number of workers comes from the CPUs that this process may use", () => {
  assert.equal(planOf("-m 2", [3, 4, 7]).workerThreads, 2);
  assert.equal(planOf("", [6]).workerThreads, 1);
});

test("F-27: a table without a sample says so instead of printing zeros", () => {
  const report = finalReport(
    fakeResult({}, { wakeup: null, source: { kind: "engine", version: "0", engine: "native", build: "" } }),
  );
  assert.match(
    report,
    /^Wakeup Latencies percentiles \(usec\) runtime \d+ \(s\) \(0 total samples\)\n\t {2}no samples$/mu,
  );
});

test("F-31: pipe mode with a rate is an error", () => {
  assert.throws(() => planOf("-p 64 -R 10"), UsageError);
  assert.throws(() => planOf("-p 64 -A 50"), UsageError);
});

test("F-33: -M auto with a list for the workers is refused, and the reverse", () => {
  for (const line of ["-M auto -W 1", "-W auto -M 0"]) assert.throws(() => planOf(line), UsageError, line);
});

test("F-34: a warm-up as long as the run is refused", () => {
  assert.throws(() => planOf("-r 5 -w 5"), /cannot warm up for "5" s in a run of 5 s/u);
});

test("F-35: a shortened long option is answered with the full name", () => {
  assert.throws(() => planOf("--run 10"), /--run/u);
});

test("F-36: a utilisation target is a percentage above 0", () => {
  for (const line of ["-A 0", "-A 101"]) assert.throws(() => planOf(line), /1/u, line);
  assert.equal(planOf("-A 100").mode, "rate");
});
