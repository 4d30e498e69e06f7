/** A good result is read; one with any of its fields damaged is refused, with file, line and field. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ParseError } from "../../src/errors.js";
import { readExperiment } from "../../src/experiment/read-experiment.js";
import type { RunResult } from "../../src/model/result/run-result.js";
import { parseOutput } from "../../src/parse/parse-output.js";
import { embedData, subjectsInHtml } from "../../src/render/reports/embedded-data.js";
import { fakeHeader, fakeRecord, jsonLines } from "../helpers/fakes/fake-store.js";
import { fullParsedResult, fullPipeResult, fullRateResult } from "../helpers/fakes/full-result.js";

const SOUND = [
  ["a rate run", fullRateResult()],
  ["a pipe run", fullPipeResult()],
  ["a parsed run", fullParsedResult()],
] as const;

/** The ways a result comes in, each with the line on which the damage stands. */
const DOORS: readonly (readonly [name: string, place: string, read: (result: unknown) => unknown, share: number])[] = [
  ["as a result file", "f:1: ", (result) => parseOutput(JSON.stringify(result), { file: "f" })[0], 1],
  [
    "under the keys of upstream's JSON",
    "f:1: ",
    (result) => parseOutput(JSON.stringify({ normal: {}, int: {}, schbench_ts: result }), { file: "f" })[0],
    11,
  ],
  [
    "in a store",
    "f:2: ",
    (result) =>
      readExperiment(jsonLines([fakeHeader(), { ...fakeRecord("a", "x", 1), result }]), "f")?.records[0]?.result,
    3,
  ],
  [
    "in a report",
    "f:2: ",
    (result) => {
      const data = { format: "schbench-ts/report", version: 1, subjects: [{ name: "a", runs: [result] }] };
      return subjectsInHtml(`<!doctype html>\n${embedData(data).markup}`, "f")[0]?.runs[0];
    },
    3,
  ],
];

type Path = readonly (string | number)[];
type Container = Readonly<Record<string | number, unknown>>;
const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** Every field of a value, containers before what they hold; of a list the first and the last entry. */
function* fieldsOf(value: unknown, path: Path = []): Generator<readonly [Path, unknown]> {
  if (path.length > 0) yield [path, value];
  if (Array.isArray(value)) {
    for (const index of new Set(value.length === 0 ? [] : [0, value.length - 1]))
      yield* fieldsOf(value[index], [...path, index]);
  } else if (isContainer(value))
    for (const [key, inner] of Object.entries(value)) yield* fieldsOf(inner, [...path, key]);
}

/** The value with what lies at a path replaced; undefined: taken out. */
const withAt = (value: unknown, [key, ...rest]: Path, replacement: unknown): unknown => {
  if (key === undefined) return replacement;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withAt(item, rest, replacement) : item));
  assert.ok(isContainer(value));
  const inner = withAt(value[key], rest, replacement);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, old]) => {
      if (name !== key) return [[name, old]];
      return inner === undefined ? [] : [[name, inner]];
    }),
  );
};

