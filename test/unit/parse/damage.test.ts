/** Damaged and contradictory outputs: an error that names the line, or complete results; never half a table. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { ParseError } from "../../../src/errors.js";
import { parseOutput } from "../../../src/parse/parse-output.js";
import type { Distribution, RunResult } from "../../../src/model/result/run-result.js";

const fixtures = resolve("test/fixtures/parse");
const fixture = (name: string): string => readFileSync(resolve(fixtures, name), "utf8");

const attempt = (text: string): readonly RunResult[] | null => {
  try {
    return parseOutput(text, { file: "f" });
  } catch (error) {
    assert.ok(error instanceof ParseError);
    return null;
  }
};

const tablesOf = (runs: readonly RunResult[]): ReadonlySet<string> =>
  new Set(
    runs.flatMap((run) =>
      [run, ...run.intervals]
        .flatMap(({ wakeup, request, rps }): readonly (Distribution | null)[] => [wakeup, request, rps])
        .flatMap((table) => (table === null ? [] : [JSON.stringify(table)])),
    ),
  );

for (const name of readdirSync(fixtures)) {
  const text = fixture(name);
  const whole = attempt(text);
  if (whole === null) continue;
  // Of a run that was printed both ways, the JSON alone is complete as well.
  const json = /\{.*\}\}/.exec(text)?.[0] ?? "";
  const known = new Set([...tablesOf(whole), ...tablesOf(attempt(json) ?? [])]);

  void test(`${name} cut after any line is an error or has only tables of the whole`, () => {
    const lines = text.split("\n");
    for (let kept = 0; kept < lines.length; kept++)
      for (const table of tablesOf(attempt(lines.slice(0, kept).join("\n")) ?? [])) assert.ok(known.has(table), table);
  });

  void test(`${name} without any one of its first lines is an error or has only tables of the whole`, () => {
    const lines = text.split("\n");
    for (let from = 1; from < lines.length; from++)
      for (const table of tablesOf(attempt(lines.slice(from).join("\n")) ?? [])) {
        // Before April 2023 the header may be missing, as in a retyped list: then only its numbers are unknown.
        const unheaded = [...known].some(
          (other) => other.replace(/"samples":\d+,"min"/, '"samples":null,"min"') === table,
        );
        assert.ok(known.has(table) || unheaded, table);
      }
  });

  void test(`${name} cut in the middle of a line is an error or has only tables of the whole`, () => {
    for (let kept = 3; kept < text.length; kept += 7) {
      const runs = attempt(text.slice(0, kept)) ?? [];
      const isDoubted = runs.at(-1)?.warnings.some(({ code }) => code === "no-line-end") === true;
      for (const table of tablesOf(isDoubted ? runs.slice(0, -1) : runs)) assert.ok(known.has(table), table);
    }
  });

  void test(`${name} with one line left out is an error or has only tables of the whole`, () => {
    const lines = text.split("\n");
    for (let out = 0; out < lines.length; out++)
      for (const table of tablesOf(attempt(lines.toSpliced(out, 1).join("\n")) ?? [])) {
        const unheaded = [...known].some(
          (other) => other.replace(/"samples":\d+,"min"/, '"samples":null,"min"') === table,
        );
        assert.ok(known.has(table) || unheaded, table);
      }
  });
}

const wakeup = (...more: readonly string[]): string =>
  [
    "Wakeup Latencies percentiles (usec) runtime 30 (s) (1000 total samples)",
    "\t  20.0th: 3          (200 samples)",
    "\t  50.0th: 4          (300 samples)",
    "\t  90.0th: 6          (400 samples)",
    "\t* 99.0th: 9          (90 samples)",
    "\t  99.9th: 21         (9 samples)",
    "\t  min=1, max=87",
    "avg worker transfer: 41234.56 ops/sec 161.07MB/s",
    ...more,
  ].join("\n");

/** What is changed in a sound report, the line the error names, and what it says. */
const CONTRADICTIONS = [
  ["90.0th: 6 ", "90.0th: 3 ", 4, /below the one before/],
  ["min=1,", "min=99,", 7, /minimum 99 is above the maximum 87/],
  ["max=87", "max=20", 6, /percentile 99\.9 \(21\) is above the maximum 20/],
  ["(300 samples)", "(900 samples)", 1, /rows count 1599 samples, the header 1000/],
  ["(1000 total", "(0 total", 1, /1000|999|values but 0|rows count/],
  ["90.0th", "91.0th", 1, /unknown rows/],
  ["(400 samples)", "", 1, /only some rows/],
  ["\t  90.0th: 6          (400 samples)\n", "", 1, /lacks its rows 90/],
  ["(90 samples)", "(90 sam", 5, /damaged line/],
  ["\t  min=1, max=87\n", "", 1, /cut off/],
  ["avg worker transfer: 41234.56 ops/sec 161.07MB/s", "", 1, /cut off/],
  ["41234.56 ops/sec", "41234.", 8, /damaged line/],
] as const;

for (const [sound, damaged, line, reason] of CONTRADICTIONS)
  void test(`"${damaged.trim()}" in place of "${sound.trim()}" is refused, naming line ${line}`, () => {
    assert.equal(parseOutput(wakeup(), { file: "f" }).length, 1);
    assert.throws(
      () => parseOutput(wakeup().replace(sound, damaged), { file: "f" }),
      (error) => error instanceof ParseError && error.line === line && reason.test(error.message),
    );
  });

void test("tables of one report that disagree on the run time are refused", () => {
  const text = fixture("2023-04-11-two-runs.txt").replace(
    "Request Latencies percentiles (usec) runtime 20",
    "Request Latencies percentiles (usec) runtime 21",
  );
  assert.throws(
    () => parseOutput(text, { file: "f" }),
    /contradiction: the tables of one report say runtime 20 and 21/,
  );
});

for (const [what, text] of [
  ["nothing", ""],
  ["blanks", " \n\n"],
  ["prose", "schbench is a benchmark\nthat measures latencies\n"],
  ["another program's JSON", '{"jobs": [{"usr_cpu": 3}]}'],
  ["an error of schbench", "schbench: unrecognized option\n"],
] as const)
  void test(`${what} is not taken for a result`, () => {
    assert.throws(() => parseOutput(text, { file: "f" }), ParseError);
  });

void test("JSON that is cut off, lacks a number or contradicts itself is refused", () => {
  const text = fixture("json-2025-05-16.json");
  for (const damaged of [
    text.slice(0, -1),
    text.slice(0, 200),
    text.replace('"wakeup_latency_pct90.0": 14, ', ""),
    text.replace('"rps_max": 811', '"rps_max": "811"'),
    text.replace('"request_latency_pct50.0": 4888', '"request_latency_pct50.0": 1'),
    text.replace('"wakeup_latency_max": 640', '"wakeup_latency_max": 100'),
    text.replace('"wakeup_latency_max": 640', '"wakeup_latency_max": null'),
    text.replace(', "runtime": 7', ""),
  ]) {
    assert.notEqual(damaged, text);
    assert.throws(() => parseOutput(damaged, { file: "f" }), ParseError, damaged);
  }
});
