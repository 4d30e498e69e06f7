/**
 * What one line of schbench says. A line that is not schbench's is foreign and skipped; a line that looks like schbench's
 * but is damaged is an error, since skipping it would lose numbers.
 */
import { at } from "../../at.js";
import { NEVER_HIT, NOT_AVAILABLE, OWN_MARK } from "../../text/schbench-text.js";
import { NO_SAMPLES, NOT_REPORTED } from "../../text/percentile-table.js";
import type { CommandWords } from "../result/command-words.js";
import { quoted } from "./notes.js";

/** The tables, by what they measure; `latency` is the one table of the time before April 2023. */
export type TableKind = "latency" | "wakeup" | "request" | "rps" | "response";

/** What the shape of a header or row says about its age. */
export interface RowShape {
  readonly decimals: number;
  readonly starGap: boolean;
  readonly counted: boolean;
}

/** One meaningful line. */
export type Token =
  | {
      readonly kind: "header";
      readonly table: TableKind;
      readonly oldName: boolean;
      readonly runtimeSec: number | null;
      /** Its total of samples; null also where it is a number that cannot be. */
      readonly total: number | null;
      readonly counted: boolean;
    }
  | {
      readonly kind: "row";
      readonly percentile: number;
      readonly value: number;
      readonly samples: number | null;
      readonly starred: boolean;
      readonly shape: RowShape;
    }
  | { readonly kind: "extremes"; readonly min: number | null; readonly max: number | null; readonly over: boolean }
  | { readonly kind: "no-rows"; readonly reported: boolean }
  | { readonly kind: "rate"; readonly of: "current" | "average" | "plain"; readonly rps: number | null }
  | { readonly kind: "rate-summary"; readonly rps: number }
  | { readonly kind: "goal"; readonly perSec: number }
  | { readonly kind: "never-hit"; readonly targetPercent: number | null }
  | { readonly kind: "sched-delay"; readonly messageUsec: number | null; readonly workerUsec: number | null }
  | { readonly kind: "transfer"; readonly ops: number | null; readonly bytes: number | null }
  | { readonly kind: "command"; readonly words: CommandWords }
  | { readonly kind: "start" }
  | { readonly kind: "modern" }
  | { readonly kind: "own" };

/** A line that cannot be read: the reason, for the error. */
export interface Damage {
  readonly kind: "damaged";
  readonly reason: string;
}

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const HEADER =
  /^(?:(Latency)|(Wakeup|Request) (latency|Latencies)|(RPS)|(Response) Latencies) percentiles \((?:usec|requests)\)(?: runtime (\d+) \(s\))?(?: \((\d+) total samples\))?$/;
const ROW = /^(\*( ?))?\s*(\d{1,3}\.(\d{1,4}))th: (\d+)(?:\s+\((\d+) samples\))?$/;
const EXTREMES = /^(?:(Over)=\d+, )?min=(\d+|-), max=(\d+|-)$/;
const RATE = new RegExp(String.raw`^(?:(current|average) )?rps: (\d+\.\d{2}|-?nan|inf|${NOT_AVAILABLE})$`);
const SUMMARY =
  /^(?:avg )?rps: (\d+\.\d{2}) (?:p95 \(usec\) \d+ p99 \(usec\) \d+(?: p95\/cputime \S+%)?)?\s*(?:p99\/cputime \S+%)?$/;
const GOAL = /^final rps (?:goal )?was (\d+(?:\.\d+)?)$/;
const DELAY = /^sched delay: message (\d+|-) \(usec\) worker (\d+|-) \(usec\)$/;
const TRANSFER = /^avg worker transfer: (\d+\.\d{2}) ops\/sec (\d+\.\d{2})(B|KB|MB|GB|TB|PB|EB)\/s$/;
const MODERN = /^(?:auto pinning message and worker threads|Pinning to message thread index \d+ cpu \d+)$/;
const SUSPICIOUS =
  /\d{1,3}\.\d{1,4}th:|percentiles \((?:usec|requests)\)|\bmin=\d+, *max=|^.{0,2}(?:urrent|verage) rps: |^rps: |^final rps (?:goal )?was \d|sched delay: message|worker transfer: /;
const UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];

/** Counts beyond this are differences that ran below zero. */
const LARGEST_COUNT = 2 ** 63;

