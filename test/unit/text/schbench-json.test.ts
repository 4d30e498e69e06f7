import assert from "node:assert/strict";
import { test } from "node:test";
import { distributionOf } from "../../../src/model/metrics/distribution.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { schbenchJson } from "../../../src/text/schbench-json.js";
import { histogramOf } from "../../../src/stats/histogram/plat.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const host: NonNullable<RunResult["host"]> = {
  hostname: "box",
  kernel: "6.9.1",
  schedExt: "disabled",
  cpuModel: null,
  cpusOnline: 2,
  cpusAllowed: "0-1",
  governor: null,
  smt: null,
  transparentHugepage: null,
  virtualization: null,
  container: null,
  cgroupCpuMax: null,
  loadAverage1: null,
  memoryTotalKib: null,
  node: "20.20.0",
  v8: "11.3",
};

const run = (more: Partial<RunResult> = {}): RunResult =>
  fakeResult(
    {},
    {
      host,
      jobname: "nightly",
      commandLine: ["schbench-ts", "-r", "3", "-J", "nightly", "-j", "-"],
      startedAt: "2026-01-01T00:00:00.400Z",
      runtimeSec: 3.0002,
      wakeup: distributionOf(histogramOf([1, 2, 3]), "usec"),
      ...more,
    },
  );

const numbersOf = (label: string): readonly string[] =>
  ["pct20.0", "pct50.0", "pct90.0", "pct99.0", "pct99.9", "min", "max"].map((name) => `${label}_${name}`);

const parsed = (result: RunResult): Record<string, Record<string, unknown>> => JSON.parse(schbenchJson(result));

void test("the keys are upstream's, in upstream's order, and the complete result follows", () => {
  const json = parsed(run());
  assert.deepEqual(Object.keys(json), ["normal", "int", "schbench_ts"]);
  assert.deepEqual(Object.keys(json["normal"] ?? {}), ["version", "jobname", "hostname", "sched_ext", "cmdline"]);
  assert.deepEqual(Object.keys(json["int"] ?? {}), [
    "time",
    ...numbersOf("wakeup_latency"),
    ...numbersOf("request_latency"),
    ...numbersOf("rps"),
    "runtime",
  ]);
  assert.deepEqual(json["schbench_ts"], run());
});

void test("values are upstream's: kernel release as version, whole seconds, the time of the end", () => {
  const json = parsed(run());
  assert.deepEqual(json["normal"], {
    version: "6.9.1",
    jobname: "nightly",
    hostname: "box",
    sched_ext: "disabled",
    cmdline: "schbench-ts -r 3 -J nightly -j -",
  });
  assert.equal(json["int"]?.["time"], Date.parse("2026-01-01T00:00:03Z") / 1000);
  assert.equal(json["int"]?.["runtime"], 3);
  assert.equal(json["int"]?.["wakeup_latency_pct99.0"], 3);
  assert.equal(json["int"]?.["wakeup_latency_min"], 1);
});

void test("without a job name there is no such key", () => {
  assert.deepEqual(Object.keys(parsed(run({ jobname: null }))["normal"] ?? {}), [
    "version",
    "hostname",
    "sched_ext",
    "cmdline",
  ]);
});

void test("F-25: what has no sample is null, never 0", () => {
  const json = parsed(run({ rps: null, wakeup: null }));
  for (const key of [...numbersOf("rps"), ...numbersOf("wakeup_latency")]) assert.equal(json["int"]?.[key], null);
});

void test("pipe mode has the wakeup latencies only", () => {
  assert.deepEqual(Object.keys(parsed(run({ mode: "pipe" }))["int"] ?? {}), [
    "time",
    ...numbersOf("wakeup_latency"),
    "runtime",
  ]);
});

void test("F-25: it parses whatever the job name and argv hold, and stays on one line", () => {
  for (const text of ['say "hi"', "back\\slash", "line\nbreak", "\u2028 \u0000", "\uD800"]) {
    const result = run({ jobname: text, commandLine: ["schbench-ts", "-J", text] });
    assert.equal(schbenchJson(result).split("\n").length, 2);
    assert.equal(parsed(result)["normal"]?.["jobname"], text);
  }
});

void test("a result read from another schbench names the machine that its JSON named", () => {
  const machine = { hostname: "old", kernel: "5.4", schedExt: null };
  const json = parsed(
    run({ host: null, source: { kind: "parsed", era: "json-2025-05-01", file: "f", line: 1, machine } }),
  );
  assert.equal(json["normal"]?.["version"], "5.4");
  assert.equal(json["normal"]?.["sched_ext"], null);
});
