/** Results in which every field holds something, and all numbers agree: what a test damages. */
import { distributionOf } from "../../../src/model/metrics/distribution.js";
import type { RoleFingerprint } from "../../../src/model/result/fingerprint.js";
import type { Distribution, RunResult, ThreadResult } from "../../../src/model/result/run-result.js";
import { histogramOf } from "../../../src/stats/histogram/plat.js";
import { pipePlan, ratePlan } from "./fake-plan.js";
import { fakeResult } from "./fake-result.js";
import { fakeRun } from "../render/render-results.js";

const usec = (values: readonly number[]): Distribution | null => distributionOf(histogramOf(values), "usec");

const upTo = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

const host = fakeRun({ seed: 1, seconds: 1 }).host;

const worker = (index: number, loops: number): ThreadResult => ({
  role: "worker",
  index,
  tid: 101 + index,
  allowedCpus: "0-1",
  loops,
  voluntarySwitches: 10,
  involuntarySwitches: 2,
  migrations: 3,
  runDelayUsec: 12.5,
  timesRun: 12,
  group: null,
  sched: null,
});

const NO_SCHED: NonNullable<ThreadResult["sched"]> = {
  policy: "other",
  nice: null,
  priority: null,
  sliceUsec: null,
  deadline: null,
  uclamp: null,
};
const uclamp = { min: 0, max: 1024 } as const;
const times = { runtimeUsec: 100, deadlineUsec: 200, periodUsec: 300 } as const;
const sched: ThreadResult["sched"] = { ...NO_SCHED, policy: "deadline", deadline: times };

const role = (threads: number): RoleFingerprint => ({
  threads,
  voluntarySwitchesPerRequest: 1.5,
  involuntarySwitchesPerRequest: 0.25,
  migrationsPerSec: 3,
  minorFaults: 12,
  userUsecPerRequest: 4000,
  systemUsecPerRequest: 2.5,
  instructionsPerRequest: 1e6,
  cyclesPerRequest: 2e6,
  wakeupsPerRequest: 1,
  crossingShare: 0.5,
  systemCallsPerRequest: { futex: 2.5 },
});

