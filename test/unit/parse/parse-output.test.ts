import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { parseOutput } from "../../../src/parse/parse-output.js";
import { detailsReport } from "../../../src/text/details-text.js";
import { distributionOf } from "../../../src/model/metrics/distribution.js";
import { finalReport, wholeReport } from "../../../src/text/schbench-text.js";
import { histogramOf } from "../../../src/stats/histogram/plat.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";
import { fakeHeader, fakeRecord, jsonLines } from "../../helpers/fakes/fake-store.js";

const parse = (text: string) => parseOutput(text, { file: "f" });
const fixture = (name: string): string => readFileSync(resolve("test/fixtures/parse", name), "utf8");
const engine = { kind: "engine", version: "1.0.0", engine: "v8", build: "V8 11.3" } as const;

void test("a percentile with an impossible count is left out with a warning, since its value is none", () => {
  for (const count of ["18446744073709551154", String(2n ** 63n)]) {
    const text = fixture("2025-05.txt").replace("212        (36 samples)", `212        (${count} samples)`);
    const [run] = parse(text);
    assert.deepEqual(
      run?.intervals[0]?.wakeup?.percentiles.map((row) => row.percentile),
      [50, 90, 99],
    );
    assert.ok(run?.warnings.some(({ code }) => code === "percentile-not-computed"));
  }
});

void test("what stands in a row that was not computed contradicts nothing: its value is none, however large", () => {
  const text = fixture("2025-05.txt").replace("212        (36 samples)", "99999      (18446744073709551154 samples)");
  const [run] = parse(text);
  assert.deepEqual(
    run?.intervals[0]?.wakeup?.percentiles.map((row) => row.value),
    [5, 14, 38],
  );
});

/** The first table of a report without samples, with a maximum all the same. */
const emptyWithMaximum = (max: number): string =>
  fixture("2025-05.txt")
    .split("\n")
    .map((line, index) =>
      index < 2 || index > 7
        ? line
        : line
            .replace("(4050 total", "(0 total")
            .replace(/th: \d+ +\(\d+ samples\)/, "th: 0          (0 samples)")
            .replace("min=1, max=640", `min=0, max=${max}`),
    )
    .join("\n");

void test("a table without samples that has a maximum contradicts itself", () => {
  assert.equal(parse(emptyWithMaximum(0))[0]?.intervals[0]?.wakeup, null);
  assert.throws(() => parse(emptyWithMaximum(640)), /contradiction: the wakeup table has values but 0 total samples/);
});

void test("rows that count a few samples more than the total were read while threads were recording", () => {
  const text = fixture("2025-05.txt").replace("(4050 total samples)", "(3230 total samples)");
  assert.ok(parse(text)[0]?.warnings.some(({ code }) => code === "samples-do-not-add-up"));
});

void test("an average that was divided by zero is unknown", () => {
  for (const rps of ["inf", "nan", "-nan"])
    assert.equal(parse(fixture("2025-05.txt").replace("416.75", rps))[0]?.averageRps, null);
});

void test("an interval report at the very start has an rps that cannot be", () => {
  const text = fixture("2025-05.txt").replace("current rps: 411.33", "current rps: 19900000.00");
  assert.ok(parse(text)[0]?.warnings.some(({ code }) => code === "implausible-rps"));
});

void test("runs without intervals of the same length are not taken for one run with intervals", () => {
  const once = fixture("2021-12.txt");
  const other = once.replace("(1000 total", "(2000 total").replace("max=4021", "max=4999");
  assert.equal(parse(once + other).length, 2);
});

void test("interval reports of a run that was killed do not join the next run", () => {
  const lines = fixture("2025-05.txt").split("\n");
  const interval = lines.slice(2, 21).join("\n");
  const runs = parse(`${interval}\n${fixture("2025-05.txt")}`);
  assert.deepEqual(
    runs.map((run) => [run.intervals.length, run.wakeup === null]),
    [
      [1, true],
      [1, false],
    ],
  );
});

void test("a run result is found in our experiment files; left-out runs and other lines are skipped", () => {
  const result = fakeResult({}, { source: engine });
  const text = jsonLines([
    fakeHeader(),
    fakeRecord("a", "x", 0, { result, excluded: { code: "warm-up", message: "warm-up" } }),
    fakeRecord("a", "x", 1, { result }),
    fakeRecord("b", "x", 1, { result: null, excluded: { code: "failed", message: "exit 1" } }),
    result,
  ]);
  assert.deepEqual(parse(text), [result, result]);
  assert.throws(() => parse(jsonLines([fakeHeader()])), /no finished run/);
});

void test("a run result of another version is refused", () => {
  const newer = JSON.stringify({ ...fakeResult({}, { source: engine }), version: 2 });
  assert.throws(() => parse(newer), /f:1: run result of version 2: this program reads version 1/);
});

void test("the response latencies of --details are read as well", () => {
  const response = distributionOf(histogramOf(Array.from({ length: 20_000 }, (_, index) => index)), "usec");
  const result = fakeResult({}, { source: engine, response });
  const [run, ...more] = parse(finalReport(result) + detailsReport(result));
  assert.equal(more.length, 0);
  assert.equal(run?.response?.samples, 20_000);
  assert.equal(run?.response?.max, 19_999);
});

void test("job name, kernel, command line and time of upstream's JSON are kept", () => {
  const [run] = parse(fixture("json-2025-05-16.json"));
  assert.equal(run?.jobname, "nightly");
  assert.equal(run?.startedAt, "2023-11-14T22:13:20.000Z");
  assert.deepEqual(run?.source.kind === "parsed" && run.source.machine, {
    hostname: "box",
    kernel: "6.9.1",
    schedExt: "disabled",
  });
});

void test("lines around and in between do not matter, wherever they stand", () => {
  const text = fixture("2025-05.txt");
  const noisy = text.replaceAll("\n", "\n[ 12.5] usb 1-1: new device\n\n");
  const strip = (runs: ReturnType<typeof parse>) => runs.map((run) => ({ ...run, source: null }));
  assert.deepEqual(strip(parse(noisy)), strip(parse(text)));
});

void test("results of every age, printed in today's layout and read again, keep their tables and intervals", () => {
  for (const name of readdirSync(resolve("test/fixtures/parse")).filter(
    (file) => !/unescaped|side-by-side/.test(file),
  )) {
    const shown = (runs: ReturnType<typeof parse>) =>
      runs.map(({ wakeup, request, averageRps, transfer, intervals, runtimeSec, interrupted }) => {
        const tables = [wakeup, request].map((table) => table?.percentiles.filter((row) => row.percentile !== 20));
        return { tables, averageRps, transfer, intervals, runtimeSec, interrupted };
      });
    const runs = parse(fixture(name));
    assert.deepEqual(shown(parse(runs.map(wholeReport).join(""))), shown(runs), name);
  }
  const [killed] = parse(fixture("2025-05.txt").split("\n").slice(0, 21).join("\n"));
  assert.ok(killed !== undefined && killed.interrupted);
  assert.deepEqual(
    parse(wholeReport(killed)).map((run) => run.intervals),
    [killed.intervals],
  );
});
