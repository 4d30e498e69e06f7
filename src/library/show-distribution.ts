/** A distribution as a few lines of text, for the message of an assertion: a histogram by powers of two, percentiles. */
import { histogramIn } from "../model/metrics/distribution.js";
import type { Distribution } from "../model/result/run-result.js";
import { type Histogram, PLAT_NR, platValue } from "../stats/histogram/plat.js";

const BAR_WIDTH = 40;
const MAX_ROWS = 16;

interface Row {
  readonly from: number;
  /** Not included. */
  readonly to: number;
  readonly count: number;
}

/** [0, 1), [1, 2), [2, 4), [4, 8) … by the value of each bucket. */
const rowsOf = ({ counts, min, max }: Histogram): readonly Row[] => {
  const byPower = new Map<number, number>();
  counts.forEach((count, bucket) => {
    if (count === 0) return;
    // A bucket above 512 stands for its middle, which may lie outside of what was seen; the last takes everything larger.
    const middle = bucket === PLAT_NR - 1 ? Infinity : platValue(bucket);
    const value = Math.min(Math.max(middle, min ?? 0), max ?? platValue(bucket));
    const power = value < 1 ? -1 : Math.floor(Math.log2(value));
    byPower.set(power, (byPower.get(power) ?? 0) + count);
  });
  const powers = [...byPower.keys()];
  const first = Math.min(...powers);
  return Array.from({ length: Math.max(...powers) - first + 1 }, (_, i) => {
    const power = first + i;
    return { from: power < 0 ? 0 : 2 ** power, to: 2 ** (power + 1), count: byPower.get(power) ?? 0 };
  });
};

/** Rows from the first on, the rest as one. */
const atMost = (rows: readonly Row[], limit: number): readonly Row[] => {
  const rest = rows.slice(limit - 1);
  const [first, last] = [rest[0], rest.at(-1)];
  if (rows.length <= limit || first === undefined || last === undefined) return rows;
  const count = rest.reduce((sum, row) => sum + row.count, 0);
  return [...rows.slice(0, limit - 1), { from: first.from, to: last.to, count }];
};

const histogramLines = (histogram: Histogram, limitUsec: number): readonly string[] => {
  const rows = atMost(rowsOf(histogram), MAX_ROWS);
  const largest = Math.max(...rows.map(({ count }) => count));
  const width = String(rows.at(-1)?.to ?? 0).length;
  return rows.map(({ from, to, count }) => {
    // Everything that occurs has a mark, however rare.
    const bar = "#".repeat(count === 0 ? 0 : Math.max(1, Math.round((count / largest) * BAR_WIDTH)));
    const limit = limitUsec >= from && limitUsec < to ? "  <- limit" : "";
    const range = `${String(from).padStart(width)} - ${String(to - 1).padStart(width)}`;
    return `  ${range} |${bar.padEnd(BAR_WIDTH)} ${count}${limit}`.trimEnd();
  });
};

const percentileLine = ({ percentiles, min, max }: Distribution): string =>
  [
    `min ${min ?? "-"}`,
    ...percentiles.map(({ percentile, value }) => `p${percentile} ${value}`),
    `max ${max ?? "-"}`,
  ].join("  ");

/** The distribution in lines: how many samples, a histogram with the limit marked (if it has one), its percentiles. */
export const showDistribution = (distribution: Distribution, limitUsec: number): string => {
  const histogram = histogramIn(distribution);
  return [
    `  ${distribution.samples ?? "an unknown number of"} samples, us:`,
    ...(histogram === null ? [] : histogramLines(histogram, limitUsec)),
    `  ${percentileLine(distribution)}`,
  ].join("\n");
};