/** What may be unknown: null there has a meaning, and is no damage. */
const MAY_BE_NULL = new Set([
  "jobname",
  "commandLine",
  "startedAt",
  "plan",
  "plan.intervalSec",
  "plan.zeroSec",
  "plan.messageCpus",
  "plan.workerCpus",
  "plan.slowWakeups",
  "plan.slowWakeups.breakUsec",
  "plan.autoBusyPercent",
  "plan.work.splitPercent",
  "mode",
  "wakeup",
  "runtimeSec",
  "measuredSec",
  "averageRps",
  "loops",
  "request",
  "response",
  "rps",
  "rate",
  "rate.askedPerSec",
  "rate.offered",
  "rate.sent",
  "rate.dropped",
  "rate.lateness",
  "rate.finalGoalPerSec",
  "rate.targetBusyPercent",
  "rate.targetHit",
  "transfer",
  "transfer.opsPerSecTotal",
  "transfer.bytesPerSecTotal",
  "schedDelay",
  "schedDelay.messageUsec",
  "schedDelay.workerUsec",
  "intervals[].wakeup",
  "intervals[].request",
  "intervals[].rps",
  "intervals[].currentRps",
  "intervals[].schedDelay",
  "intervals[].schedDelay.messageUsec",
  "intervals[].schedDelay.workerUsec",
  "seconds[].goalPerSec",
  "seconds[].busyPercent",
  "seconds[].wakeup",
  "seconds[].request",
  "phases[].runDelayUsec",
  "threads[].loops",
  "threads[].voluntarySwitches",
  "threads[].involuntarySwitches",
  "threads[].migrations",
  "threads[].runDelayUsec",
  "threads[].timesRun",
  "threads[].group",
  "threads[].sched",
  "threads[].sched.nice",
  "threads[].sched.priority",
  "threads[].sched.sliceUsec",
  "threads[].sched.deadline",
  "threads[].sched.uclamp",
  "groups[].sched",
  "groups[].loops",
  "groups[].averageRps",
  "fingerprint",
  "explanation",
  "host",
  "host.cpuModel",
  "host.container",
  "host.cpuSignature",
  "host.governor",
  "host.smt",
  "host.transparentHugepage",
  "host.virtualization",
  "host.cgroupCpuMax",
  "host.loadAverage1",
  "host.memoryTotalKib",
  "environment",
  "environment.stealPercent",
  "environment.busyPercent",
  "environment.cpuPressureSomePercent",
  "environment.schedExtBefore",
  "environment.schedExtAfter",
  "warnings[].cure",
  "source.machine.schedExt",
]);

const textOf = (path: Path): string =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[]` : text === "" ? key : `${text}.${key}`),
    "",
  );

/** As messages write it. */
const placeOf = (path: Path): string =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`),
    "",
  );

/** The kernel does not tell every figure everywhere. */
const UNKNOWN_FIGURES =
  /^fingerprint\.(?:seconds|requests|lostEvents|message|worker|besideMessage\.\w+|(?:message|worker)\.(?!threads)\w+)$/;

/** A table known without its histogram, or without how many samples it has, is a table still. */
const mayBeNull = (path: Path): boolean =>
  MAY_BE_NULL.has(textOf(path)) ||
  UNKNOWN_FIGURES.test(textOf(path)) ||
  /(?:^|\.)percentiles\[\]\.samples$|\.buckets$/.test(textOf(path));

/** What keys may be left out altogether. */
const MAY_BE_ABSENT = new Set([
  "source.machine",
  "groups",
  "threads[].group",
  "threads[].sched",
  // What scheduling attributes do not name stays as it is.
  "plan.workerGroups",
  "plan.messageSched",
  "plan.messageSched.policy",
  "groups[].sched.policy",
  "groups[].sched.sliceUsec",
  "groups[].sched.uclamp",
  ...["policy", "sliceUsec", "uclamp"].map((name) => `plan.workerGroups[].sched.${name}`),
  "host.container",
  "host.cpuSignature",
  "fingerprint",
  "fingerprint.message.systemCallsPerRequest.futex",
  "fingerprint.worker.systemCallsPerRequest.futex",
]);

/** Whole numbers of the format: a fraction is damage. */
const FRACTIONS =
  /(?:Sec|Usec|Nsec|PerSec|PerWorker|Total|Percent|Rps|rps|loadAverage1|percentile|value|min|max|PerRequest|Share|minorFaults|seconds|requests|futex|atStart|mean|atEnd)$/;

/** Numbers below the range of fields whose range does not begin with 0. */
const LEAST: Readonly<Record<string, number>> = { cpuBefore: -2, cpuAfter: -2, nice: -30 };

function* damagesOf(path: Path, value: unknown): Generator<readonly [how: string, value: unknown]> {
  const isEntry = typeof path.at(-1) === "number";
  if (!isEntry && !MAY_BE_ABSENT.has(textOf(path))) yield ["removed", undefined];
  if (value !== null && !mayBeNull(path)) yield ["null", null];
  yield ["a wrong type", Array.isArray(value) ? { a: 1 } : isContainer(value) || value === null ? [true] : { a: 1 }];
  if (typeof value === "string") yield ["a number for a text", 5];
  if (typeof value === "boolean") yield ["a text for true or false", "yes"];
  if (typeof value !== "number") return;
  yield ["a text for a number", String(value)];
  yield ["below its range", LEAST[String(path.at(-1))] ?? -1];
  yield ["beyond any range", 1e300];
  if (!FRACTIONS.test(textOf(path)) || /^plan\.\w+Sec$/.test(textOf(path))) yield ["a fraction", value + 0.5];
}

