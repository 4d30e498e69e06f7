/** JSON values in a text that may hold other things as well: prompts, reports, one value per line. */

import { messageOf } from "../errors.js";

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

/** The end of the object or array that starts at `start`, by counting brackets outside of strings; null: cut off. */
const balancedEnd = (text: string, start: number): number | null => {
  let depth = 0;
  let position = start;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      const end = stringEnd(text, position);
      if (end === null) return null;
      position = end;
      continue;
    }
    position++;
    if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --depth === 0) return position;
  }
  return null;
};

const parsedAt = (text: string, start: number, end: number): FoundJson | null => {
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return { value, start, end };
  } catch {
    return null;
  }
};

/** The value that is all of a line, as in NDJSON, or all the rest of a text: the parser itself finds its end. null: neither. */
const valueAlone = (text: string, start: number): FoundJson | null => {
  const lineEnd = text.indexOf("\n", start);
  const ofLine = lineEnd >= 0 && /[}\]]\r?$/.test(text.slice(Math.max(start, lineEnd - 2), lineEnd));
  return (ofLine ? parsedAt(text, start, lineEnd) : null) ?? parsedAt(text, start, text.length);
};

/** Whether a text that starts with a brace is meant as one of the JSON layouts, damaged or not. */
const looksLikeOurs = (text: string): boolean =>
  /^\{\s*"(?:normal|schbench|schbench_ts|int)"\s*:|^\{[^{}]*"format"\s*:\s*"schbench-ts\//.test(text.slice(0, 300));

/** What the parser says, without the line and column within the object that newer versions of Node add. */
const complaintOf = (error: unknown): string => messageOf(error).replace(/ \(line \d+ column \d+\)$/u, "");

/** What stands at an offset: a value, damage (with the parser's message), or nothing that is JSON. */
export const jsonAt = (text: string, start: number): FoundJson | { readonly damage: string } | null => {
  const alone = valueAlone(text, start);
  if (alone !== null) return alone;
  const ours = looksLikeOurs(text.slice(start, start + 300));
  const end = balancedEnd(text, start);
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
