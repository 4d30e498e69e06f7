/**
 * One percentile table of the text report: header, rows, extremes.
 *
 * Upstream counterpart: show_latencies. Its layout is kept to the byte; only a table without a sample differs: upstream
 * prints rows of 0 there, which read like measurements.
 */
import { rowsIn } from "../model/metrics/distribution.js";
import { hiddenIn, starredIn, type TextTableName } from "../model/metrics/percentile-table.js";
import type { Distribution } from "../model/result/run-result.js";
import { percentileName } from "../stats/histogram/percentiles.js";

/** What a table shows: its title, its unit, the starred rows and the rows that stay hidden. */
export interface TableLayout {
  readonly title: string;
  readonly unit: string;
  readonly starred: readonly number[];
  readonly hidden: readonly number[];
}

const layout = (table: TextTableName, title: string, unit: string): TableLayout => ({
  title,
  unit,
  starred: starredIn(table),
  hidden: hiddenIn(table),
});

/** The tables of the text report; `pipe` is the wakeup table of pipe mode. */
export const TABLES = {
  wakeup: layout("wakeup", "Wakeup Latencies", "usec"),
  request: layout("request", "Request Latencies", "usec"),
  rps: layout("rps", "RPS", "requests"),
  pipe: layout("pipe", "Wakeup Latencies", "usec"),
  response: layout("response", "Response Latencies", "usec"),
} as const satisfies Record<TextTableName, TableLayout>;

/** What stands in place of the rows when nothing was sampled. */
export const NO_SAMPLES = "no samples";
/** What stands in place of the rows when the source of the result did not report this distribution. */
export const NOT_REPORTED = "not reported";

/** Seconds as the header shows them: whole, and not a second short because a float lies a hair below. */
export const wholeSeconds = (seconds: number): number => Math.floor(seconds + 0.001);

/** A number of the report, or `-` where it is not known. */
export const orDash = (value: number | null): string => (value === null ? "-" : String(Math.round(value)));

const header = ({ title, unit }: TableLayout, runtimeSec: number | null, samples: number | null): string =>
  `${title} percentiles (${unit})` +
  (runtimeSec === null ? "" : ` runtime ${wholeSeconds(runtimeSec)} (s)`) +
  (samples === null ? "" : ` (${samples} total samples)`);

/**
 * Lines of one table, each without its line end.
 *
 * @param distribution null: nothing was sampled, or, with `reported: false`, nothing is known
 * @param runtimeSec seconds; null leaves the run time out of the header
 */
export const percentileTable = (
  table: TableLayout,
  distribution: Distribution | null,
  { runtimeSec, reported }: { readonly runtimeSec: number | null; readonly reported: boolean },
): readonly string[] => {
  if (distribution === null)
    return [header(table, runtimeSec, reported ? 0 : null), `\t  ${reported ? NO_SAMPLES : NOT_REPORTED}`];
  return [
    header(table, runtimeSec, distribution.samples),
    ...rowsIn(distribution)
      .filter((row) => !table.hidden.includes(row.percentile))
      .map(
        (row) =>
          `\t${table.starred.includes(row.percentile) ? "* " : "  "}${percentileName(row.percentile)}th: ` +
          (row.samples === null ? String(row.value) : `${String(row.value).padEnd(10)} (${row.samples} samples)`),
      ),
    `\t  min=${orDash(distribution.min)}, max=${orDash(distribution.max)}`,
  ];
};
