/** JSON values in a text that may hold other things as well: prompts, reports, one value per line. */

import { messageOf } from "../../errors.js";

const UNESCAPED = "upstream does not escape quotes and backslashes of job name and command line: fix these by hand";

/** A JSON value and where it stands; `end` is the offset behind it. */
export interface FoundJson {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Where the string that begins at a quote ends: behind its last quote; null: cut off. */
const stringEnd = (text: string, quote: number): number | null => {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes stands for themselves.
    if ((end - 1 - before) % 2 === 0) return end + 1;
  }
  return null;
};

/** Told of a bracket that closes (where it opened, and the offset behind it), and of those that never do (null). */
type OnBracket = (open: number, end: number | null) => void;

/** The end of the object or array that starts at `start`, by counting brackets outside of strings; null: cut off. */
const balancedEnd = (text: string, start: number, onBracket?: OnBracket): number | null => {
  const open: number[] = [];
  const cutOff = (): null => {
    for (const bracket of open) onBracket?.(bracket, null);
    return null;
  };
  let position = start;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      const end = stringEnd(text, position);
      if (end === null) return cutOff();
      position = end;
      continue;
    }
    if (code === OPEN_OBJECT || code === OPEN_LIST) open.push(position);
    position++;
    if (code !== CLOSE_OBJECT && code !== CLOSE_LIST) continue;
    const bracket = open.pop();
    if (bracket !== undefined) onBracket?.(bracket, position);
    if (open.length === 0) return position;
  }
  return cutOff();
};

/** As `balancedEnd`, for one text. */
export type BracketEnds = (start: number) => number | null;

/**
 * Ends in one text. What is cut off is gone through to the end of the text: all that opens within it is remembered then, or a long
 * text with many brackets, such as a program, would be gone through for each of them.
 */
export const bracketEnds = (text: string): BracketEnds => {
  const known = new Map<number, number | null>();
  return (start) => {
    const end = known.get(start);
    if (end !== undefined) return end;
    const found = balancedEnd(text, start);
    if (found === null) balancedEnd(text, start, (open, behind) => known.set(open, behind));
    return found;
  };
};

const parsedAt = (text: string, start: number, end: number): FoundJson | null => {
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return { value, start, end };
  } catch {
    return null;
  }
};

/** More white space than this does not end a text. */
const TAIL_CHARACTERS = 100;

/** The value that is all of a line, as in NDJSON, or all the rest of a text: the parser itself finds its end. null: neither. */
const valueAlone = (text: string, start: number): FoundJson | null => {
  const lineEnd = text.indexOf("\n", start);
  const ofLine = lineEnd >= 0 && /[}\]]\r?$/.test(text.slice(Math.max(start, lineEnd - 2), lineEnd));
  const ofText = /[}\]]\s*$/.test(text.slice(-TAIL_CHARACTERS));
  return (ofLine ? parsedAt(text, start, lineEnd) : null) ?? (ofText ? parsedAt(text, start, text.length) : null);
};

/** Whether a text that starts with a brace is meant as one of the JSON layouts, damaged or not. */
const looksLikeOurs = (text: string): boolean =>
  /^\{\s*"(?:normal|schbench|schbench_ts|int)"\s*:|^\{[^{}]*"format"\s*:\s*"schbench-ts\//.test(text.slice(0, 300));

/** What the parser says, without the line and column within the object that newer versions of Node add. */
const complaintOf = (error: unknown): string => messageOf(error).replace(/ \(line \d+ column \d+\)$/u, "");

/** What stands at an offset: a value, damage (with the parser's message), or nothing that is JSON. */
export const jsonAt = (
  text: string,
  start: number,
  endOf: BracketEnds = bracketEnds(text),
): FoundJson | { readonly damage: string } | null => {
  const alone = valueAlone(text, start);
  if (alone !== null) return alone;
  const ours = looksLikeOurs(text.slice(start, start + 300));
  const end = endOf(start);
  if (end === null)
    return ours ? { damage: `the JSON object that starts here is cut off or invalid (${UNESCAPED})` } : null;
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return { value, start, end };
  } catch (error) {
    return ours ? { damage: `invalid JSON: ${complaintOf(error)} (${UNESCAPED})` } : null;
  }
};

/** Whether an object, or an array of objects, may start at an offset. */
export const mayStartJson = (text: string, start: number): boolean =>
  text.charAt(start) === "{" || (text.charAt(start) === "[" && /^\[\s*\{/.test(text.slice(start, start + 1000)));
