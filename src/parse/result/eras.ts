/**
 * The ages of schbench's output. Facts from upstream's history: the date is that of the change which made the shape.
 * docs/parse.md shows this table.
 */

/** Every age: its id in a result, and how it is recognised. */
const ERAS = {
  "2016-04": "`Over=` in front of min and max, percentiles with four decimals",
  "2016-05": "percentiles with four decimals, rate mode with a summary line in which p99 is related to the cputime",
  "2019-08": "percentiles with one decimal",
  "2020-10-21": "run time in the header; interval reports look like the final one",
  "2020-10-22": "sample counts, total and per row; `*99.0th`",
  "2021-12": "values padded to ten columns; `* 99.0th`",
  "2023-04-10": "`Wakeup latency` and `Request latency` tables of seven percentiles, then `rps:`; in pipe mode, too",
  "2023-04-11":
    "`Wakeup Latencies`, `Request Latencies` and `RPS` tables; `current rps`, `average rps`; until 13 April in pipe mode, too",
  "2025-05": "pinning lines, then `sched delay` lines",
  "json-2025-05-01": "JSON of one nested object, `schbench`",
  "json-2025-05-16-normal": "JSON with everything in the object `normal`, but the time in `int`",
  "json-2025-05-16": "JSON with the objects `normal` and `int`",
  "schbench-ts": "ours, where text or JSON say so",
} as const;

/** Id of an age. */
export type Era = keyof typeof ERAS;

/** The table of ages for docs/parse.md. */
export const erasTable = (): string =>
  [
    "| era | how it is recognised |",
    "|---|---|",
    ...Object.entries(ERAS).map(([era, sign]) => `| ${era} | ${sign} |`),
    "",
  ].join("\n");