const countOrNull = (text: string | undefined): number | null => {
  const count = text === undefined ? Number.NaN : Number(text);
  return Number.isNaN(count) || count >= LARGEST_COUNT ? null : count;
};
const orNull = (text: string | undefined): number | null =>
  text === undefined || !/^\d/.test(text) ? null : Number(text);

const header = (line: string): Token | null => {
  const found = HEADER.exec(line);
  if (found === null) return null;
  const [, latency, either, spelling, rps, response, runtime, total] = found;
  const table = latency ? "latency" : rps ? "rps" : response ? "response" : either === "Wakeup" ? "wakeup" : "request";
  return {
    kind: "header",
    table,
    oldName: spelling === "latency",
    runtimeSec: orNull(runtime),
    total: countOrNull(total),
    counted: total !== undefined,
  };
};

const row = (line: string): Token | null => {
  const found = ROW.exec(line);
  if (found === null) return null;
  const [, star, gap, percentile, , value, samples] = found;
  return {
    kind: "row",
    percentile: Number(percentile),
    value: Number(value),
    samples: countOrNull(samples),
    starred: star !== undefined,
    shape: { decimals: at(found, 4).length, starGap: gap === " ", counted: samples !== undefined },
  };
};

const transfer = (line: string): Token | null => {
  if (line === `avg worker transfer: ${NOT_AVAILABLE}`) return { kind: "transfer", ops: null, bytes: null };
  const found = TRANSFER.exec(line);
  if (found === null) return null;
  return { kind: "transfer", ops: orNull(found[1]), bytes: Number(found[2]) * 1024 ** UNITS.indexOf(at(found, 3)) };
};

const matched = (pattern: RegExp, token: (found: RegExpExecArray) => Token) => (line: string) => {
  const found = pattern.exec(line);
  return found === null ? null : token(found);
};

const READERS: readonly ((line: string) => Token | null)[] = [
  row,
  header,
  matched(EXTREMES, ([, over, min, max]) => ({
    kind: "extremes",
    min: orNull(min),
    max: orNull(max),
    over: over !== undefined,
  })),
  matched(RATE, ([, of, rps]) => ({
    kind: "rate",
    of: of === "current" || of === "average" ? of : "plain",
    rps: orNull(rps),
  })),
  matched(SUMMARY, ([, rps]) => ({ kind: "rate-summary", rps: Number(rps) })),
  matched(GOAL, ([, perSec]) => ({ kind: "goal", perSec: Number(perSec) })),
  matched(DELAY, ([, message, worker]) => ({
    kind: "sched-delay",
    messageUsec: orNull(message),
    workerUsec: orNull(worker),
  })),
  transfer,
  matched(new RegExp(`^${NEVER_HIT[0]}(?: of (${NUMBER}) % busy)? ${NEVER_HIT[1]}$`), ([, percent]) => ({
    kind: "never-hit",
    targetPercent: orNull(percent),
  })),
  matched(new RegExp(`^(?:${NO_SAMPLES}|${NOT_REPORTED})$`), ([text]) => ({
    kind: "no-rows",
    reported: text === NO_SAMPLES,
  })),
  matched(new RegExp(`^${OWN_MARK}$`), () => ({ kind: "own" })),
  matched(MODERN, () => ({ kind: "modern" })),
  matched(/^(?:setting worker threads to \d+|split mode: \d+% private .*)$/, () => ({ kind: "start" })),
];

/** What a line says of which schbench wrote every character; null for any other line. */
export const exactToken = (line: string): Token | null => {
  for (const reader of READERS) {
    const token = reader(line);
    if (token !== null) return token;
  }
  return null;
};

/** Whether a line has so much of schbench's that it must be one of its lines, damaged or not. */
export const looksLikeOurs = (line: string): boolean => SUSPICIOUS.test(line);

/** Why a line that looks like schbench's cannot be read. */
export const damageOf = (line: string): Damage => {
  const sideBySide = [/\d\.\d+th:/g, /percentiles \(/g, /\bmin=/g].some(
    (twice) => (line.match(twice) ?? []).length > 1,
  );
  return {
    kind: "damaged",
    reason: sideBySide
      ? "two runs are printed side by side: take them apart, one after the other"
      : `damaged line ${quoted(line)}`,
  };
};
