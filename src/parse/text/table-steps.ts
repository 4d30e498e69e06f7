/** Where the lines of a table lead: its header, its rows, and its end, with which it becomes part of a report. */
import { settled } from "./closed-report.js";
import type { TableKind, Token } from "./line-tokens.js";
import {
  amended,
  type Between,
  goalBefore,
  type InTable,
  newReport,
  type Outside,
  type Place,
  refuse,
  runtimeOf,
  START,
  type Step,
  TABLE_ORDER,
  type TextReport,
  to,
  type TokenOf,
} from "./report-state.js";
import { closedTable, rowlessTable, type TextTable } from "./text-table.js";

const MODERN = { kind: "modern" } as const;

/** Pipe mode since 13 April 2023 is the only one whose wakeup table shows the 20th percentile. */
export const isPipeTable = (table: TextTable | undefined): boolean =>
  table?.distribution?.percentiles[0]?.percentile === 20;

/** Whether a table of this kind goes on with the report: it stands behind all tables that the report has. */
const goesOn = ({ tables }: TextReport, kind: TableKind): boolean => {
  const place = TABLE_ORDER.findIndex((other) => other === kind);
  return (
    !isPipeTable(tables.wakeup) && TABLE_ORDER.slice(Math.max(place, 0)).every((later) => tables[later] === undefined)
  );
};

/** Where the header of a table leads. */
export const onHeader = (state: Between, header: TokenOf<"header">, place: Place): Step => {
  const { table: kind } = header;
  const table = { kind, header, line: place.line, rows: [] };
  if (kind === "response" && state.kind === "after-report") return to({ kind: "in-table", table, around: state });
  if (state.kind === "in-report" && goesOn(state.report, kind)) return to({ kind: "in-table", table, around: state });
  const mayBelong = kind === "request" || kind === "rps";
  if (mayBelong && state.kind === "after-report" && state.report.tables.latency?.headed === false)
    refuse(`a ${kind} table after a table without a header, which may belong to it`, place);
  const { state: around, done } = settled(state, place.source);
  return { state: { kind: "in-table", table, around }, done };
};

/** A list of percentiles may lack its header, as in a retyped one of the time before April 2023. */
export const onRow = (state: Between, row: TokenOf<"row">, place: Place): Step => {
  if (state.kind === "in-report" || row.percentile !== 50) refuse("a row of percentiles without a header", place);
  const { state: around, done } = settled(state, place.source);
  const table = { kind: "latency", header: null, line: place.line, rows: [{ ...row, line: place.line }] } as const;
  return { state: { kind: "in-table", table, around }, done };
};

/** A complete table as part of what stands around it. */
const withTable = (around: InTable["around"], table: TextTable, place: Place): Step => {
  if (table.kind === "response") {
    if (around.kind !== "after-report" || around.report.end !== "final")
      return refuse("a table of response latencies without a report before it", { ...place, line: table.line });
    return amended(around, { tables: { ...around.report.tables, response: table } });
  }
  if (around.kind === "in-report") {
    const known = runtimeOf(around.report);
    if (known !== table.runtimeSec)
      refuse(
        `contradiction: the tables of one report say runtime ${known ?? "unknown"} and ${table.runtimeSec ?? "unknown"}`,
        { ...place, line: table.line },
      );
    const { report } = around;
    const tables = { ...report.tables, [table.kind]: table };
    return to({ ...around, report: { ...report, own: report.own || table.own, tables } });
  }
  const before: Outside = around.kind === "outside" ? around : START;
  const report = newReport(table);
  return table.kind === "latency"
    ? to({ kind: "after-report", report: { ...report, goalPerSec: goalBefore(before) } })
    : to({ kind: "in-report", report, goals: before.goals, parted: false });
};

/** Where a line leads while the rows of a table are being read. */
export const inTable = (state: InTable, token: Token, place: Place): Step => {
  const { table, around } = state;
  if (token.kind === "row")
    return to({ ...state, table: { ...table, rows: [...table.rows, { ...token, line: place.line }] } });
  if (token.kind === "extremes") return withTable(around, closedTable(table, token, place), place);
  if (token.kind === "no-rows") return withTable(around, rowlessTable(table), place);
  return token.kind === "modern" ? { state, done: [MODERN] } : settled(state, place.source);
};
