/**
 * Text as people keep it, made into lines a reader can look at: colour codes, carriage returns and byte order marks
 * gone, quotes of mails, list bullets and indentation taken off the front.
 */

/** One line: its text without the wrapping, and its 1-based number in the source. */
export interface SourceLine {
  readonly text: string;
  readonly number: number;
}

// Escape sequences of terminals: CSI (colours, cursor), OSC (titles), and the two-character ones.
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g;
const QUOTES = /^(?:[\s>|\uFEFF]+)/;
// A star is a bullet too, unless it marks the row of a percentile.
const BULLET = /^(?:[-+•]|\*(?!\s*\d+\.\d+th:))\s+/;

/** Takes terminal codes off. */
export const withoutEscapes = (text: string): string => text.replaceAll(ESCAPES, "");

/** Takes quote marks, indentation and a list bullet off one line. A star stays: it may mark a row. */
const unwrapped = (line: string): string => line.replace(QUOTES, "").replace(BULLET, "").trim();

/** Lines of a text whose first line has the number `first`. A carriage return within a line starts a new one. */
export const cleanLines = (text: string, first = 1): readonly SourceLine[] =>
  text
    .split("\n")
    .flatMap((line, index) => line.split("\r").map((part) => ({ text: unwrapped(part), number: first + index })));
