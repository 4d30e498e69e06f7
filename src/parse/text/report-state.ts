/** What has been read of a text so far, line by line: the states of the reader of reports, each with what is known in it. */
import { ParseError } from "../../errors.js";
import type { SchedDelay, Transfer, Warning } from "../../model/result/run-result.js";
import type { CommandWords } from "../result/command-words.js";
import type { TableKind, Token } from "./line-tokens.js";
import type { OpenTable, TextTable } from "./text-table.js";

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
  /** It has a transfer line, with or without numbers. */
  readonly isPipe: boolean;
  /** It has the summary line of the old rate mode. */
  readonly hasRateSummary: boolean;
  /** It says that it is ours. */
  readonly own: boolean;
  /** Of the report as a whole and of its lines; a table has its own. */
  readonly warnings: readonly Warning[];
}

/** What a text consists of, as far as it is schbench's; lines are those of the source. */
export type TextEvent =
  | { readonly kind: "report"; readonly report: TextReport }
  /** A line that stands at the start of a run, with the command line if it shows one. */
  | { readonly kind: "start"; readonly line: number; readonly words: CommandWords | null }
  /** A line that only versions since May 2025 print. */
  | { readonly kind: "modern" };

/** No report has begun. `goals` are those that each message thread of 2023 printed before the tables. */
export interface Outside {
  readonly kind: "outside";
  readonly goals: readonly number[];
}

/** The rows of a table are being read; `around` is where its end leads back to. */
export interface InTable {
  readonly kind: "in-table";
  readonly table: OpenTable;
  readonly around: Outside | InReport | AfterReport;
}

/** Tables of a report were read, the line that closes it was not seen yet. */
export interface InReport {
  readonly kind: "in-report";
  readonly report: TextReport;
  readonly goals: readonly number[];
  /** Something that is not schbench's stands between its lines. */
  readonly parted: boolean;
}

/** A report is complete; a few lines may still be added to it. */
export interface AfterReport {
  readonly kind: "after-report";
  readonly report: TextReport;
}

/** Where the reader stands. */
export type State = Outside | InTable | InReport | AfterReport;

/** Where no table is open. */
export type Between = Exclude<State, InTable>;

/** What a line of one kind says. */
export type TokenOf<K extends Token["kind"]> = Extract<Token, { kind: K }>;

/** The tables since April 2023, in the order in which a report has them. */
export const TABLE_ORDER = ["wakeup", "request", "rps"] as const satisfies readonly TableKind[];

/** What a line leads to: a state, and what was completed on the way. */
export interface Step<S extends State = State> {
  readonly state: S;
  readonly done: readonly TextEvent[];
}

/** Where a line stands, for errors. */
export interface Place {
  readonly source: string;
  readonly line: number;
}

/** The state before the first line. */
export const START: Outside = { kind: "outside", goals: [] };

/** A step that completes nothing. */
export const to = <S extends State>(state: S): Step<S> => ({ state, done: [] });

/** Refuses the text, naming a line. */
export const refuse = (message: string, { source, line }: Place): never => {
  throw new ParseError(message, source, line);
};

/** A report of one table. */
export const newReport = (table: TextTable): TextReport => ({
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
  warnings: [],
});

/** Whether a report has all of these tables. */
export const hasTables = ({ tables }: TextReport, ...kinds: readonly TableKind[]): boolean =>
  kinds.every((kind) => tables[kind] !== undefined);

/** The run time that a report's tables say, which is the same in all of them; null where none says it. */
export const runtimeOf = ({ tables }: TextReport): number | null => Object.values(tables)[0]?.runtimeSec ?? null;

/** The same, with a change to the report that was completed last. */
export const amended = ({ kind, report }: AfterReport, change: Partial<TextReport>): Step<AfterReport> =>
  to({ kind, report: { ...report, ...change } });

/** What the message threads of 2023 said before the tables, in total; null when they said nothing. */
export const goalBefore = ({ goals }: Outside | InReport): number | null =>
  goals.length === 0 ? null : goals.reduce((sum, goal) => sum + goal, 0);
