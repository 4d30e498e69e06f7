/** JSON values in a text that may hold other things as well: prompts, reports, one value per line. */

import { messageOf } from "../errors.js";

const UNESCAPED = "upstream does not escape quotes and backslashes of job name and command line: mend these by hand";

/** A JSON value and where it stands; `end` is the offset behind it. */
export interface FoundJson {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

/** The end of the object or array that starts at `start`, by counting brackets outside of strings; null: cut off. */
const balancedEnd = (text: string, start: number): number | null => {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return null;
};

/** Whether a text that starts with a brace is meant as one of the JSON layouts, damaged or not. */
const looksLikeOurs = (text: string): boolean =>
  /^\{\s*"(?:normal|schbench|schbench_ts|int)"\s*:|^\{[^{}]*"format"\s*:\s*"schbench-ts\//.test(text.slice(0, 300));

/** What the parser says, without the line and column within the object that newer versions of Node add. */
const complaintOf = (error: unknown): string => messageOf(error).replace(/ \(line \d+ column \d+\)$/u, "");

/** What stands at an offset: a value, damage (with the parser's message), or nothing that is JSON. */
export const jsonAt = (text: string, start: number): FoundJson | { readonly damage: string } | null => {
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
