/** Arbitrary run results of our engine, for the properties of reporter and reader. */
import * as fc from "fast-check";
import { distributionOf, histogramIn } from "../../src/model/metrics/distribution.js";
import type { Distribution, IntervalResult, RunResult } from "../../src/model/result/run-result.js";
import { histogramOf, mergeHistograms } from "../../src/stats/histogram/plat.js";
import { fakeResult } from "../helpers/fakes/fake-result.js";

/** Records as object literals are: with a prototype. */
const plain = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record<T>(model, { noNullPrototype: true });

const usec = fc.oneof(fc.nat(20), fc.nat(5000), fc.nat(2_000_000), fc.nat(4_000_000_000));
const positive = fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value + 0);

const distribution = (unit: Distribution["unit"]) =>
  fc.array(usec, { maxLength: 60 }).map((values) => distributionOf(histogramOf(values), unit));

const schedDelay = fc.option(
  plain({
    messageUsec: fc.option(fc.oneof(fc.constant(0), positive), { nil: null }),
    workerUsec: fc.option(fc.oneof(fc.constant(0), positive), { nil: null }),
  }),
  { nil: null },
);

const reading = plain({
  wakeup: distribution("usec"),
  request: distribution("usec"),
  rps: distribution("requests/s"),
  schedDelay,
});

const intervals = (runtimeSec: number): fc.Arbitrary<IntervalResult[]> =>
  fc
    .uniqueArray(fc.integer({ min: 0, max: Math.floor(runtimeSec) }), { maxLength: 3 })
    .map((times) => times.toSorted((a, b) => a - b))
    .chain((times) =>
      fc.tuple(
        ...times.map((atSec) =>
          fc
            .tuple(reading, fc.option(positive, { nil: null }), fc.double({ min: 0, max: 0.9, noNaN: true }))
            .map(([numbers, currentRps, late]) => ({
              ...numbers,
              atSec: Math.min(atSec + late, runtimeSec),
              currentRps,
            })),
        ),
      ),
    );

const rate = plain({
  askedPerSec: fc.option(fc.nat(1000), { nil: null }),
  pacing: fc.constantFrom("paced" as const, "burst" as const),
  sent: fc.nat(),
  dropped: fc.nat(),
  lateness: fc.constant(null),
  finalGoalPerSec: fc.option(fc.nat(1_000_000), { nil: null }),
  targetBusyPercent: fc.option(fc.integer({ min: 1, max: 100 }), { nil: null }),
  targetHit: fc.option(fc.boolean(), { nil: null }),
}).map((outcome) => ({ ...outcome, offered: outcome.sent + outcome.dropped }));

const transfer = plain({
  opsPerSecPerWorker: positive,
  bytesPerSecPerWorker: fc.double({ min: 0, max: 1e15, noNaN: true }).map((value) => value + 0),
  opsPerSecTotal: fc.option(positive, { nil: null }),
  bytesPerSecTotal: fc.option(positive, { nil: null }),
});

/** The samples of all of them: what a whole run has when its intervals have these. */
const joined = (unit: Distribution["unit"], distributions: readonly (Distribution | null)[]): Distribution | null =>
  distributionOf(mergeHistograms(distributions.flatMap((one) => (one === null ? [] : (histogramIn(one) ?? [])))), unit);

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A result of our engine in any mode. */
export const engineResult: fc.Arbitrary<RunResult> = fc
  .record(
    {
      mode: fc.constantFrom("closed-loop" as const, "rate" as const, "pipe" as const),
      runtimeSec: fc.oneof(fc.double({ min: 0.001, max: 100, noNaN: true }), fc.integer({ min: 1, max: 5000 })),
      numbers: reading,
      averageRps: fc.option(positive, { nil: null }),
      rate,
      transfer: fc.option(transfer, { nil: null }),
    },
    { noNullPrototype: true },
  )
  .chain(({ mode, runtimeSec, numbers, averageRps, rate: outcome, transfer: rates }) =>
    intervals(runtimeSec).map((readings) =>
      fakeResult(
        {},
        {
          ...numbers,
          wakeup: joined(
            "usec",
            [numbers, ...readings].map(({ wakeup }) => wakeup),
          ),
          request: joined(
            "usec",
            [numbers, ...readings].map(({ request }) => request),
          ),
          source: { kind: "engine", version: "1.2.3", engine: "native", build: "x86-64 test" },
          mode,
          runtimeSec: runtimeSec + 0,
          measuredSec: runtimeSec + 0,
          averageRps,
          intervals: readings,
          rate: mode === "rate" ? outcome : null,
          transfer: mode === "pipe" ? rates : null,
        },
      ),
    ),
  );

/** Everything else a result may hold, which only JSON carries. */
export const richResult: fc.Arbitrary<RunResult> = fc
  .record(
    {
      result: engineResult,
      jobname: fc.option(fc.string({ unit: "grapheme" }), { nil: null }),
      commandLine: fc.option(fc.array(fc.string({ unit: "binary" })), { nil: null }),
      startedAt: fc.option(
        fc
          .date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
          .map((date) => date.toISOString()),
        { nil: null },
      ),
      response: distribution("usec"),
      seconds: fc.array(
        plain<RunResult["seconds"][number]>({
          atSec: positive,
          rps: positive,
          goalPerSec: fc.option(positive, { nil: null }),
          busyPercent: fc.option(
            fc.double({ min: 0, max: 100, noNaN: true }).map((value) => value + 0),
            { nil: null },
          ),
          wakeup: fc.constant(null),
          request: fc.constant(null),
        }),
      ),
      threads: fc.array(
        plain({
          role: fc.constantFrom("message" as const, "worker" as const),
          index: fc.nat(),
          tid: fc.nat(),
          allowedCpus: fc.string(),
          loops: fc.option(fc.nat(), { nil: null }),
          voluntarySwitches: fc.option(fc.nat(), { nil: null }),
          involuntarySwitches: fc.option(fc.nat(), { nil: null }),
          migrations: fc.option(fc.nat(), { nil: null }),
          runDelayUsec: fc.option(positive, { nil: null }),
          timesRun: fc.option(fc.nat(), { nil: null }),
          group: fc.option(fc.string(), { nil: null }),
          sched: fc.constant(null),
        }),
      ),
      warnings: fc.array(
        plain({ code: fc.string(), message: fc.string(), cure: fc.option(fc.string(), { nil: null }) }),
      ),
      explanation: fc.option(
        fc.jsonValue({ noUnicodeString: false }).map((found) => ({ version: 1, found: toJson(found) })),
        { nil: null },
      ),
    },
    { noNullPrototype: true },
  )
  .map(({ result, seconds, ...more }) => ({
    ...result,
    ...more,
    seconds: seconds
      .map((second) => ({ ...second, atSec: Math.min(second.atSec, result.runtimeSec ?? 0) }))
      .toSorted((a, b) => a.atSec - b.atSec)
      .map((second, index) => (index === 0 ? { ...second, wakeup: result.wakeup?.buckets ?? null } : second)),
  }));
