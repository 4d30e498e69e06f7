/** How this process was started: the same command goes on after a boot. */
import { isSea } from "node:sea";
import type { Continuation } from "./unit.js";

/** Settings that programs are found by, and that our own parts read. */
const KEPT = /^(?:PATH|HOME|LANG|LC_ALL|TMPDIR|NO_COLOR|NODE_OPTIONS|SCHBENCH_\w+)$/u;
/** Where the single executable has unpacked its files this time. */
const OF_THIS_PROCESS = "SCHBENCH_TS_UNPACKED";

/** The words of a command that does what this one only plans. */
const inEarnest = (words: readonly string[]): readonly string[] => {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return words.filter((word, index) => word !== "--plan" || index >= end);
};

/** This process. */
export const continuationHere = (): Continuation => {
  const [, script = "", ...given] = process.argv;
  const words = inEarnest(given);
  return {
    // The single executable is program and script in one.
    command: isSea() ? [process.execPath, ...words] : [process.execPath, ...process.execArgv, script, ...words],
    folder: process.cwd(),
    env: Object.fromEntries(
      Object.entries(process.env)
        .flatMap(([name, value]): [string, string][] =>
          value === undefined || !KEPT.test(name) || name === OF_THIS_PROCESS ? [] : [[name, value]],
        )
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
};
