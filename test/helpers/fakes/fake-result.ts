/** Run results made of plain numbers, for tests of what is done with results. */
import { distributionOf } from "../../../src/model/metrics/distribution.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { histogramOf } from "../../../src/stats/histogram/plat.js";

/** The samples of a made-up run. */
export interface FakeRun {
  readonly wakeupUsec?: readonly number[];
  readonly requestUsec?: readonly number[];
  readonly rps?: readonly number[];
  readonly averageRps?: number | null;
}

/** A closed-loop result with the given samples; everything else is empty. */
export const fakeResult = (run: FakeRun = {}, more: Partial<RunResult> = {}): RunResult => ({
  format: "schbench-ts/run-result",
  version: 1,
  source: { kind: "parsed", era: "test", file: "fake", line: 1 },
  jobname: null,
  commandLine: null,
  startedAt: null,
  plan: null,
  mode: "closed-loop",
  interrupted: false,
  runtimeSec: 1,
  measuredSec: 1,
  wakeup: distributionOf(histogramOf(run.wakeupUsec ?? [5, 6, 7]), "usec"),
  request: distributionOf(histogramOf(run.requestUsec ?? [100, 110, 120]), "usec"),
  response: null,
  rps: distributionOf(histogramOf(run.rps ?? [200]), "requests/s"),
  averageRps: run.averageRps === undefined ? 200 : run.averageRps,
  loops: null,
  rate: null,
  transfer: null,
  schedDelay: null,
  intervals: [],
  seconds: [],
  phases: [],
  threads: [],
  groups: [],
  slowWakeups: [],
  fingerprint: null,
  explanation: null,
  host: null,
  environment: null,
  warnings: [],
  ...more,
});
