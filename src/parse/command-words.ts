/** The command line that produced an output, where a prompt, a log line or the JSON shows it. */
import type { RunResult } from "../model/run-result.js";

/** Words of a schbench command line. */
export type CommandWords = readonly string[];

const WORD = /(?:[^\s"']+|"[^"]*"|'[^']*')+/g;

/** Splits a command line at blanks outside of quotes and takes the quotes off. */
export const splitWords = (text: string): CommandWords =>
  (text.match(WORD) ?? []).map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a = "", b = "") => `${a}${b}`));

/**
 * The schbench command in a line such as `$ ./schbench -F 256 -r 90`; null when it holds none. What follows the name
 * must be an option, so that prose about schbench is no command.
 */
export const commandIn = (line: string): CommandWords | null => {
  const words = splitWords(line);
  const start = words.findIndex((word) => /(?:^|\/)schbench(?:[-_.][\w.-]+)?$/.test(word));
  if (start < 0) return null;
  const next = words[start + 1];
  if (next === undefined ? !(start === 0 || /^[$#%]$/.test(words[start - 1] ?? "")) : !/^--?[A-Za-z]/.test(next))
    return null;
  return words.slice(start);
};

const longValue = (words: CommandWords, names: readonly string[]): string | null => {
  for (const [index, word] of words.entries())
    for (const name of names) {
      if (word === name) return words[index + 1] ?? "";
      if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    }
  return null;
};

const VALUED = "pmtrRwizAnFjsJMWca";

/** Value of a short option, also joined (`-r10`) or in a cluster (`-LR100`); null when it is not given. */
const shortValue = (words: CommandWords, letter: string): string | null => {
  let found: string | null = null;
  for (const [index, word] of words.entries()) {
    if (!/^-[A-Za-z]/.test(word)) continue;
    for (let at = 1; at < word.length && /[A-Za-z]/.test(word.charAt(at)); at++) {
      const flag = word.charAt(at);
      const value = word.slice(at + 1);
      if (flag === letter) found = value === "" ? (words[index + 1] ?? "") : value;
      if (VALUED.includes(flag)) break;
    }
  }
  return found;
};

const value = (words: CommandWords, letter: string, names: readonly string[]): string | null =>
  shortValue(words.slice(1), letter) ?? longValue(words.slice(1), names);

/** What the words say about the run. */
export interface CommandFacts {
  readonly mode: NonNullable<RunResult["mode"]>;
  readonly requestsPerSec: number | null;
  readonly autoBusyPercent: number | null;
}

const numberOr = (text: string | null): number | null =>
  text === null || !/^\d+(?:\.\d+)?$/.test(text) ? null : Number(text);

/** Mode and rate of a command line. */
export const commandFacts = (words: CommandWords): CommandFacts => {
  const requestsPerSec = numberOr(value(words, "R", ["--rps"]));
  const autoBusyPercent = numberOr(value(words, "A", ["--auto-rps"]));
  const isPipe = Number.parseInt(value(words, "p", ["--pipe"]) ?? "0", 10) > 0;
  const isRate = (requestsPerSec ?? 0) > 0 || (autoBusyPercent ?? 0) > 0;
  return { mode: isPipe ? "pipe" : isRate ? "rate" : "closed-loop", requestsPerSec, autoBusyPercent };
};
