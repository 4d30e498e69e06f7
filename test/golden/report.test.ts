/** The text report, byte for byte. UPDATE_GOLDEN=1 writes the expected files anew. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { test } from "node:test";
import { distributionOf } from "../../src/model/metrics/distribution.js";
import { detailsReport } from "../../src/text/details-text.js";
import type { RunResult, ThreadResult } from "../../src/model/result/run-result.js";
import { finalReport, intervalReport, wholeReport } from "../../src/text/schbench-text.js";
import { warningsText } from "../../src/text/warnings-text.js";
import { histogramOf } from "../../src/stats/histogram/plat.js";
import { fakeResult } from "../helpers/fakes/fake-result.js";

const golden = (name: string, text: string): void => {
  const path = resolve("test/golden/expected/report", name);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  assert.equal(text, readFileSync(path, "utf8"));
};

/** 1, 2, …, n: every percentile and count can be told by hand. */
const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, index) => index + 1);
const usec = (values: readonly number[]) => distributionOf(histogramOf(values), "usec");
const perSec = (values: readonly number[]) => distributionOf(histogramOf(values), "requests/s");

const engine = { kind: "engine", version: "1.0.0", engine: "native", build: "x86-64-v3 gcc" } as const;
const run = (more: Partial<RunResult>): RunResult =>
  fakeResult(
    {},
    {
      source: engine,
      runtimeSec: 10.0004,
      wakeup: usec(upTo(500)),
      request: usec(upTo(18_210).map((n) => 5000 + n)),
      rps: perSec([1799, 1806, 1806, 1815, 1822, 1822, 1825, 1830, 1834, 1836]),
      averageRps: 1820.9666,
      schedDelay: { messageUsec: 2.9, workerUsec: 11.2 },
      ...more,
    },
  );

const rate = {
  askedPerSec: 10,
  pacing: "paced",
  offered: 1000,
  sent: 990,
  dropped: 10,
  lateness: usec([1, 2, 3, 250]),
  finalGoalPerSec: null,
  targetBusyPercent: null,
  targetHit: null,
} as const;

const thread = (role: ThreadResult["role"], index: number, loops: number | null): ThreadResult => ({
  role,
  index,
  tid: 100 + index,
  allowedCpus: "0-1",
  loops,
  voluntarySwitches: 10 * (index + 1),
  involuntarySwitches: index,
  migrations: 2 * index,
  runDelayUsec: 1000.5 * (index + 1),
  timesRun: 100,
  group: null,
  sched: null,
});

const REPORTS = {
  "closed-loop": run({}),
  rate: run({ mode: "rate", rate }),
  "auto-rps-hit": run({
    mode: "rate",
    rate: { ...rate, finalGoalPerSec: 1234, targetBusyPercent: 50, targetHit: true },
  }),
  "auto-rps-never-hit": run({
    mode: "rate",
    rps: null,
    rate: { ...rate, finalGoalPerSec: 7, targetBusyPercent: 95, targetHit: false },
  }),
  pipe: run({
    mode: "pipe",
    transfer: {
      opsPerSecPerWorker: 12_345.678,
      bytesPerSecPerWorker: 12_345.678 * 4096,
      opsPerSecTotal: 24_691.356,
      bytesPerSecTotal: null,
    },
  }),
  "pipe-64-bit": run({
    mode: "pipe",
    runtimeSec: 1000,
    transfer: {
      opsPerSecPerWorker: 20_000_000 / 1000,
      bytesPerSecPerWorker: (20_000_000 * 2 ** 20) / 1000,
      opsPerSecTotal: null,
      bytesPerSecTotal: null,
    },
  }),
  "no-sample": run({ wakeup: null, request: null, rps: null, averageRps: 0, schedDelay: null }),
  "no-sample-pipe": run({ mode: "pipe", wakeup: null, transfer: null }),
  "one-sample": run({ wakeup: usec([513]), request: usec([0]), rps: perSec([1]) }),
  "last-bucket": run({ wakeup: usec([1, 2 ** 32 - 1, 2 ** 32 - 1]), request: usec([2 ** 27]) }),
  mistakable: run({ schedDelay: { messageUsec: 0.4, workerUsec: 0 }, runtimeSec: 5000 }),
  "half-a-delay": run({ schedDelay: { messageUsec: null, workerUsec: 3 } }),
  "from-2019": fakeResult(
    {},
    {
      source: { kind: "parsed", era: "2019-08", file: "old.txt", line: 1 },
      mode: null,
      runtimeSec: null,
      wakeup: {
        unit: "usec",
        samples: null,
        min: 0,
        max: 900,
        percentiles: [50, 75, 90, 95, 99, 99.5, 99.9].map((percentile) => ({
          percentile,
          value: Math.floor(percentile * 8),
          samples: null,
        })),
        buckets: null,
      },
      request: null,
      rps: null,
      averageRps: null,
    },
  ),
} as const satisfies Record<string, RunResult>;

/** Reports that show a difference from upstream (docs/fidelity.md). */
const DIFFERENCES: Readonly<Record<string, string>> = { "pipe-64-bit": "F-11: ", "no-sample": "F-27: " };

for (const [name, result] of Object.entries(REPORTS))
  void test(`${DIFFERENCES[name] ?? ""}the final report of ${name} is as recorded`, () =>
    golden(`${name}.txt`, finalReport(result)));

void test("an interval report ends with the sched delay and the current rps", () => {
  const { wakeup, request, rps, schedDelay } = run({});
  golden("interval.txt", intervalReport({ atSec: 10.2, wakeup, request, rps, schedDelay, currentRps: 1822.414 }));
});

void test("a whole report has its intervals before the final one, except in pipe mode", () => {
  const { wakeup, request, rps, schedDelay } = run({});
  const intervals = [{ atSec: 5, wakeup, request, rps, schedDelay, currentRps: 1800 }];
  golden("whole.txt", wholeReport(run({ intervals })));
  const pipe = { ...REPORTS.pipe, intervals };
  assert.equal(wholeReport(pipe), finalReport(pipe));
});

void test("the details bring response latencies, what became of the requests, and the threads", () => {
  const threads = [
    thread("message", 0, null),
    ...[0, 1, 2, 3].map((index) => thread("worker", index, 900 + 50 * index)),
  ];
  const environment = {
    stealPercent: 1.25,
    busyPercent: 50,
    cpuPressureSomePercent: 3.125,
    schedExtBefore: "disabled",
    schedExtAfter: "disabled",
  };
  golden("details.txt", detailsReport(run({ mode: "rate", rate, response: usec(upTo(20_000)), threads, environment })));
  golden("details-few-samples.txt", detailsReport(run({ mode: "rate", rate, response: usec(upTo(50)) })));
});

void test("warnings take one line each, whatever is in them", () => {
  golden(
    "warnings.txt",
    warningsText([
      { code: "steal-time", message: "the hypervisor gave 3 % of the time\nto others", cure: "use a quiet host" },
      { code: "other", message: "something else", cure: null },
    ]),
  );
});
