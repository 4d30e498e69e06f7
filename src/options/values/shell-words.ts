/** Splits a command into words as a shell would, without its expansions: blanks, quotes and backslashes. Pure. */
import { UsageError } from "../../errors.js";

const PART = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gsy;

/** The words of a command; null when a quote is not closed. */
const wordsOf = (text: string): readonly string[] | null => {
  const words: string[] = [];
  let word: string | null = null;
  let end = 0;
  for (const match of text.matchAll(PART)) {
    end = match.index + match[0].length;
    const [, single, double, escaped, plain] = match;
    const piece = single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (piece === undefined) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + piece;
  }
  if (end < text.length) return null;
  return word === null ? words : [...words, word];
};

/** The words of a command; throws UsageError for a quote that is not closed. */
export const splitWords = (text: string): readonly string[] => {
  const words = wordsOf(text);
  if (words === null) throw new UsageError(`cannot read the command "${text}": a quote is not closed`);
  return words;
};

/** The words of any text, such as a line of a log: where a quote is not closed, quotes are letters like others. */
export const wordsWithin = (text: string): readonly string[] =>
  wordsOf(text) ?? text.split(/\s+/).filter((word) => word !== "");

/** Words as one line that a shell reads back to the same words. */
export const joinWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(" ");
