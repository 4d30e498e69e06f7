/** What the reporter writes, the reader reads: text as far as it can carry a result, JSON all of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ParseError } from "../../src/errors.js";
import { parseOutput } from "../../src/parse/parse-output.js";
import { wholeSeconds } from "../../src/text/percentile-table.js";
import type { Distribution, IntervalResult, RunResult, SchedDelay } from "../../src/model/result/run-result.js";
import { schbenchJson } from "../../src/text/schbench-json.js";
import { wholeReport } from "../../src/text/schbench-text.js";
import { scaleBytes } from "../../src/units.js";
import { engineResult, richResult } from "./parse-arbitraries.js";

const RUNS = { numRuns: 300 };
const file = "property";

const cents = (value: number): number => Number(value.toFixed(2));
const shownTable = (distribution: Distribution | null, hidden: readonly number[]): Distribution | null =>
  distribution && {
    ...distribution,
    percentiles: distribution.percentiles.filter((row) => !hidden.includes(row.percentile)),
    buckets: null,
  };
const floor = (usec: number | null): number | null => (usec === null ? null : Math.floor(usec));
const shownDelay = (delay: SchedDelay | null): SchedDelay | null => {
  if (delay === null || (delay.messageUsec === null && delay.workerUsec === null)) return null;
  return { messageUsec: floor(delay.messageUsec), workerUsec: floor(delay.workerUsec) };
};
const shownBytes = (bytes: number): number => {
  const { value, unit } = scaleBytes(bytes);
  return cents(value) * 1024 ** ["B", "KB", "MB", "GB", "TB", "PB", "EB"].indexOf(unit);
};
const latencies = (from: { wakeup: Distribution | null; request: Distribution | null; rps: Distribution | null }) => ({
  wakeup: shownTable(from.wakeup, [20]),
  request: shownTable(from.request, [20]),
  rps: shownTable(from.rps, [99, 99.9]),
});
const shownInterval = (interval: IntervalResult) => ({
  atSec: wholeSeconds(interval.atSec),
  ...latencies(interval),
  currentRps: interval.currentRps === null ? null : cents(interval.currentRps),
  schedDelay: shownDelay(interval.schedDelay),
});

/** What text can carry of a result. */
const carried = (result: RunResult) => {
  const runtimeSec = result.runtimeSec === null ? null : wholeSeconds(result.runtimeSec);
  if (result.mode === "pipe")
    return {
      mode: "pipe",
      runtimeSec,
      wakeup: shownTable(result.wakeup, []),
      transfer: result.transfer && {
        opsPerSecPerWorker: cents(result.transfer.opsPerSecPerWorker),
        bytesPerSecPerWorker: shownBytes(result.transfer.bytesPerSecPerWorker),
      },
      intervals: [],
    };
  const goal = result.rate?.finalGoalPerSec ?? null;
  return {
    mode: goal === null ? null : "rate",
    runtimeSec,
    ...latencies(result),
    averageRps: goal !== null || result.averageRps === null ? null : cents(result.averageRps),
    goal,
    schedDelay: shownDelay(result.schedDelay),
    intervals: result.intervals.map(shownInterval),
  };
};

/** The same view of what was read. */
const read = (result: RunResult) =>
  result.mode === "pipe"
    ? {
        mode: "pipe",
        runtimeSec: result.runtimeSec,
        wakeup: result.wakeup,
        transfer: result.transfer && {
          opsPerSecPerWorker: result.transfer.opsPerSecPerWorker,
          bytesPerSecPerWorker: result.transfer.bytesPerSecPerWorker,
        },
        intervals: result.intervals,
      }
    : {
        mode: result.mode,
        runtimeSec: result.runtimeSec,
        wakeup: result.wakeup,
        request: result.request,
        rps: result.rps,
        averageRps: result.averageRps,
        goal: result.rate?.finalGoalPerSec ?? null,
        schedDelay: result.schedDelay,
        intervals: result.intervals,
      };

void test("text that our reporter prints reads back to the same results, however many stand in one file", () => {
  fc.assert(
    fc.property(fc.array(engineResult, { minLength: 1, maxLength: 3 }), (results) => {
      const parsed = parseOutput(results.map(wholeReport).join(""), { file });
      assert.deepEqual(parsed.map(read), results.map(carried));
    }),
    RUNS,
  );
});

const isNeverMistaken = fc.property(engineResult, (result) => {
  for (const parsed of parseOutput(wholeReport(result), { file })) assert.deepEqual(parsed.warnings, []);
});

void test("none of our own numbers is taken for a mistake of upstream", () => {
  fc.assert(isNeverMistaken, RUNS);
});

void test("a closed loop with an interval of few but slow wakeups is not taken for a rate run", () => {
  fc.assert(isNeverMistaken, { ...RUNS, seed: -1721376248, path: "221", endOnFailure: true });
});

void test("a result that was read prints and reads back unchanged", () => {
  fc.assert(
    fc.property(engineResult, (result) => {
      const once = parseOutput(wholeReport(result), { file });
      const twice = parseOutput(once.map(wholeReport).join(""), { file });
      assert.deepEqual(twice.map(read), once.map(read));
    }),
    RUNS,
  );
});

void test("JSON reads back to the identical result", () => {
  fc.assert(
    fc.property(richResult, (result) => {
      assert.deepEqual(parseOutput(schbenchJson(result), { file }), [result]);
    }),
    RUNS,
  );
});

void test("JSON and text of one run in one stream are one result", () => {
  fc.assert(
    fc.property(engineResult, (result) => {
      fc.pre(result.wakeup !== null && (result.mode === "pipe" || result.request !== null));
      assert.deepEqual(parseOutput(schbenchJson(result) + wholeReport(result), { file }), [result]);
    }),
    RUNS,
  );
});

void test("wrapping does not matter: indentation, carriage returns, colours, quotes, foreign lines around", () => {
  const wrap = fc.constantFrom(
    (line: string) => `    ${line}`,
    (line: string) => `${line}\r`,
    (line: string) => `\u001B[1m${line}\u001B[0m`,
    (line: string) => `> ${line}`,
    (line: string) => `${line}\nCPU 3 came online`,
  );
  fc.assert(
    fc.property(engineResult, wrap, (result, wrapped) => {
      const text = wholeReport(result);
      const noisy = text.split("\n").map(wrapped).join("\n");
      assert.deepEqual(parseOutput(noisy, { file }).map(read), parseOutput(text, { file }).map(read));
    }),
    RUNS,
  );
});

void test("any other text is refused with an error that names a line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
      assert.throws(() => parseOutput(text, { file }), ParseError);
    }),
    RUNS,
  );
});
