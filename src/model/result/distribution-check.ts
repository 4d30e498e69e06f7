/**
 * A distribution checked against itself: what it counts against what its buckets hold, its percentiles against both. A figure
 * that damage or an editor changed is found here rather than judged. Pure, and free of the schema library.
 */
import { at, numberAt } from "../../at.js";
import { platIndex, platValue } from "../../stats/histogram/plat.js";
import type { Distribution } from "./run-result.js";

/** A statement of a result that its other statements rule out. */
export interface Contradiction {
  /** Keys and indexes from the result's root. */
  readonly path: readonly (string | number)[];
  /** What it would have to agree with, such as `the buckets hold 96`. */
  readonly message: string;
}

/** What is known of a table's source that excuses it. */
export interface TableDoubts {
  /** The rows may count a few more than the total: they were read while threads were recording. */
  readonly racedRows: boolean;
  /** The minimum may lie above percentiles: it was reset, or a sample of 0 was added. */
  readonly wrongMinimum: boolean;
}

/** Below 512 a bucket is one value; above, percentiles are the middles of buckets, which may lie beyond the extremes. */
export const bucketSlack = (value: number): number => (value < 512 ? value : value * (1 + 1 / 256) + 1);

/** Rows of interval reports are read while the threads count: so many samples may be between two readings. */
export const racingSamples = (total: number): number => Math.max(16, total * 0.02);

const VALUES_END = 2 ** 32;

type Buckets = readonly (readonly [bucket: number, samples: number])[];

/** How many samples the buckets hold. */
export const samplesIn = (buckets: Buckets): number => {
  let sum = 0;
  for (const entry of buckets) sum += entry[1];
  return sum;
};

/** Whether buckets stand in order; tells at a fraction of what the sentences cost. */
export const ascend = (buckets: Buckets): boolean => {
  let last = -1;
  for (const entry of buckets) {
    if (entry[0] <= last) return false;
    last = entry[0];
  }
  return true;
};

/** Buckets ascend, each stands there once. */
export function* orderContradictions(buckets: Buckets): Generator<Contradiction> {
  if (ascend(buckets)) return;
  let last = -1;
  for (const [index, [bucket]] of buckets.entries()) {
    if (bucket <= last) yield { path: [index, 0], message: `bucket ${last} stands before it, and they ascend` };
    last = bucket;
  }
}

/** The percentiles by themselves: ascending, and within the extremes as far as the middle of a bucket may be. */
function* tableContradictions(
  { min, max, percentiles, samples }: Distribution,
  doubts: TableDoubts,
): Generator<Contradiction> {
  if (min !== null && max !== null && min > max) yield { path: ["min"], message: `the maximum is ${max}` };
  let before: Distribution["percentiles"][number] | null = null;
  let counted = 0;
  for (const [index, row] of percentiles.entries()) {
    const path = ["percentiles", index, "value"];
    if (before !== null && row.percentile <= before.percentile)
      yield { path: ["percentiles", index, "percentile"], message: `${before.percentile} stands before it` };
    if (before !== null && row.value < before.value)
      yield { path, message: `the percentile before it is ${before.value}` };
    if (max !== null && row.value > bucketSlack(max)) yield { path, message: `the maximum is ${max}` };
    if (min !== null && row.value > 0 && bucketSlack(row.value) < min && !doubts.wrongMinimum)
      yield { path, message: `the minimum is ${min}` };
    counted += row.samples ?? 0;
    before = row;
  }
  const slack = doubts.racedRows ? racingSamples(samples ?? 0) : 0;
  if (samples !== null && counted > samples + slack)
    yield { path: ["samples"], message: `the percentiles count ${counted}` };
}

/** Samples up to and including each bucket. */
const runningSums = (buckets: Buckets): Float64Array => {
  const sums = new Float64Array(buckets.length);
  let running = 0;
  let index = 0;
  for (const entry of buckets) sums[index++] = running += entry[1];
  return sums;
};

/** Where a bucket stands in an ascending list; null: it is empty. */
const placeOf = (buckets: Buckets, bucket: number): number | null => {
  let low = 0;
  let high = buckets.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = at(buckets, middle)[0];
    if (found === bucket) return middle;
    if (found < bucket) low = middle + 1;
    else high = middle - 1;
  }
  return null;
};

/** A percentile is the bucket in which its share of the samples is reached; an older rule may be off by one sample. */
function* percentileContradictions(
  { min, max, percentiles }: Distribution & { readonly min: number; readonly max: number },
  buckets: Buckets,
  total: number,
): Generator<Contradiction> {
  const sums = runningSums(buckets);
  let counted: number | null = 0;
  for (const [index, { percentile, value, samples }] of percentiles.entries()) {
    const bucket = platIndex(value);
    const place = placeOf(buckets, bucket);
    const end = place === null ? null : numberAt(sums, place);
    const begin = place === null || end === null ? null : end - at(buckets, place)[1];
    const share = (percentile / 100) * total;
    const isHere = end !== null && begin !== null && end >= share - 1 && begin <= share + 1;
    if (!isHere || value !== Math.min(Math.max(platValue(bucket), min), max))
      yield { path: ["percentiles", index, "value"], message: `the buckets have another percentile ${percentile}` };
    counted = counted === null || samples === null ? null : counted + samples;
    if (isHere && counted !== null && counted !== end)
      yield {
        path: ["percentiles", index, "samples"],
        message: `the buckets hold ${end} up to there, the rows count ${counted}`,
      };
  }
}

function* bucketContradictions(distribution: Distribution, buckets: Buckets): Generator<Contradiction> {
  const { samples, min, max } = distribution;
  const disorder = [...orderContradictions(buckets)];
  for (const { path, message } of disorder) yield { path: ["buckets", ...path], message };
  const total = samplesIn(buckets);
  if (samples !== total) yield { path: ["samples"], message: `the buckets hold ${total}` };
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) {
    yield { path: ["buckets"], message: "a distribution without a sample is null" };
    return;
  }
  for (const [end, value, [bucket], place] of [
    ["min", min, first, "first"],
    ["max", max, last, "last"],
  ] as const)
    if (value === null || !Number.isInteger(value) || value >= VALUES_END || platIndex(value) !== bucket)
      yield { path: [end], message: `the ${place} bucket is ${bucket}, which stands for ${platValue(bucket)}` };
  if (min !== null && max !== null && disorder.length === 0)
    yield* percentileContradictions({ ...distribution, min, max }, buckets, total);
}

/** What in a distribution contradicts the rest of it. */
export function* distributionContradictions(
  distribution: Distribution,
  doubts: TableDoubts = { racedRows: false, wrongMinimum: false },
): Generator<Contradiction> {
  if (distribution.samples === 0) yield { path: ["samples"], message: "a distribution without a sample is null" };
  yield* tableContradictions(distribution, doubts);
  if (distribution.buckets !== null) yield* bucketContradictions(distribution, distribution.buckets);
}
