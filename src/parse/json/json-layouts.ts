/**
 * The JSON of schbench, narrowed: the first, nested layout, the second with everything in one object, today's two objects,
 * and ours with the complete result.
 */
import { z } from "zod";
import { at } from "../../at.js";
import { ParseError } from "../../errors.js";
import { percentileName } from "../../stats/histogram/percentiles.js";
import { bucketSlack } from "../../model/result/distribution-check.js";
import {
  type Distribution,
  RUN_RESULT_VERSION,
  type RunResult,
  runResult,
  type Warning,
} from "../../model/result/run-result.js";
import { schemaFault } from "../../model/schema-fault.js";
import { wordsWithin } from "../../options/values/shell-words.js";
import type { Era } from "../result/eras.js";
import { halvesDiffer } from "./upstream-half.js";
import {
  checkedResult,
  minimumDoubt,
  unknownRate,
  unknownResult,
  withCommand,
  withDoubts,
} from "../result/parsed-result.js";

/** The percentiles in the JSON of every version of upstream; ours may be others (model/metrics/percentile-table.ts). */
const PERCENTILES = [20, 50, 90, 99, 99.9] as const;

const amount = z.number().nonnegative();

const nestedDistribution = z.object({ percentiles: z.record(z.string(), amount), min: amount, max: amount });
const nested = z.object({
  schbench: z.object({
    version: z.string(),
    hostname: z.string(),
    cmdline: z.string(),
    wakeup_latency: nestedDistribution,
    request_latency: nestedDistribution.optional(),
    rps: nestedDistribution.optional(),
    runtime: amount,
  }),
});

const names = z.object({
  version: z.string().nullable(),
  jobname: z.string().optional(),
  hostname: z.string().nullable(),
  sched_ext: z.string().nullable().optional(),
  cmdline: z.string().nullable(),
});
const today = z.object({ normal: names, int: z.record(z.string(), amount.nullable()) });

/** For some hours of 16 May 2025, only the time stood under `int`. */
const second = z.object({ normal: names.catchall(amount), int: z.strictObject({ time: amount }) });

const SECOND_MSEC = 1000;
const WRAPPED_RUNTIME_SEC = 2 ** 32 / 1_000_000;

type Flat = Readonly<Record<string, number | null | undefined>>;

const UNMEASURED: Warning = {
  code: "rps-not-measured",
  message: "all RPS numbers are 0, which is how upstream writes that there was no sample; they are taken as unknown",
  cure: "give -A more time, or ask for a rate within reach",
};

/** A distribution from flat numbers; null when none was sampled. Throws the name of a key that is missing. */
const distributionFrom = (
  label: string,
  numbers: Flat,
  unit: Distribution["unit"],
  fail: (message: string) => never,
): Distribution | null => {
  const keys = [
    ...PERCENTILES.map((percentile) => `${label}_pct${percentileName(percentile)}`),
    `${label}_min`,
    `${label}_max`,
  ];
  const present = keys.filter((key) => numbers[key] !== undefined);
  if (present.length === 0) return null;
  if (present.length < keys.length) return fail(`"${keys.find((key) => numbers[key] === undefined)}" is missing`);
  const values = keys.flatMap((key) => numbers[key] ?? []);
  if (values.length === 0) return null;
  if (values.length < keys.length) return fail(`some numbers of "${label}" are null and some are not`);
  if (values.every((value) => value === 0)) return null;
  const percentiles = PERCENTILES.map((percentile, index) => ({ percentile, value: at(values, index), samples: null }));
  const [min, max] = [at(values, PERCENTILES.length), at(values, PERCENTILES.length + 1)];
  const falling = percentiles.find((row, index) => index > 0 && row.value < at(percentiles, index - 1).value);
  if (falling !== undefined)
    return fail(`contradiction: percentile ${falling.percentile} of "${label}" is below the one before it`);
  if (min > max) return fail(`contradiction: "${label}_min" (${min}) is above "${label}_max" (${max})`);
  const above = percentiles.find(({ value }) => value > bucketSlack(max));
  if (above !== undefined)
    return fail(
      `contradiction: percentile ${above.percentile} of "${label}" (${above.value}) is above its maximum (${max})`,
    );
  return { unit, samples: null, min, max, percentiles, buckets: null };
};

const flattened = (label: string, distribution: z.infer<typeof nestedDistribution> | undefined): Flat =>
  distribution === undefined
    ? {}
    : {
        ...Object.fromEntries(
          Object.entries(distribution.percentiles).map(([p, value]) => [`${label}_pct${p}`, value]),
        ),
        [`${label}_min`]: distribution.min,
        [`${label}_max`]: distribution.max,
      };

const allZeroRps = (numbers: Flat): boolean => PERCENTILES.every((p) => numbers[`rps_pct${percentileName(p)}`] === 0);

