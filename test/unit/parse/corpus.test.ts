/** Outputs as people posted them. They are not part of the repository; without them these tests are skipped. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { ParseError } from "../../../src/errors.js";
import { parseOutput } from "../../../src/parse/parse-output.js";
import { percentileIn } from "../../../src/model/metrics/distribution.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { wholeReport } from "../../../src/text/schbench-text.js";

const corpus = resolve("../shared/corpus");
const options = existsSync(corpus) ? {} : { skip: "the corpus is not here" };
const read = (name: string): string => readFileSync(resolve(corpus, `${name}.txt`), "utf8");
const runs = (name: string): readonly RunResult[] => parseOutput(read(name), { file: `${name}.txt` });
const only = (name: string): RunResult => {
  const [run, ...more] = runs(name);
  assert.ok(run !== undefined);
  assert.equal(more.length, 0);
  return run;
};
const eraOf = (run: RunResult): string => (run.source.kind === "parsed" ? run.source.era : "");
const codes = (run: RunResult): readonly string[] => run.warnings.map((warning) => warning.code);

/** Era, mode, run time, samples and p99 of wakeup and request, average rps. */
const EXPECTED = {
  "01": ["2023-04-11", "closed-loop", 10, 30_212, 175, 30_246, 17_248, 3024.6],
  "02": ["2023-04-11", "closed-loop", 90, 255_474, 272, 255_755, 19_616, 3009.1],
  "03": ["2023-04-11", "pipe", 30, 2_631_154, 8, null, null, null],
  "09": ["2016-05", null, null, null, 14_160, null, null, null],
  "10": ["2019-08", null, null, null, 12_912, null, null, null],
  "12": ["2016-05", "rate", null, null, 933, null, null, 498.31],
  "13": ["2023-04-11", null, 100, 1_658_446, 25, 1_662_381, 15_568, 16_623.81],
  "14": ["2023-04-11", null, 100, 1_668_161, 31, 1_671_859, 15_408, 16_718.59],
  "18": ["2023-04-11", null, 30, 228_657, 4584, 229_044, 27_488, 7634.8],
  "25": ["2019-08", null, null, null, 2292, null, null, null],
  L1: ["json-2025-05-16", "closed-loop", 3, null, 49, null, 1970, null],
  L2: ["json-2025-05-16", "pipe", 3, null, 39, null, null, null],
  L3: ["json-2025-05-16", "rate", 3, null, 212, null, 6744, null],
  L4: ["json-2025-05-01", "closed-loop", 3, null, 48, null, 1554, null],
  L6: ["2023-04-10", null, 3, 76, 67, 76, 92_800, 25.33],
  L8: ["2020-10-21", null, 3, null, 239, null, null, null],
  L9: ["2021-12", null, 3, 64, 3988, null, null, null],
  L10: ["2025-05", null, 6, 100, 953_344, 600, 174_336, 100],
  L10json: ["json-2025-05-16", "rate", 6, null, 953_344, null, 174_336, null],
  L13: ["2025-05", null, 4295, 381, 39, 381, 7688, 0.09],
  L14: ["2025-05", null, 2, 1576, 53, 1576, 4344, 788],
  L14json: ["json-2025-05-16", "closed-loop", 2, null, 53, null, 4344, null],
  L16: ["2025-05", "rate", 3, 4486, 10_128, 4486, 43_072, null],
  L18: ["2025-05", null, 3, 4913, 49, 4914, 1970, 1638],
} as const;

for (const [name, expected] of Object.entries(EXPECTED))
  void test(`corpus file ${name} reads as one run with its numbers`, options, () => {
    const run = only(name);
    const { mode, runtimeSec, wakeup, request, averageRps } = run;
    const p99 = [percentileIn(wakeup, 99), percentileIn(request, 99)];
    assert.deepEqual(
      [eraOf(run), mode, runtimeSec, wakeup?.samples ?? null, p99[0], request?.samples ?? null, p99[1], averageRps],
      [...expected],
    );
  });

void test("three runs in one file are three results with their intervals apart", options, () => {
  const parsed = runs("04");
  assert.deepEqual(
    parsed.map((run) => [run.averageRps, run.intervals.map((interval) => [interval.atSec, interval.currentRps])]),
    [
      [
        17_108.7,
        [
          [10, 15_869.42],
          [20, 17_385.74],
          [30, 18_042.84],
        ],
      ],
      [
        15_943.03,
        [
          [10, 14_398.22],
          [20, 16_098.67],
          [30, 17_305.58],
        ],
      ],
      [
        17_007.27,
        [
          [10, 15_419.72],
          [20, 17_305.93],
          [30, 18_268.65],
        ],
      ],
    ],
  );
  assert.deepEqual(parsed[0]?.commandLine, ["./schbench", "-m", "1", "-t", "128", "-r", "30"]);
});

void test("two labelled blocks below one header are two runs", options, () => {
  assert.deepEqual(
    runs("08").map((run) => [percentileIn(run.wakeup, 99), run.transfer?.opsPerSecPerWorker]),
    [
      [118, 25_192],
      [114, 28_613.39],
    ],
  );
});

void test("interval reports without a final one are read as such, with a warning", options, () => {
  for (const name of ["16", "20"]) {
    const run = only(name);
    assert.equal(run.wakeup, null);
    assert.equal(run.interrupted, true);
    assert.equal(run.intervals.length, 1);
    assert.ok(codes(run).includes("no-final-report"));
  }
  assert.deepEqual(only("16").intervals[0]?.schedDelay, { messageUsec: 3, workerUsec: 7 });
  assert.ok(codes(only("20")).includes("percentile-above-max"));
});

void test("what upstream gets wrong comes with a warning", options, () => {
  for (const [name, ...expected] of [
    ["L18", "rps-first-sample", "sched-delay-lost"],
    ["13", "rps-first-sample"],
    ["L10", "rate-stop-artefact"],
    ["L10json", "rate-stop-artefact"],
    ["L13", "runtime-overflow"],
    ["L16", "goal-zero", "sched-delay-lost"],
    ["L3", "rps-not-measured"],
  ] as const)
    for (const code of expected) assert.ok(codes(only(name)).includes(code), `${name} lacks ${code}`);
  assert.equal(only("L18").schedDelay, null);
  assert.equal(only("L3").rps, null);
  assert.equal(only("L16").rps, null);
  assert.equal(only("L3").rate?.targetHit, false);
});

for (const [name, line, reason] of [
  ["22", 1, /damaged line/],
  ["24", 2, /side by side/],
  ["L12", 1, /invalid|not escape/],
] as const)
  void test(`corpus file ${name} is refused, naming line ${line}`, options, () => {
    assert.throws(
      () => runs(name),
      (error) => error instanceof ParseError && error.line === line && reason.test(error.message),
    );
  });

for (const name of ["13", "14", "18"])
  void test(
    `corpus file ${name}, read and printed again, is the same text where upstream printed tabs`,
    options,
    () => {
      const tabbed = read(name).replaceAll(/^ {8}/gm, "\t");
      assert.equal(wholeReport(only(name)), tabbed);
    },
  );
