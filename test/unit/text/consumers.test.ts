/** Programs that read schbench's text read ours as they read C's, and no warning is taken for a number. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { comparisonWarnings } from "../../../src/compare/comparison-warnings.js";
import { foldWarnings } from "../../../src/compare/grid-warnings.js";
import { METRICS, metricOf } from "../../../src/model/metrics/metrics.js";
import { asWarningText } from "../../../src/model/result/warning-text.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { parseOutput } from "../../../src/parse/parse-output.js";
import { intervalReport, wholeReport } from "../../../src/text/schbench-text.js";
import { warningsText } from "../../../src/text/warnings-text.js";
import { CONSUMERS } from "../../helpers/consumers.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";
import { fullRateResult } from "../../helpers/fakes/full-result.js";
import { sourceTexts, warningCodes, warningFiles } from "../../helpers/warning-texts.js";

const posted = resolve("../shared/corpus");
const whereCorpusIs = existsSync(posted) ? {} : { skip: "the corpus is not here" };

/** What some program would take for a minimum or a row. */
const TAKEN_FOR_A_NUMBER = /min[=\d]|^\s*[\d.,]+\s*:/im;

const readsAlike = (theirs: string, file: string): void => {
  const [run, ...more] = parseOutput(theirs, { file });
  assert.ok(run !== undefined && more.length === 0);
  const ours = wholeReport(run);
  for (const [name, take] of Object.entries(CONSUMERS)) assert.deepEqual(take(ours), take(theirs), `${name}: ${file}`);
};

for (const name of ["01", "02", "03", "13", "14", "18", "L10", "L13", "L14", "L18"])
  void test(`every program reads corpus file ${name} alike, whether C printed it or we do`, whereCorpusIs, () => {
    // Some posters' tabs became blanks, some outputs were quoted or indented; programs meet them as they were printed.
    const lines = readFileSync(resolve(posted, `${name}.txt`), "utf8").split("\n");
    readsAlike(lines.map((line) => line.replace(/^ {8}(?=\s*[\d*m])/, "\t")).join("\n"), name);
  });

for (const name of ["2025-05.txt", "2025-05-rate.txt", "2025-05-overflow.txt", "2023-04-11-pipe.txt"])
  void test(`every program reads ${name} alike, whether C printed it or we do`, () => {
    readsAlike(readFileSync(resolve("test/fixtures/parse", name), "utf8"), name);
  });

void test("the programs take from a report of ours what it says", () => {
  const result = fakeResult(
    { averageRps: 812.5 },
    { source: { kind: "engine", version: "1", engine: "v8", build: "" } },
  );
  const { wakeup, request } = result;
  const text = wholeReport(result);
  assert.ok(wakeup !== null && request !== null);
  for (const [consumer, name, value] of [
    ["lkp-tests", "wakeup 99%", wakeup.percentiles[3]?.value],
    ["lkp-tests", "request max", request.max],
    ["mmtests, every percentile", "99.9", wakeup.percentiles[4]?.value],
    ["DCPerf", "average", "812.50"],
    ["DCPerf", "request 50.0th", request.percentiles[1]?.value],
    ["avocado", "average", "812.50"],
    ["avocado", "Request Latencies percentiles extremes", `${request.min} ${request.max}`],
    ["workload-automation", "min=", wakeup.min],
  ] as const) {
    const found = CONSUMERS[consumer](text).find(([taken]) => taken === name);
    assert.equal(found?.[1], String(value), `${consumer}: ${name}`);
  }
  const rate = wholeReport(fullRateResult());
  assert.ok(CONSUMERS["mmtests, by interval"](rate + rate).length > 8);
});