const fromNumbers = (base: RunResult, numbers: Flat, cmdline: string | null, fail: (m: string) => never): RunResult => {
  const words = cmdline === null ? null : wordsWithin(cmdline);
  const runtimeSec = numbers["runtime"];
  if (runtimeSec === undefined) return fail('"runtime" is missing');
  const filled: RunResult = {
    ...base,
    runtimeSec,
    wakeup: distributionFrom("wakeup_latency", numbers, "usec", fail),
    request: distributionFrom("request_latency", numbers, "usec", fail),
    rps: distributionFrom("rps", numbers, "requests/s", fail),
  };
  const doubts = (["wakeup", "request", "rps"] as const).flatMap(
    (name) => minimumDoubt(name, filled[name]?.min ?? null, filled[name]?.percentiles ?? []) ?? [],
  );
  if (!Object.keys(numbers).some((key) => key.startsWith("wakeup_latency_")))
    return fail("the wakeup latencies are missing");
  const result = withCommand({ ...filled, warnings: [...(allZeroRps(numbers) ? [UNMEASURED] : []), ...doubts] }, words);
  const isAuto = result.rate !== null && result.rate.targetBusyPercent !== null;
  const rate = isAuto && allZeroRps(numbers) ? { ...(result.rate ?? unknownRate()), targetHit: false } : result.rate;
  return withDoubts({ ...result, rate });
};

/** The start of a run that ended at a time (s since the epoch); null where its run time cannot be relied on. */
const startedAt = ({ time, runtime }: Flat, fail: (message: string) => never): string | null => {
  if (typeof time !== "number" || typeof runtime !== "number" || runtime > WRAPPED_RUNTIME_SEC) return null;
  const start = new Date((time - runtime) * SECOND_MSEC);
  return Number.isNaN(start.getTime())
    ? fail(`"time" is "${time}": allowed are seconds since 1970`)
    : start.toISOString();
};

/** Whether a value is an object with this key. */
const hasKey = <K extends string>(value: unknown, key: K): value is Record<K, unknown> =>
  typeof value === "object" && value !== null && key in value;

const ownResult = (value: unknown, fail: (message: string) => never): RunResult => {
  if (hasKey(value, "version") && value.version !== RUN_RESULT_VERSION)
    return fail(
      `run result of version ${JSON.stringify(value.version)}: this program reads version ${RUN_RESULT_VERSION}`,
    );
  const parsed = runResult.safeParse(value);
  return parsed.success ? parsed.data : fail(`damaged run result: ${schemaFault(parsed.error, value)}`);
};

interface FlatParts {
  readonly era: Era;
  readonly normal: z.infer<typeof names>;
  readonly numbers: Flat;
}

/** The names and the numbers of the layouts with two objects, wherever the numbers stand. */
const flatParts = (value: unknown, fail: (message: string) => never): FlatParts => {
  const inNormal = hasKey(value, "normal") && hasKey(value.normal, "runtime");
  const parsed = (inNormal ? second : today).safeParse(value);
  if (!parsed.success) return fail(`damaged schbench JSON: ${schemaFault(parsed.error, value)}`);
  const { normal, int } = parsed.data;
  if (!inNormal) return { era: "json-2025-05-16", normal, numbers: int };
  const counted = Object.entries(normal).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return { era: "json-2025-05-16-normal", normal, numbers: { ...Object.fromEntries(counted), ...int } };
};

/** The results in one JSON value; none when it is not of schbench. Throws ParseError for a damaged one. */
export const resultsInJson = (value: unknown, file: string, line: number): readonly RunResult[] => {
  const fail = (message: string): never => {
    throw new ParseError(message, file, line);
  };
  if (Array.isArray(value)) return value.flatMap((item: unknown) => resultsInJson(item, file, line));
  if (hasKey(value, "schbench_ts")) {
    const own = ownResult(value.schbench_ts, fail);
    const difference = halvesDiffer(value, own);
    return difference === null ? [own] : fail(`contradiction: ${difference}`);
  }
  if (hasKey(value, "format")) {
    if (value.format === "schbench-ts/run-result") return [ownResult(value, fail)];
    const counts = value.format === "schbench-ts/run" && (!hasKey(value, "excluded") || value.excluded === null);
    return counts && hasKey(value, "result") && value.result !== null ? [ownResult(value.result, fail)] : [];
  }
  if (hasKey(value, "schbench")) {
    const parsed = nested.safeParse(value);
    if (!parsed.success) return fail(`damaged schbench JSON: ${schemaFault(parsed.error, value)}`);
    const { version, hostname, cmdline, wakeup_latency, request_latency, rps, runtime } = parsed.data.schbench;
    const base = unknownResult("json-2025-05-01", file, line);
    const machine = { hostname, kernel: version, schedExt: null };
    const numbers = {
      ...flattened("wakeup_latency", wakeup_latency),
      ...flattened("request_latency", request_latency),
      ...flattened("rps", rps),
      runtime,
    };
    const filled = { ...base, source: { kind: "parsed", era: "json-2025-05-01", file, line, machine } } as const;
    return [checkedResult(fromNumbers(filled, numbers, cmdline, fail), file, line)];
  }
  if (!hasKey(value, "normal") && !hasKey(value, "int")) return [];
  const { era, normal, numbers } = flatParts(value, fail);
  const named = normal.hostname !== null && normal.version !== null;
  const machine = { hostname: normal.hostname ?? "", kernel: normal.version ?? "", schedExt: normal.sched_ext ?? null };
  const filled: RunResult = {
    ...unknownResult(era, file, line),
    source: { kind: "parsed", era, file, line, ...(named ? { machine } : {}) },
    jobname: normal.jobname ?? null,
    startedAt: startedAt(numbers, fail),
  };
  return [checkedResult(fromNumbers(filled, numbers, normal.cmdline, fail), file, line)];
};
