/** The command line that produced an output, where a prompt, a log line or the JSON shows it. */
import { at } from "../../at.js";
import type { RunResult } from "../../model/result/run-result.js";
import { wordsWithin } from "../../options/values/shell-words.js";

/** Words of a schbench command line. */
export type CommandWords = readonly string[];

const PROMPT = /^[$#%]$/;
const OPTION = /^--?[A-Za-z]/;

/**
 * The schbench command in a line such as `$ ./schbench -F 256 -r 90`; null when it holds none. What follows the name
 * must be an option, so that prose about schbench is no command.
 */
export const commandIn = (line: string): CommandWords | null => {
  if (!line.includes("schbench")) return null;
  const words = wordsWithin(line);
  const start = words.findIndex((word) => /(?:^|\/)schbench(?:[-_.][\w.-]+)?$/.test(word));
  if (start < 0) return null;
  const next = words[start + 1];
  const isCommand = next === undefined ? start === 0 || PROMPT.test(at(words, start - 1)) : OPTION.test(next);
  return isCommand ? words.slice(start) : null;
};

const longValue = (words: CommandWords, names: readonly string[]): string | null => {
  for (const [index, word] of words.entries())
    for (const name of names) {
      if (word === name) return words.at(index + 1) ?? "";
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
    for (let place = 1; place < word.length && /[A-Za-z]/.test(word.charAt(place)); place++) {
      const flag = word.charAt(place);
      const value = word.slice(place + 1);
      if (flag === letter) found = value === "" ? (words.at(index + 1) ?? "") : value;
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