void test("no text of any warning has min before = or a digit, or begins with a number and a colon", () => {
  const texts = sourceTexts(warningFiles());
  for (const known of [
    "its times say nothing about a scheduler or a CPU",
    "the run ended during the warm-up",
    "give -A more time, or ask for a rate within reach",
    "a report has no table of 7: what would stand there is unknown",
    "the a minimum (7) is above percentile 7 (7): an idle worker reset it",
    "7 of 7 runs left out, the sched_ext scheduler changed while they ran",
    "7 runs merged into one: intervals, seconds and phases were left out",
    "Wait until the machine is idle, or stop what is running (see top).",
  ])
    assert.ok(
      texts.some(({ text }) => text.includes(known)),
      `the sources were not read: ${known}`,
    );
  for (const { file, text } of texts) assert.doesNotMatch(text, TAKEN_FOR_A_NUMBER, `${file}: ${text}`);
});

void test("the sources of all warnings are among those that are looked at", () => {
  const codes = new Set([...warningCodes(), ...sourceTexts(warningFiles()).map(({ text }) => text)]);
  for (const code of [
    "steal-time",
    "cpu-limit",
    "v8-engine",
    "threads-abandoned",
    "auto-rps-target-not-hit",
    "fingerprint-events-lost",
    "merged",
    "few-runs",
    "scheduler-changed",
    "few-tail-samples",
    "remark-left-out",
    "wrapped-lines",
    "tables-left-out",
    "no-line-end",
    "rps-first-sample",
  ])
    assert.ok(codes.has(code), code);
});

/** What a run of ours prints beside its report. */
const ENGINE = /^(?:engine|platform|fingerprint|explain)\//;

void test("no program takes anything from a warning that stands before, between or behind our reports", () => {
  // What a validation notes of an axis stands in its own report, far from any text of schbench.
  const warnings = sourceTexts(warningFiles().filter((file) => !file.startsWith("validate/")))
    .filter(({ text }) => text.length > 12)
    .map(({ file, text }) => ({ file, line: warningsText([{ code: "x", message: text, cure: text }]) }));
  const result = fullRateResult();
  const parts = [
    ...result.intervals.map((interval) => intervalReport(interval)),
    wholeReport({ ...result, intervals: [] }),
  ];
  const pipe = wholeReport({ ...result, mode: "pipe", rate: null, intervals: [] });
  assert.ok(warnings.length > 80, `${warnings.length} texts`);
  for (const [name, take] of Object.entries(CONSUMERS)) {
    const [bare, barePipe] = [take(parts.join("")), take(pipe)];
    for (const { file, line } of warnings) {
      // Within the tables' sections lkp-tests takes every line with the letters min: what a run prints has none.
      if (name === "lkp-tests" && !ENGINE.test(file)) continue;
      assert.deepEqual(take(line + parts.join(line) + line), bare, `${name}, ${file}: ${line}`);
      assert.deepEqual(take(line + pipe + line), barePipe, `${name}, ${file}: ${line}`);
    }
  }
});

void test("foreign names in a warning are not taken for numbers either", () => {
  const names = ["12", "min=3", "1.5", "min7 max=9"];
  const runs = [fakeResult({}, { interrupted: true })];
  const subjects = names.map((name) => ({ name, runs }));
  const primary = metricOf("wakeup-p50");
  const compared: readonly RunResult["warnings"][number][] = comparisonWarnings(
    subjects,
    names.map(() => 1),
    { primary, metrics: METRICS },
  );
  assert.ok(compared.length >= 3 * names.length);
  const folded = foldWarnings([
    { cell: "min=3", warnings: [{ code: "x", message: "this", cure: null }] },
    { cell: "min4", warnings: [{ code: "y", message: "that", cure: null }] },
  ]);
  for (const { message, cure } of [...compared, ...folded])
    for (const text of [message, cure ?? ""]) assert.doesNotMatch(text, TAKEN_FOR_A_NUMBER);
  assert.ok(compared.some(({ message }) => message.startsWith('"12": ')));
  assert.ok(compared.some(({ message }) => message.startsWith("min =3: ")));
});

void test("what stands in a warning stays as it is where no program would take it for a number", () => {
  for (const text of ["minimum (3)", "a: 12: b", "12 of 13 runs", "the minimum = 3", 'line 4: "12: x"', "10:30"])
    assert.equal(asWarningText(text), text === "10:30" ? '"10":30' : text);
});
