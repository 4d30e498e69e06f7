/**
 * Results that look like real runs, made by a seeded generator: a bimodal wakeup of an idle CPU, requests around a
 * service time with queueing, a hiccup at a chosen second, a drift over the runs.
 */
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import type { RunResult, SecondResult } from "../../../src/model/result/run-result.js";
import { histogramOf, toSparse } from "../../../src/stats/histogram/plat.js";
import { closedLoopPlan } from "../fakes/fake-plan.js";
import { fakeResult } from "../fakes/fake-result.js";

/** What a made-up run is like. */
export interface FakeRun {
  readonly seed: number;
  readonly seconds?: number;
  readonly workers?: number;
  /** Service time of a request, µs. */
  readonly requestUsec?: number;
  /** Scatter of the service time as a share of it. */
  readonly requestScatter?: number;
  /** Share of wakeups that meet a deep idle state. */
  readonly deepIdleShare?: number;
  /** Median of the fast wakeups, µs. */
  readonly wakeupUsec?: number;
  /** Second with a hiccup of a few ms; null: none. */
  readonly hiccupAtSec?: number | null;
  readonly jobname?: string | null;
  readonly hostname?: string;
  readonly schedExt?: string;
  readonly startedAt?: string | null;
  readonly commandLine?: readonly string[] | null;
  readonly warnings?: RunResult["warnings"];
  readonly goalPerSec?: number | null;
}

// A sum of twelve, as no transcendental function is the same on every version of Node.
const normalFrom = (uniform: () => number) => (): number => {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += uniform();
  return sum;
};

/** Uniform numbers in [0, 1) from a seed. */
export const seededUniform = (seed: number): (() => number) => {
  const random = xoroshiro128plus(seed);
  return () => uniformFloat64(random);
};

/** A run of the closed loop. */
export const fakeRun = (fake: FakeRun): RunResult => {
  const uniform = seededUniform(fake.seed);
  const normal = normalFrom(uniform);
  const secondsCount = fake.seconds ?? 10;
  const workers = fake.workers ?? 2;
  const service = fake.requestUsec ?? 4900;
  const scatter = fake.requestScatter ?? 0.012;
  const level = 1 + normal() * 0.004;
  const hiccup = fake.hiccupAtSec ?? null;
  const wakeups: number[] = [];
  const requests: number[] = [];
  const rates: number[] = [];
  const loops = Array.from({ length: workers }, () => 0);
  const seconds: SecondResult[] = [];
  for (let s = 0; s < secondsCount; s++) {
    const wakeup: number[] = [];
    const request: number[] = [];
    for (let w = 0; w < workers; w++) {
      let left = 1_000_000 * (1 - w * 0.002);
      while (left > 0) {
        const deep = uniform() < (fake.deepIdleShare ?? 0.3);
        const base = deep ? 34 + normal() * 6 : (fake.wakeupUsec ?? 5) + Math.abs(normal()) * 1.4;
        const rare = uniform() < 0.002 ? 60 * (1 + 2 * normal() ** 2) : 0;
        const stalled = s === hiccup && uniform() < 0.05 ? 900 * (0.4 + 2.5 * uniform()) : 0;
        wakeup.push(Math.max(1, Math.round(base + rare + stalled)));
        const tail = uniform() < 0.02 ? service * 0.06 * (0.6 + 0.4 * normal() ** 2) : 0;
        const took = Math.round(service * level * (1 + Math.abs(normal()) * scatter) + tail + stalled * 2);
        request.push(took);
        loops[w] = (loops[w] ?? 0) + 1;
        left -= took + base;
      }
    }
    wakeups.push(...wakeup);
    requests.push(...request);
    rates.push(request.length);
    seconds.push({
      atSec: s + 1,
      rps: request.length,
      goalPerSec: fake.goalPerSec ?? null,
      busyPercent: Math.min(100, 96 + normal()),
      wakeup: toSparse(histogramOf(wakeup)),
      request: toSparse(histogramOf(request)),
    });
  }
  const samples = {
    wakeupUsec: wakeups,
    requestUsec: requests,
    rps: rates,
    averageRps: requests.length / secondsCount,
  };
  return fakeResult(samples, {
    source: { kind: "engine", version: "0.1.0", engine: "native", build: "x86-64-v3 gcc 12.2.0" },
    jobname: fake.jobname ?? null,
    commandLine:
      fake.commandLine === null
        ? null
        : [...(fake.commandLine ?? ["schbench-ts", "-m", "1", "-t", String(workers), "-r", String(secondsCount)])],
    startedAt: fake.startedAt === undefined ? "2026-11-28T09:14:02.000Z" : fake.startedAt,
    plan: closedLoopPlan({ workerThreads: workers, runtimeSec: secondsCount, intervalSec: 10 }),
    runtimeSec: secondsCount,
    measuredSec: secondsCount,
    loops: requests.length,
    schedDelay: { messageUsec: 2 + uniform(), workerUsec: 9 + uniform() * 3 },
    seconds,
    threads: [
      {
        role: "message",
        index: 0,
        tid: 4100,
        allowedCpus: "0-7",
        loops: null,
        voluntarySwitches: requests.length,
        involuntarySwitches: 12,
        migrations: 40,
        runDelayUsec: 21_000,
        timesRun: requests.length,
        group: null,
        sched: null,
      },
      ...loops.map((count, index) => ({
        role: "worker" as const,
        index,
        tid: 4101 + index,
        allowedCpus: "0-7",
        loops: count,
        voluntarySwitches: count * 2,
        involuntarySwitches: 30 + index,
        migrations: 120 + index,
        runDelayUsec: 90_000 + uniform() * 30_000,
        timesRun: count * 2,
        group: null,
        sched: null,
      })),
    ],
    host: {
      hostname: fake.hostname ?? "testbox",
      kernel: "6.18.0-rc5",
      schedExt: fake.schedExt ?? "disabled",
      cpuModel: "AMD EPYC 9654 96-Core Processor",
      cpusOnline: 8,
      cpusAllowed: "0-7",
      governor: "performance",
      smt: "on",
      transparentHugepage: "madvise",
      virtualization: null,
      container: null,
      cgroupCpuMax: null,
      loadAverage1: 0.12,
      memoryTotalKib: 32_768_000,
      node: "v22.12.0",
      v8: "12.4",
    },
    environment: {
      stealPercent: 0,
      busyPercent: 96,
      cpuPressureSomePercent: 3.1,
      schedExtBefore: "disabled",
      schedExtAfter: "disabled",
    },
    warnings: [...(fake.warnings ?? [])],
  });
};