for (const [what, sound] of SOUND)
  for (const [door, place, read, share] of DOORS) {
    test(`${what} ${door} is read as it is`, () => {
      assert.deepEqual(read(sound), sound);
    });

    test(`${what} ${door} with any field damaged is refused, and the field named`, () => {
      let tried = 0;
      for (const [path, value] of fieldsOf(sound))
        for (const [how, wrong] of damagesOf(path, value)) {
          // All through the first door; through the others as many as show that they are watched.
          if (tried++ % share !== 0) continue;
          const damaged = withAt(sound, path, wrong);
          const label = `${textOf(path)} ${how}`;
          assert.throws(
            () => read(damaged),
            (error) => {
              assert.ok(error instanceof ParseError, `${label}: ${String(error)}`);
              assert.ok(error.message.startsWith(place), `${label}: ${error.message}`);
              // What says what the whole thing is has a message of its own.
              if (!["format", "version"].includes(textOf(path)))
                assert.ok(
                  error.message.includes(how === "null" ? String(path[0]) : placeOf(path)),
                  `${label}: ${error.message}`,
                );
              return true;
            },
            label,
          );
        }
      assert.ok(tried > 150, `${tried} damages`);
    });
  }

/** Numbers that are possible one by one, but not together; and the field that the message names. */
const IMPOSSIBLE: readonly (readonly [what: string, path: Path, value: unknown, named: RegExp])[] = [
  [
    "10^15 samples over buckets that hold 101",
    ["wakeup", "samples"],
    1e15,
    /wakeup\.samples is "1000000000000000": the buckets hold 101/,
  ],
  [
    "a bucket of 10^9 in a run of 100 requests",
    ["request", "buckets", 3, 1],
    1e9,
    /request\.samples is "100": the buckets hold 1000000099/,
  ],
  [
    "a bucket of a second beyond the whole run",
    ["seconds", 0, "wakeup", 0, 1],
    1e9,
    /seconds: their wakeup histograms hold 1000000099/,
  ],
  [
    "a bucket that does not exist",
    ["wakeup", "buckets", 0, 0],
    4864,
    /wakeup\.buckets\[0\]\[0\] is "4864": allowed is a number up to 4863/,
  ],
  [
    "buckets out of order",
    ["wakeup", "buckets", 1, 0],
    3,
    /wakeup\.buckets\[1\]\[0\] is "3": bucket 3 stands before it/,
  ],
  ["a minimum above the maximum", ["wakeup", "min"], 6000, /wakeup\.min is "6000": the maximum is 5000/],
  ["a minimum in another bucket than the first", ["wakeup", "min"], 4, /wakeup\.min is "4": the first bucket is 3/],
  ["a maximum in another bucket than the last", ["wakeup", "max"], 5600, /wakeup\.max is "5600": the last bucket is/],
  [
    "a percentile that the buckets do not have",
    ["wakeup", "percentiles", 1, "value"],
    41,
    /wakeup\.percentiles\[1\]\.value is "41": the buckets have another/,
  ],
  [
    "percentiles that fall",
    ["wakeup", "percentiles", 0, "value"],
    4900,
    /wakeup\.percentiles\[1\]\.value is "\d+": the percentile before it is 4900/,
  ],
  [
    "percentiles in another order",
    ["wakeup", "percentiles", 0, "percentile"],
    95,
    /wakeup\.percentiles\[1\]\.percentile is "50": 95 stands before it/,
  ],
  [
    "rows that count more than there are",
    ["wakeup", "percentiles", 0, "samples"],
    5000,
    /wakeup\.samples is "101": the percentiles count/,
  ],
  [
    "a row with a sample too few",
    ["wakeup", "percentiles", 0, "samples"],
    20,
    /wakeup\.percentiles\[0\]\.samples is "20": the buckets hold 21/,
  ],
  [
    "a distribution without a sample",
    ["wakeup", "samples"],
    0,
    /wakeup\.samples is "0": a distribution without a sample is null/,
  ],
  ["more requests than the workers did", ["loops"], 101, /is "\d+": /],
  ["fewer requests by a worker", ["threads", 1, "loops"], 60, /loops is "100": those of the workers add up to 90/],
  [
    "a worker that the plan does not have",
    ["plan", "workerThreads"],
    3,
    /threads: 1 message threads and 2 workers are not 1 with 3/,
  ],
  ["an average that is not requests by time", ["averageRps"], 51, /averageRps is "51": 100 in 2 s are 50/],
  [
    "fewer offered than sent and dropped",
    ["rate", "offered"],
    109,
    /rate\.offered is "109": 101 were sent and 9 dropped/,
  ],
  ["another mode than the plan's", ["mode"], "closed-loop", /mode is "closed-loop": the plan's mode is rate/],
  ["a run that took no time", ["runtimeSec"], 0, /runtimeSec is "0": a run takes time/],
  ["more measured than the whole run", ["measuredSec"], 3, /measuredSec is "3": the whole run took 2\.5/],
  ["seconds that go back", ["seconds", 1, "atSec"], 1, /seconds\[1\]\.atSec is "1": the one before it was at 1\.5/],
  ["a second after the end", ["seconds", 1, "atSec"], 2.6, /seconds\[1\]\.atSec is "2\.6": the whole run took 2\.5/],
  ["an interval after the end", ["intervals", 0, "atSec"], 9, /intervals\[0\]\.atSec is "9": the whole run took 2\.5/],
  ["a phase after the end", ["phases", 1, "endSec"], 9, /phases\[1\]\.endSec is "9": the whole run took 2\.5/],
  [
    "a phase that ends before it begins",
    ["phases", 0, "endSec"],
    0.1,
    /phases\[0\]\.endSec is "0\.1": it begins at 0\.5/,
  ],
  ["phases that do not add up", ["phases", 0, "loops"], 41, /phases: their loops add up to 101, the whole run has 100/],
  [
    "an interval with more samples than the run",
    ["intervals", 0, "request"],
    fullRateResult().rate?.lateness,
    /intervals\[0\]\.request\.samples is "101": the whole run has 100/,
  ],
  [
    "a thread that ran before it was woken",
    ["slowWakeups", 0, "runNsec"],
    5,
    /slowWakeups\[0\]\.runNsec is "5": it was woken at/,
  ],
  ["requests in the unit of latencies", ["rps", "unit"], "usec", /rps\.unit is "usec": it is requests\/s/],
  ["an empty plan", ["plan"], {}, /plan\.mode/],
  [
    "a day that is none",
    ["startedAt"],
    "2026-02-30T00:00:00Z",
    /startedAt is "2026-02-30T00:00:00Z": allowed is a time/,
  ],
];

for (const [what, path, value, named] of IMPOSSIBLE)
  test(`${what}: refused, since the rest says otherwise`, () => {
    const damaged = withAt(fullRateResult(), path, value);
    for (const [, place, read] of DOORS)
      assert.throws(
        () => read(damaged),
        (error) => {
          assert.ok(error instanceof ParseError, String(error));
          assert.ok(error.message.startsWith(place));
          assert.match(error.message.slice(place.length), named);
          return true;
        },
      );
  });

test("what only a merged or a forced result shows is sound: threads of several runs, a request table left out", () => {
  const run = fullRateResult();
  const twice: RunResult = {
    ...run,
    loops: 200,
    averageRps: 50,
    runtimeSec: 5,
    measuredSec: 4,
    request: null,
    response: null,
    intervals: [],
    seconds: [],
    phases: [],
    groups: run.groups.map((group) => ({
      ...group,
      loops: 2 * (group.loops ?? 0),
      wakeup: null,
      request: null,
      response: null,
    })),
    wakeup: null,
    threads: [...run.threads, ...run.threads],
  };
  for (const [, , read] of DOORS) assert.deepEqual(read(twice), twice);
});