/** A rate run of two workers with intervals, seconds, phases and an explanation. */
export const fullRateResult = (): RunResult => {
  const early = upTo(3, 40);
  const late = upTo(700, 60);
  const whole = [...early, ...late];
  const wakeup = [...whole, 5000];
  return fakeResult(
    { wakeupUsec: wakeup, requestUsec: whole, rps: [40, 60], averageRps: 50 },
    {
      source: { kind: "engine", version: "0.1.0", engine: "native", build: "x86-64-v3 gcc 12.2.0" },
      jobname: "nightly",
      commandLine: ["schbench-ts", "-R", "50"],
      startedAt: "2026-11-28T09:14:02.000Z",
      plan: ratePlan({
        requestsPerSec: 50,
        autoBusyPercent: 40,
        runtimeSec: 2,
        warmupSec: 1,
        intervalSec: 1,
        zeroSec: 1,
        messageCpus: [[0]],
        workerCpus: [0, 1],
        messageSched: { policy: "deadline", runtimeUsec: 100, deadlineUsec: 200, periodUsec: 300 },
        workerGroups: [
          { name: "short", workers: 1, sched: { policy: "batch", sliceUsec: 500, uclamp: { min: 0, max: 512 } } },
        ],
        slowWakeups: { perThread: 64, breakUsec: 3000 },
      }),
      mode: "rate",
      runtimeSec: 2.5,
      measuredSec: 2,
      response: usec(whole),
      loops: 100,
      rate: {
        askedPerSec: 50,
        pacing: "paced",
        offered: 110,
        sent: 101,
        dropped: 9,
        lateness: usec(upTo(10, 101)),
        finalGoalPerSec: 55,
        targetBusyPercent: 40,
        targetHit: true,
      },
      schedDelay: { messageUsec: 2, workerUsec: 9.5 },
      intervals: [
        {
          atSec: 1.5,
          wakeup: usec(early),
          request: usec(early),
          rps: distributionOf(histogramOf([40]), "requests/s"),
          currentRps: 40,
          schedDelay: { messageUsec: 2, workerUsec: 9.5 },
        },
      ],
      seconds: [early, late].map((values, index) => ({
        atSec: index + 1.5,
        rps: values.length,
        goalPerSec: 55,
        busyPercent: 41.5,
        wakeup: usec(values)?.buckets ?? [],
        request: usec(values)?.buckets ?? [],
      })),
      phases: [
        {
          name: "start",
          startSec: 0.5,
          endSec: 1.5,
          loops: early.length,
          wakeup: usec(early),
          request: usec(early),
          response: usec(early),
          runDelayUsec: 3,
        },
        {
          name: "loaded",
          startSec: 1.5,
          endSec: 2.5,
          loops: late.length,
          wakeup: usec([...late, 5000]),
          request: usec(late),
          response: usec(late),
          runDelayUsec: 4,
        },
      ],
      threads: [
        { ...worker(0, 0), role: "message", tid: 100, loops: null, sched },
        { ...worker(0, 70), group: "short", sched: { ...sched, policy: "batch", sliceUsec: 500 } },
        { ...worker(1, 30), group: "rest", sched: { ...NO_SCHED, policy: "fifo", priority: 3, uclamp } },
      ],
      groups: [
        {
          name: "short",
          workers: 1,
          sched: { policy: "batch", sliceUsec: 500, uclamp: { min: 0, max: 512 } },
          loops: 70,
          averageRps: 35,
          wakeup: usec(wakeup.slice(0, 70)),
          request: usec(whole.slice(0, 70)),
          response: usec(whole.slice(0, 70)),
        },
        {
          name: "rest",
          workers: 1,
          sched: null,
          loops: 30,
          averageRps: 15,
          wakeup: usec(wakeup.slice(70)),
          request: usec(whole.slice(70)),
          response: usec(whole.slice(70)),
        },
      ],
      slowWakeups: [
        { workerIndex: 1, tid: 102, wakeNsec: 1e9, runNsec: 1e9 + 5e6, wakerTid: 100, cpuBefore: 0, cpuAfter: 1 },
      ],
      fingerprint: {
        observer: "engine",
        seconds: 2,
        requests: 100,
        traced: true,
        lostEvents: 0,
        message: role(1),
        worker: role(2),
        besideMessage: { atStart: 0.5, mean: 0.25, atEnd: 0 },
      },
      explanation: { version: 1 },
      host: host && { ...host, virtualization: "KVM", cgroupCpuMax: "max 100000" },
      environment: {
        stealPercent: 0.5,
        busyPercent: 42,
        cpuPressureSomePercent: 3.1,
        schedExtBefore: "scx_a",
        schedExtAfter: "scx_a",
      },
      warnings: [{ code: "steal-time", message: "0.5 % was stolen", cure: "Use another machine." }],
    },
  );
};

/** A pipe run. */
export const fullPipeResult = (): RunResult =>
  fakeResult(
    { wakeupUsec: upTo(1, 50), averageRps: null },
    {
      source: { kind: "engine", version: "0.1.0", engine: "v8", build: "V8 11.3" },
      plan: pipePlan(),
      mode: "pipe",
      request: null,
      rps: null,
      loops: 500,
      runtimeSec: 10,
      measuredSec: 10,
      transfer: {
        opsPerSecPerWorker: 25,
        bytesPerSecPerWorker: 25 * 4096,
        opsPerSecTotal: 50,
        bytesPerSecTotal: 50 * 4096,
      },
    },
  );

/** A run of another schbench, read from its JSON. */
export const fullParsedResult = (): RunResult =>
  fakeResult(
    {},
    {
      source: {
        kind: "parsed",
        era: "json-2025-05-16",
        file: "old.json",
        line: 1,
        machine: { hostname: "testbox", kernel: "6.18.0", schedExt: "scx_a" },
      },
    },
  );
