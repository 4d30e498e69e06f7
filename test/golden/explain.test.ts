/** The explanation as text, byte for byte. UPDATE_GOLDEN=1 writes the expected files anew. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { explainRun } from "../../src/explain/explain-run.js";
import { explainText } from "../../src/explain/explain-text.js";
import type { Trace } from "../../src/explain/trace/trace-events.js";
import { readTracePages } from "../../src/explain/trace/trace-pages.js";
import type { SlowWakeup } from "../../src/model/result/run-result.js";
import { RECORDED_TIDS, recordedPages, wakeupsIn } from "../unit/explain/recorded.js";

const EXPECTED = "test/golden/expected/explain";

const assertGolden = (name: string, actual: string): void => {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(EXPECTED, { recursive: true });
    writeFileSync(`${EXPECTED}/${name}`, actual);
  }
  assert.equal(actual, readFileSync(`${EXPECTED}/${name}`, "utf8"));
};

const { layout, pages } = recordedPages();

const textOf = (trace: Trace, slowWakeups: readonly SlowWakeup[], lostEvents: number): string =>
  explainText(
    explainRun({
      trace,
      counts: { events: trace.events.length + lostEvents, lostEvents, ringKibPerCpu: 8192, drains: 0 },
      slowWakeups,
      threads: RECORDED_TIDS.map((tid) => ({ tid, allowedCpus: [0, 1] })),
      harnessTids: [],
      wasThrottled: false,
      stolen: [],
      kernelIds: new Map(),
    }),
  );

void test("a recorded trace is explained as expected", () => {
  const trace = readTracePages(pages, layout);
  assertGolden("recorded.txt", textOf(trace, wakeupsIn(trace), 0));
});

void test("a trace of which half the pages are gone says what is missing", () => {
  const slow = wakeupsIn(readTracePages(pages, layout));
  const trace = readTracePages(
    pages.filter((_, at) => at % 2 === 0),
    layout,
  );
  assertGolden("half-lost.txt", textOf(trace, slow, 411));
});

void test("a run without a slow wakeup says so in one line", () => {
  assertGolden("none.txt", textOf({ events: [], lost: [], damaged: 0 }, [], 0));
});
