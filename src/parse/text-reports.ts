/**
 * The reports of a text, in order: each with its tables and the lines that belong to it. Which of them make up one run
 * is for text-runs.ts to say; here it is only seen that each is complete.
 */
import { ParseError } from "../errors.js";
import type { SchedDelay, Transfer } from "../model/run-result.js";
import type { SourceLine } from "./clean-lines.js";
import type { CommandWords } from "./command-words.js";
import { type TableKind, type Token, tokenOf } from "./line-tokens.js";
import { closedTable, type OpenTable, rowlessTable, type TextTable } from "./text-table.js";

/** One report; `unsaid`: its shape does not tell an interval report from a final one. */
export interface TextReport {
  readonly line: number;
  readonly end: "interval" | "final" | "unsaid";
  /** `latency` in the time of one table, else the others. */
  readonly tables: Partial<Readonly<Record<TableKind, TextTable>>>;
  readonly rps: number | null;
  readonly goalPerSec: number | null;
  readonly neverHit: boolean;
  readonly targetPercent: number | null;
  readonly schedDelay: SchedDelay | null;
  readonly transfer: Transfer | null;
  /** It ends with a transfer line, with or without numbers. */
  readonly isPipe: boolean;
  /** It has the summary line of the old rate mode. */
  readonly hasRateSummary: boolean;
  /** It says that it is ours. */
  readonly own: boolean;
}

/** What a text consists of, as far as it is schbench's; lines are those of the source. */
export type TextEvent =
  | { readonly kind: "report"; readonly report: TextReport }
  /** A line that stands at the start of a run, with the command line if it shows one. */
  | { readonly kind: "start"; readonly line: number; readonly words: CommandWords | null }
  /** A line that only versions since May 2025 print. */
  | { readonly kind: "modern" };

const newReport = (table: TextTable): TextReport => ({
  line: table.line,
  end: table.kind === "latency" ? "unsaid" : "final",
  tables: { [table.kind]: table },
  rps: null,
  goalPerSec: null,
  neverHit: false,
  targetPercent: null,
  schedDelay: null,
  transfer: null,
  isPipe: false,
  hasRateSummary: false,
  own: table.own,
});

const transferOf = (token: Extract<Token, { kind: "transfer" }>): Transfer | null =>
  token.ops === null || token.bytes === null
    ? null
    : {
        opsPerSecPerWorker: token.ops,
        bytesPerSecPerWorker: token.bytes,
        opsPerSecTotal: null,
        bytesPerSecTotal: null,
      };

/** Lines that may stand between the header of a table and its end. */
const WITHIN_TABLE: ReadonlySet<Token["kind"]> = new Set(["header", "row", "extremes", "no-rows", "modern"]);

/** Pipe mode is the only one whose wakeup table shows the 20th percentile. */
const isPipeTable = (table: TextTable | undefined): boolean => table?.distribution?.percentiles[0]?.percentile === 20;

/** Whether a transfer line may follow; seven rows are those of an old pipe run, printed in today's layout. */
const mayBePipe = (table: TextTable | undefined): boolean =>
  table !== undefined &&
  (table.distribution === null || isPipeTable(table) || table.distribution.percentiles.length === 7);

