/**
 * The reader of reports as a function: where it stands and what a line says give where it stands next. Which reports make
 * up one run is for text-runs.ts to say; here it is only seen that each is complete.
 */
import type { Transfer } from "../../model/result/run-result.js";
import { closed, settled } from "./closed-report.js";
import type { Token } from "./line-tokens.js";
import {
  type AfterReport,
  amended,
  type Between,
  hasTables,
  type Place,
  refuse,
  runtimeOf,
  START,
  type State,
  type Step,
  type TextReport,
  to,
  type TokenOf,
} from "./report-state.js";
import { inTable, isPipeTable, onHeader, onRow } from "./table-steps.js";

const MODERN = { kind: "modern" } as const;

/** Whether a wakeup table alone makes a report of pipe mode; seven rows are an old one's, printed in today's layout. */
const isPipeReport = ({ tables }: TextReport): boolean => {
  const { wakeup } = tables;
  if (wakeup === undefined || Object.keys(tables).length > 1) return false;
  return wakeup.distribution === null || isPipeTable(wakeup) || wakeup.distribution.percentiles.length === 7;
};

const onRate = (state: Between, { of, rps }: TokenOf<"rate">, place: Place): Step => {
  const { source } = place;
  if (of === "plain") {
    if (state.kind === "in-report") return closed(state, { by: of, change: { end: "unsaid", rps }, source });
    return state.kind === "after-report" && hasTables(state.report, "latency") ? amended(state, { rps }) : to(state);
  }
  if (state.kind !== "in-report") return refuse(`"${of} rps" without a table before it`, place);
  if (of === "average") return closed(state, { by: of, change: { end: "final", rps }, source });
  if (runtimeOf(state.report) === null)
    refuse("an interval report without a run time in its headers", { ...place, line: state.report.line });
  return closed(state, { by: of, change: { end: "interval", rps }, source });
};

/** Since 2025 the goal of -A closes the report; in 2023 each message thread printed its own before the tables. */
const onGoal = (state: Between, { perSec }: TokenOf<"goal">, { source }: Place): Step => {
  if (state.kind === "in-report" && state.goals.length === 0)
    return closed(state, { by: "goal", change: { goalPerSec: perSec }, source });
  const { state: before, done } = settled(state, source);
  return { state: { ...before, goals: [...before.goals, perSec] }, done };
};

const onSchedDelay = (state: Between, delay: TokenOf<"sched-delay">, place: Place): Step => {
  const schedDelay = { messageUsec: delay.messageUsec, workerUsec: delay.workerUsec };
  if (state.kind === "in-report") return to({ ...state, report: { ...state.report, schedDelay } });
  if (state.kind === "after-report" && state.report.end === "final" && state.report.schedDelay === null)
    return amended(state, { schedDelay });
  return refuse("a sched delay without the report that belongs before it", place);
};

const transferOf = ({ ops, bytes }: TokenOf<"transfer">): Transfer | null =>
  ops === null || bytes === null
    ? null
    : { opsPerSecPerWorker: ops, bytesPerSecPerWorker: bytes, opsPerSecTotal: null, bytesPerSecTotal: null };

/** Pipe mode closes with its transfer rate; from 10 to 13 April 2023 a rate of requests followed. */
const onTransfer = (state: Between, token: TokenOf<"transfer">, place: Place): Step => {
  const change = { transfer: transferOf(token), isPipe: true };
  if (state.kind === "after-report" && hasTables(state.report, "latency")) return amended(state, change);
  if (state.kind !== "in-report") return refuse("a transfer rate without its table", place);
  const report: TextReport = { ...state.report, ...change };
  return isPipeReport(report) ? to({ kind: "after-report", report }) : to({ ...state, report });
};

/** Lines that may follow a complete report; elsewhere they are foreign. */
const onLateLine = (state: AfterReport, token: TokenOf<"rate-summary" | "never-hit" | "own">): Step => {
  if (token.kind === "own") return amended(state, { own: true });
  if (token.kind === "never-hit") return amended(state, { neverHit: true, targetPercent: token.targetPercent });
  return hasTables(state.report, "latency") ? amended(state, { rps: token.rps, hasRateSummary: true }) : to(state);
};

const between = (state: Between, token: Token, place: Place): Step => {
  switch (token.kind) {
    case "header":
      return onHeader(state, token, place);
    case "row":
      return onRow(state, token, place);
    case "extremes":
      return refuse("a line of min and max without a table", place);
    case "rate":
      return onRate(state, token, place);
    case "goal":
      return onGoal(state, token, place);
    case "sched-delay":
      return onSchedDelay(state, token, place);
    case "transfer":
      return onTransfer(state, token, place);
    case "command":
    case "start": {
      const { done } = settled(state, place.source);
      const words = token.kind === "command" ? token.words : null;
      return { state: START, done: [...done, { kind: "start", line: place.line, words }] };
    }
    case "modern": {
      const { state: next, done } = state.kind === "after-report" ? settled(state, place.source) : to(state);
      return { state: next, done: [...done, MODERN] };
    }
    case "rate-summary":
    case "never-hit":
    case "own":
      return state.kind === "after-report" ? onLateLine(state, token) : to(state);
    case "no-rows":
      break;
  }
  return to(state);
};

/** Where a line leads. Throws ParseError for what is damaged, cut off or contradicts itself. */
export const stepOf = (state: State, token: Token, place: Place): Step =>
  state.kind === "in-table" ? inTable(state, token, place) : between(state, token, place);

/** Where a line leads that is not schbench's: nowhere, but it may part what would be one report. */
export const stepAside = (state: State): State => (state.kind === "in-report" ? { ...state, parted: true } : state);
