/**
 * The one live line of a long run on a terminal: elapsed time, current rate, p99 so far. Gone at the end, and never there
 * when stderr is a pipe or a file.
 */
import type { SecondResult } from "../../model/result/run-result.js";
import { percentileOf } from "../../stats/histogram/percentiles.js";
import { fromSparse, PLAT_NR, platValue } from "../../stats/histogram/plat.js";
import type { Io } from "./command.js";
import { createLiveLine } from "./live-line.js";

/** A start or a run shorter than this shows nothing. */
const PATIENCE_SEC = 3;

/** What the run tells the line. */
export interface StatusLine {
  readonly starting: (started: number, total: number) => void;
  readonly second: (second: SecondResult) => void;
  /** Prints something else without leaving traces of the line. */
  readonly around: (print: () => void) => void;
  readonly clear: () => void;
}

/** A status line for a run of so many seconds (0: without end) on this io. */
export const createStatusLine = (io: Io, runtimeSec: number, quiet: boolean): StatusLine => {
  const line = createLiveLine(io, !quiet);
  const wakeups = new Float64Array(PLAT_NR);
  const since = Date.now();
  let lastDrawn = since;

  const draw = (text: string): void => {
    line.draw(text);
    lastDrawn = Date.now();
  };
  const p99 = (): string => {
    const buckets = [...wakeups.entries()].filter(([, count]) => count > 0);
    const [first, last] = [buckets[0], buckets.at(-1)];
    if (first === undefined || last === undefined) return "";
    return `, wakeup p99 ${percentileOf(fromSparse(buckets, platValue(first[0]), platValue(last[0])), 99)} usec`;
  };
  return {
    starting: (started, total) => {
      const now = Date.now();
      if (now - since > 500 && now - lastDrawn > 200) draw(`starting threads: ${started} of ${total}`);
    },
    second: ({ atSec, rps, wakeup }) => {
      if (runtimeSec !== 0 && runtimeSec <= PATIENCE_SEC) return;
      for (const [bucket, count] of wakeup ?? []) wakeups[bucket] = (wakeups.at(bucket) ?? 0) + count;
      const of = runtimeSec === 0 ? "" : ` of ${runtimeSec}`;
      draw(`${Math.round(atSec)}${of} s, ${rps.toFixed(0)} requests/s${p99()}`);
    },
    around: (print) => {
      line.clear();
      print();
    },
    clear: line.clear,
  };
};