/** Reads the lines of one text; throws ParseError for what is damaged, cut off or contradicts itself. */
export const readReports = (lines: readonly SourceLine[], source: string): readonly TextEvent[] => {
  const events: TextEvent[] = [];
  /** The table whose rows are being read. */
  let open: OpenTable | null = null;
  /** The report whose closing line was not seen yet. */
  let pending: TextReport | null = null;
  /** Goals that each message thread of 2023 printed before the tables. */
  let goals: number[] = [];

  const fail = (message: string, line: number): never => {
    throw new ParseError(message, source, line);
  };
  const emit = (report: TextReport) => {
    events.push({ kind: "report", report });
    pending = null;
  };
  /** The last report, when nothing but foreign lines came after it. */
  const last = (): TextReport | null => {
    const event = events.at(-1);
    return pending === null && event?.kind === "report" ? event.report : null;
  };
  const amend = (change: Partial<TextReport>) => {
    const report = last();
    if (report !== null) events[events.length - 1] = { kind: "report", report: { ...report, ...change } };
  };
  const totalGoal = (): number | null => (goals.length === 0 ? null : goals.reduce((sum, goal) => sum + goal, 0));
  const has = (...kinds: TableKind[]): boolean => kinds.every((kind) => pending?.tables[kind] !== undefined);

  /** Before something new begins: what was begun must be complete. */
  const settle = () => {
    if (open !== null)
      fail(`the ${open.kind} table that starts here is cut off: it has no line of min and max`, open.line);
    if (pending === null) return;
    if (goals.length > 0 && has("wakeup", "request", "rps")) {
      emit({ ...pending, goalPerSec: totalGoal() });
      goals = [];
    } else
      fail(
        has("wakeup", "request", "rps")
          ? 'the report that starts here is cut off: its line "average rps" is missing'
          : "the report that starts here is cut off: tables or closing lines are missing",
        pending.line,
      );
  };

  const close = (table: TextTable) => {
    open = null;
    if (table.kind === "response") {
      if (last()?.end !== "final") fail("a table of response latencies without a report before it", table.line);
      const tables = { ...last()?.tables, response: table };
      amend({ tables });
    } else if (table.kind === "latency") {
      emit({ ...newReport(table), goalPerSec: totalGoal() });
      goals = [];
    } else if (pending === null) pending = newReport(table);
    else {
      const known = Object.values(pending.tables)[0];
      if (known !== undefined && known.runtimeSec !== table.runtimeSec)
        fail(
          `contradiction: the tables of one report say runtime ${known.runtimeSec ?? "unknown"} and ${table.runtimeSec ?? "unknown"}`,
          table.line,
        );
      pending = { ...pending, own: pending.own || table.own, tables: { ...pending.tables, [table.kind]: table } };
    }
  };

  const begin = (token: Extract<Token, { kind: "header" }>, line: number) => {
    if (open !== null) settle();
    const follows =
      (token.table === "request" && has("wakeup") && !has("request") && !isPipeTable(pending?.tables.wakeup)) ||
      (token.table === "rps" && has("wakeup", "request") && !has("rps"));
    if (token.table === "request" || token.table === "rps") {
      if (!follows)
        fail(`a ${token.table} table without the tables that belong before it: the output is cut off`, line);
    } else settle();
    open = { kind: token.table, header: token, line, rows: [] };
  };

  const handle = (token: Token, line: number) => {
    if (open !== null && !WITHIN_TABLE.has(token.kind)) settle();
    switch (token.kind) {
      case "header":
        return begin(token, line);
      case "row": {
        if (open === null) {
          if (pending !== null || token.percentile !== 50) fail("a row of percentiles without a header", line);
          open = { kind: "latency", header: null, line, rows: [] };
        }
        open = { ...open, rows: [...open.rows, { ...token, line }] };
        return;
      }
      case "extremes":
        return open === null
          ? fail("a line of min and max without a table", line)
          : close(closedTable(open, token, source, line));
      case "no-rows":
        if (open !== null) close(rowlessTable(open));
        return;
      case "rate":
        return rate(token, line);
      case "rate-summary":
        return last()?.tables.latency === undefined ? undefined : amend({ rps: token.rps, hasRateSummary: true });
      case "goal":
        if (pending !== null && has("wakeup", "request", "rps")) return emit({ ...pending, goalPerSec: token.perSec });
        settle();
        goals = [...goals, token.perSec];
        return;
      case "never-hit":
        return amend({ neverHit: true, targetPercent: token.targetPercent });
      case "sched-delay":
        return schedDelay(token, line);
      case "transfer": {
        const table = pending?.tables.wakeup;
        if (pending !== null && !has("request") && mayBePipe(table))
          return emit({ ...pending, transfer: transferOf(token), isPipe: true });
        if (last()?.tables.latency !== undefined) return amend({ transfer: transferOf(token), isPipe: true });
        return fail("a transfer rate without its table", line);
      }
      case "command":
      case "start":
        settle();
        goals = [];
        events.push({ kind: "start", line, words: token.kind === "command" ? token.words : null });
        return;
      case "modern":
        events.push({ kind: "modern" });
        return;
      case "own":
        return amend({ own: true });
    }
  };

  const rate = (token: Extract<Token, { kind: "rate" }>, line: number) => {
    if (token.of === "plain") {
      if (pending !== null && has("wakeup", "request")) emit({ ...pending, end: "unsaid", rps: token.rps });
      else if (last()?.tables.latency !== undefined) amend({ rps: token.rps });
      return;
    }
    const complete = token.of === "current" ? has("wakeup", "request") : has("wakeup", "request", "rps");
    if (pending === null || !complete) {
      fail(`"${token.of} rps" without the tables that belong before it: the output is cut off`, line);
      return;
    }
    if (token.of === "current" && pending.tables.wakeup?.runtimeSec === null)
      fail("an interval report without a run time in its headers", pending.line);
    emit({ ...pending, end: token.of === "current" ? "interval" : "final", rps: token.rps });
  };

  const schedDelay = ({ messageUsec, workerUsec }: Extract<Token, { kind: "sched-delay" }>, line: number) => {
    const report = last();
    if (pending !== null) pending = { ...pending, schedDelay: { messageUsec, workerUsec } };
    else if (report !== null && report.end === "final" && report.schedDelay === null)
      amend({ schedDelay: { messageUsec, workerUsec } });
    else fail("a sched delay without the report that belongs before it: the output is cut off", line);
  };

  for (const { text, number } of lines) {
    const token = tokenOf(text);
    if (token === null) continue;
    if (token.kind === "damaged") throw new ParseError(token.reason, source, number);
    handle(token, number);
  }
  settle();
  return events;
};
