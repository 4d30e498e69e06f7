/**
 * Many runs as they go into a report: what their metrics are read from, as one compressed text. Their histograms stay in the store.
 * Pure.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type MetricId, metricsNamed } from "../../model/metrics/metrics.js";
import { onlyFigures } from "../../model/metrics/only-figures.js";
import type { RunResult } from "../../model/result/run-result.js";

/** From so many runs on they are packed. */
export const MANY_RUNS = 100;

/** A text may not become more than this when it is unpacked. */
const MOST_BYTES = 1024 ** 3;

/** Runs as base64 of their compressed JSON; `metrics` are asked of them when they are read back. */
export const packRuns = (runs: readonly RunResult[], metrics: readonly MetricId[]): string =>
  deflateRawSync(JSON.stringify(runs.map(onlyFigures(metricsNamed(metrics))))).toString("base64");

/** What `packRuns` packed, to be checked; throws for any other text. */
export const unpackRuns = (packed: string): unknown => {
  const text = inflateRawSync(Buffer.from(packed, "base64"), { maxOutputLength: MOST_BYTES }).toString("utf8");
  return JSON.parse(text);
};
