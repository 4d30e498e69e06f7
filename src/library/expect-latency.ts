/**
 * Assertions on latencies for tests: `expectLatency(result).wakeup.p99.below("50us")`. What fails is an AssertionError
 * whose message shows the distribution, so that a CI log answers the next question.
 */
import { AssertionError } from "node:assert";
import { type Percentile, PERCENTILES } from "../model/metrics/percentile-table.js";
import type { Distribution } from "../model/result/run-result.js";
import { type Duration, usecOf, usecText } from "./duration.js";
import { percentileOfDistribution, type WithDistributions } from "./percentile.js";
import { showDistribution } from "./show-distribution.js";

/** One latency of a result, to be checked against limits; each returns itself, so that limits can follow each other. */
export interface LatencyExpectation {
  /** The latency in microseconds; null where the result does not have it. */
  readonly usec: number | null;
  readonly below: (limit: Duration) => LatencyExpectation;
  readonly atMost: (limit: Duration) => LatencyExpectation;
  readonly above: (limit: Duration) => LatencyExpectation;
  readonly atLeast: (limit: Duration) => LatencyExpectation;
}

/** A percentile as a name: `p50`, and `p999` for 99.9. */
type PercentileKey<P extends number> = `${P}` extends `${infer Whole}.${infer Rest}` ? `p${Whole}${Rest}` : `p${P}`;

/** The percentiles that every result has: `p20`, `p50`, `p90`, `p99` and `p999`. */
type NamedPercentiles = { readonly [P in Percentile as PercentileKey<P>]: LatencyExpectation };

/** The latencies of one distribution. */
export interface DistributionExpectation extends NamedPercentiles {
  readonly min: LatencyExpectation;
  readonly max: LatencyExpectation;
  /** Any other, more than 0 and up to 100; throws UsageError for others. */
  readonly percentile: (percent: number) => LatencyExpectation;
}

/** The latencies of a result. */
export interface ResultExpectation {
  readonly wakeup: DistributionExpectation;
  readonly request: DistributionExpectation;
  /** Rate mode: intended arrival to done. */
  readonly response: DistributionExpectation;
}

const COMPARISONS = {
  below: { words: "below", holds: (usec: number, limit: number) => usec < limit },
  atMost: { words: "at most", holds: (usec: number, limit: number) => usec <= limit },
  above: { words: "above", holds: (usec: number, limit: number) => usec > limit },
  atLeast: { words: "at least", holds: (usec: number, limit: number) => usec >= limit },
} as const;

type Comparison = keyof typeof COMPARISONS;

const missing = (what: string, distribution: Distribution | null): string =>
  distribution === null
    ? `${what} is not known: the result has no sample of it`
    : `${what} is not known: the result has only a table of other percentiles\n${showDistribution(distribution, -1)}`;

const latency = (what: string, distribution: Distribution | null, usec: number | null): LatencyExpectation => {
  const check = (comparison: Comparison) => {
    const hold = (limit: Duration): LatencyExpectation => {
      const limitUsec = usecOf(limit);
      const { words, holds } = COMPARISONS[comparison];
      if (usec !== null && holds(usec, limitUsec)) return expectation;
      const message =
        usec === null || distribution === null
          ? missing(what, distribution)
          : `${what} is ${usecText(usec)}, expected ${words} ${usecText(limitUsec)}\n${showDistribution(distribution, limitUsec)}`;
      throw new AssertionError({
        message,
        actual: usec,
        expected: limitUsec,
        operator: comparison,
        stackStartFn: hold,
      });
    };
    return hold;
  };
  const expectation: LatencyExpectation = {
    usec,
    below: check("below"),
    atMost: check("atMost"),
    above: check("above"),
    atLeast: check("atLeast"),
  };
  return expectation;
};

const keyOf = (percent: number): string => `p${String(percent).replace(".", "")}`;

const isNamed = (named: Readonly<Record<string, LatencyExpectation>>): named is NamedPercentiles =>
  PERCENTILES.every((percent) => keyOf(percent) in named);

const namedPercentiles = (of: (percent: number) => LatencyExpectation): NamedPercentiles => {
  const named = Object.fromEntries(PERCENTILES.map((percent) => [keyOf(percent), of(percent)]));
  if (!isNamed(named)) throw new TypeError("a percentile has no name");
  return named;
};

const latencies = (name: string, distribution: Distribution | null): DistributionExpectation => {
  const of = (percent: number): LatencyExpectation =>
    latency(`${name} p${percent}`, distribution, percentileOfDistribution(distribution, percent));
  return {
    ...namedPercentiles(of),
    min: latency(`${name} min`, distribution, distribution?.min ?? null),
    max: latency(`${name} max`, distribution, distribution?.max ?? null),
    percentile: of,
  };
};

/**
 * The latencies of a result, or of one of its phases or intervals, to be checked against limits in a test.
 *
 * Limits are durations (`"50us"`, `"1.5ms"`) or numbers of microseconds. A limit that does not hold, and a latency that
 * the result does not have, throw an AssertionError with the distribution in its message; a limit that is no duration
 * throws UsageError.
 */
export const expectLatency = (result: WithDistributions): ResultExpectation => ({
  wakeup: latencies("wakeup", result.wakeup ?? null),
  request: latencies("request", result.request ?? null),
  response: latencies("response", result.response ?? null),
});
