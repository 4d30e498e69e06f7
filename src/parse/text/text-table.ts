/** One percentile table of a text: collected line by line, checked when it ends. Never half a table. */
import { ParseError } from "../../errors.js";
import { bucketSlack, racingSamples } from "../../model/result/distribution-check.js";
import { rowsOf, type TextTableName } from "../../model/metrics/percentile-table.js";
import type { Distribution, Warning } from "../../model/result/run-result.js";
import { minimumDoubt } from "../result/parsed-result.js";
import type { RowShape, TableKind, Token } from "./line-tokens.js";

type Header = Extract<Token, { kind: "header" }>;
type Row = Extract<Token, { kind: "row" }> & { readonly line: number };
type Extremes = Extract<Token, { kind: "extremes" }>;

/** A table of which the end was not seen yet. */
export interface OpenTable {
  readonly kind: TableKind;
  readonly header: Header | null;
  readonly line: number;
  readonly rows: readonly Row[];
}

/** A complete table; `distribution` is null when it holds no sample. */
export interface TextTable {
  readonly kind: TableKind;
  readonly line: number;
  readonly runtimeSec: number | null;
  /** False for a list of percentiles that has none, so that its kind is guessed. */
  readonly headed: boolean;
  readonly distribution: Distribution | null;
  readonly oldName: boolean;
  /** Upstream never leaves the rows out: that is our way to print a table without a sample. */
  readonly own: boolean;
  readonly over: boolean;
  readonly shape: RowShape | null;
  readonly warnings: readonly Warning[];
}

const SEVEN = [50, 75, 90, 95, 99, 99.5, 99.9];
const FOUR = [50, 90, 99, 99.9];
/** The rows of a table of ours, and without the rarest, which is left out where it rests on too few samples. */
const ours = (table: TextTableName): readonly (readonly number[])[] => [rowsOf(table), rowsOf(table).slice(0, -1)];
const ROWS: Readonly<Record<TableKind, readonly (readonly number[])[]>> = {
  latency: [SEVEN],
  wakeup: [FOUR, [20, ...FOUR], SEVEN, rowsOf("wakeup"), rowsOf("pipe")],
  request: [FOUR, [20, ...FOUR], SEVEN, rowsOf("request")],
  rps: [[20, 50, 90], [20, ...FOUR], FOUR, SEVEN, rowsOf("rps")],
  response: [FOUR, [50, 90, 99], [20, ...FOUR], ...ours("response")],
};

const sameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Upstream printed a count that cannot be, so the value is none either. */
const isUncomputed = (row: Row): boolean => row.shape.counted && row.samples === null;

const soundRows = ({ rows }: OpenTable): readonly Row[] => rows.filter((row) => !isUncomputed(row));

const checkRows = (table: OpenTable, source: string): readonly Warning[] => {
  const { rows, kind, line, header } = table;
  const percentiles = rows.map((row) => row.percentile);
  if (!ROWS[kind].some((list) => sameList(list, percentiles))) {
    const complete = ROWS[kind].find((list) => percentiles.every((percentile) => list.includes(percentile)));
    const missing = complete?.filter((percentile) => !percentiles.includes(percentile)) ?? [];
    const what = missing.length === 0 ? "has unknown rows" : `lacks its rows ${missing.join(", ")}`;
    throw new ParseError(`the ${kind} table is damaged: it ${what}`, source, line);
  }
  if (rows.some((row) => row.shape.counted !== rows[0]?.shape.counted))
    throw new ParseError(`the ${kind} table is damaged: only some rows have a sample count`, source, line);
  if (header !== null && header.total !== null && rows.some((row) => !row.shape.counted))
    throw new ParseError(`the ${kind} table is damaged: its rows have no sample counts`, source, line);
  // A header with a run time has had a total for as long as rows have had counts.
  if (header !== null && header.runtimeSec !== null && !header.counted && rows.some((row) => row.shape.counted))
    throw new ParseError(`the ${kind} table is damaged: its header has no total of samples`, source, line);
  let before = 0;
  for (const row of soundRows(table)) {
    if (row.value < before)
      throw new ParseError(
        `contradiction: percentile ${row.percentile} (${row.value}) is below the one before it`,
        source,
        row.line,
      );
    before = row.value;
  }
  return rows.filter(isUncomputed).map(({ percentile }) => ({
    code: "percentile-not-computed",
    message: `the ${kind} percentile ${percentile} was left out: upstream printed it with an impossible sample count, having read its histogram while it changed`,
    cure: null,
  }));
};

const checkTotal = (table: OpenTable, source: string): readonly Warning[] => {
  const total = table.header?.total ?? null;
  if (total === null) return [];
  const counted = table.rows.reduce((sum, row) => sum + (row.samples ?? 0), 0);
  if (counted <= total) return [];
  if (counted - total > racingSamples(total))
    throw new ParseError(
      `contradiction: the rows count ${counted} samples, the header ${total} in total`,
      source,
      table.line,
    );
  return [
    {
      code: "samples-do-not-add-up",
      message: `the ${table.kind} table counts ${counted} samples in its rows and ${total} in total: it was read while threads were recording`,
      cure: null,
    },
  ];
};

const checkExtremes = (
  table: OpenTable,
  { min, max }: Extremes,
  { source, line }: { readonly source: string; readonly line: number },
): readonly Warning[] => {
  if (min !== null && max !== null && min > max)
    throw new ParseError(`contradiction: the minimum ${min} is above the maximum ${max}`, source, line);
  const wrong = max === null ? undefined : soundRows(table).find((row) => row.value > bucketSlack(max));
  if (wrong !== undefined)
    throw new ParseError(
      `contradiction: percentile ${wrong.percentile} (${wrong.value}) is above the maximum ${max}`,
      source,
      wrong.line,
    );
  return [minimumDoubt(table.kind, min, table.rows) ?? []].flat();
};

const isEmpty = (table: OpenTable, { max }: Extremes, source: string): boolean => {
  if (table.header?.total !== 0) return false;
  if ((max ?? 0) > 0 || table.rows.some((row) => row.value > 0))
    throw new ParseError(`contradiction: the ${table.kind} table has values but 0 total samples`, source, table.line);
  return true;
};

const UNITS = { latency: "usec", wakeup: "usec", request: "usec", response: "usec", rps: "requests/s" } as const;

const common = (table: OpenTable) => ({
  kind: table.kind,
  line: table.line,
  runtimeSec: table.header?.runtimeSec ?? null,
  headed: table.header !== null,
  oldName: table.header?.oldName ?? false,
});

/** A table that ends with its line of minimum and maximum. */
export const closedTable = (
  table: OpenTable,
  extremes: Extremes,
  { source, line }: { readonly source: string; readonly line: number },
): TextTable => {
  const warnings = [
    ...checkRows(table, source),
    ...checkTotal(table, source),
    ...checkExtremes(table, extremes, { source, line }),
  ];
  const star = table.rows.find((row) => row.starred) ?? table.rows[0];
  return {
    ...common(table),
    distribution: isEmpty(table, extremes, source)
      ? null
      : {
          unit: UNITS[table.kind],
          samples: table.header?.total ?? null,
          min: extremes.min,
          max: extremes.max,
          percentiles: soundRows(table).map(({ percentile, value, samples }) => ({ percentile, value, samples })),
          buckets: null,
        },
    own: false,
    over: extremes.over,
    shape: star?.shape ?? null,
    warnings,
  };
};

/** A table of ours that says in place of its rows that there are none. */
export const rowlessTable = (table: OpenTable): TextTable => ({
  ...common(table),
  distribution: null,
  own: true,
  over: false,
  shape: null,
  warnings: [],
});
