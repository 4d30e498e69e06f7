/**
 * Lines that a mailer broke at a blank, put together again: a row or header whose rest stands on the next line or two. A
 * break within a number stays damage, since what is joined is joined with a blank.
 */
import { at } from "../../at.js";
import type { SourceLine } from "./clean-lines.js";
import type { Damage } from "./line-tokens.js";
import { type ReadLine, readLine } from "./remarks.js";

/** A line of a text with what it says, null where it is foreign; a whole line has the number of its first piece. */
export interface WholeLine {
  readonly number: number;
  readonly read: ReadLine | Damage | null;
  /** What stood on the lines behind its first; null for a line that was not wrapped. */
  readonly rest: string | null;
}

const BEGINS =
  /^(?:\*\s?)?\d{1,3}\.\d{1,4}th:|^(?:Latency|(?:Wakeup|Request) (?:latency|Latencies)|RPS|Response Latencies) percentiles\b|^min=\d+,$|^(?:average|current) rps:$|^sched delay: message|^avg worker transfer: /;

/** More pieces than this no mailer makes of a line. */
const MOST_PIECES = 3;

/** Whether a line says all that its kind can say: a row its count, a header its total. */
const isFinished = (read: WholeLine["read"]): boolean => {
  if (read === null || "kind" in read) return false;
  const { token } = read;
  if (token.kind === "row") return token.shape.counted;
  return token.kind === "header" ? token.counted : token.kind !== "command";
};

/** The line that begins at an index, and of how many lines it is made. */
const wholeLineAt = (
  lines: readonly SourceLine[],
  index: number,
): { readonly line: WholeLine; readonly pieces: number } => {
  const { text, number } = at(lines, index);
  const read = readLine(text);
  const alone = { line: { number, read, rest: null }, pieces: 1 };
  if (!BEGINS.test(text) || isFinished(read)) return alone;
  let rest = "";
  for (const [further, next] of lines.slice(index + 1, index + MOST_PIECES).entries()) {
    // Most rows of old outputs have no count and are followed by a row: no need to try.
    if (BEGINS.test(next.text)) return alone;
    rest = `${rest} ${next.text}`;
    const joined = readLine(text + rest);
    if (isFinished(joined)) return { line: { number, read: joined, rest: rest.trim() }, pieces: further + 2 };
  }
  return alone;
};

/** The lines of a text, read, with wrapped ones put together and empty ones left out. */
export const wholeLines = (lines: readonly SourceLine[]): readonly WholeLine[] => {
  const whole: WholeLine[] = [];
  for (let index = 0; index < lines.length;) {
    const { line, pieces } = wholeLineAt(lines, index);
    if (at(lines, index).text !== "") whole.push(line);
    index += pieces;
  }
  return whole;
};
