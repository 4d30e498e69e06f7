/**
 * What a line of a post says: a line of schbench, alone or with a person's remark behind it. A remark follows a complete
 * line. Where the line could go on (a value without a count), it must begin as remarks do and numbers do not: a digit that
 * was torn off is damage, never a remark.
 */
import { commandIn } from "../result/command-words.js";
import { damageOf, type Damage, exactToken, looksLikeOurs, type Token } from "./line-tokens.js";

/** A line that was read; `remark` is null when schbench wrote all of it. */
export interface ReadLine {
  readonly token: Token;
  readonly remark: string | null;
}

/** Longer lines are no rows, and trying every blank in them would take long. */
const LONGEST = 400;
/** What schbench itself prints: behind a line of its own it is the rest of a damaged one, or another run's. */
const OURS =
  /\d\.\d+th\b|percentiles? \(|\d\s*(?:total|sam)|\bruntime\s+\d|\bmin=\d|\bmax=\d|\brps: |\(usec\)|\bcputime\b|^p\d|ops\/sec/iu;
/**
 * How a remark begins behind a number that could go on: a comment's sign, an arrow, a word in brackets, a change in percent.
 * A sign before digits could be what damage made of a digit.
 */
const SIGN = /^(?:(?:#|\/\/|<[-=]|[-=]>|--|[;!←→⇐⇒])(?![-=<>\s]*\d)|[([]\p{L}|[([]?[-+±−]\d+(?:\.\d+)? ?%)/u;
/** Digits alone, or between bars, are a second column, not a remark. */
const SAYS_SOMETHING = /[\p{L}\p{So}#!?%…<>^~+=←→⇐⇒]/u;
const NUMBER_FIRST = /^[.,]?\d[\d.,]*(?:\s|$)/;

/** What may have a remark behind it, and which of it ends so that nothing can be missing. */
const MAY_HAVE_REMARK: Readonly<Partial<Record<Token["kind"], "closed" | "open">>> = {
  header: "open",
  row: "open",
  extremes: "open",
  goal: "open",
  rate: "closed",
  "rate-summary": "closed",
  "sched-delay": "closed",
  transfer: "closed",
};

/** Whether nothing can be missing at the end of the line; a count closes what would be open without it. */
const isClosed = (token: Token): boolean =>
  (token.kind === "row" && token.shape.counted) ||
  (token.kind === "header" && token.counted) ||
  MAY_HAVE_REMARK[token.kind] === "closed";

const isRemark = (token: Token, text: string): boolean => {
  if (OURS.test(text)) return false;
  return isClosed(token) ? SAYS_SOMETHING.test(text) && !NUMBER_FIRST.test(text) : SIGN.test(text);
};

/** The longest line of schbench that the text begins with, when what follows is a remark. */
const remarkedLine = (line: string): ReadLine | null => {
  if (line.length > LONGEST) return null;
  for (const { index } of [...line.matchAll(/\s+/g)].toReversed()) {
    const token = exactToken(line.slice(0, index));
    if (token === null || MAY_HAVE_REMARK[token.kind] === undefined) continue;
    const remark = line.slice(index).trim();
    return isRemark(token, remark) ? { token, remark } : null;
  }
  return null;
};

/** What a line without its wrapping says; null for a foreign one. */
export const readLine = (line: string): ReadLine | Damage | null => {
  const exact = exactToken(line);
  if (exact !== null) return { token: exact, remark: null };
  const ours = looksLikeOurs(line);
  const remarked = ours ? remarkedLine(line) : null;
  if (remarked !== null) return remarked;
  const words = commandIn(line);
  if (words !== null) return { token: { kind: "command", words }, remark: null };
  return ours ? damageOf(line) : null;
};
