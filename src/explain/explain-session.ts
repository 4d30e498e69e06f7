/** Tracing around one run of the engine: what the run command needs, in the order in which it needs it. */
import { cpuIdsOf } from "../platform/cpu-ids.js";
import type { RunResult, SlowWakeup } from "../model/run-result.js";
import { explainRun } from "./explain-run.js";
import type { Explanation } from "./explanation.js";
import type { Files } from "../platform/files.js";
import { readThrottledUsec, tightestCpuLimit } from "../platform/cpu-limit.js";
import { openTrace } from "./trace/open-trace.js";
import type { TracefsPlatform } from "./trace/tracefs.js";

/** A run that is being traced. */
export interface ExplainSession {
  /** Keeps memory bounded in a long run; to be called when the threads are up, with what reads their slowest wakeups. */
  readonly watch: (slowSoFar: () => readonly SlowWakeup[]) => void;
  /** Stops recording at once, for `--break`; may be left out. */
  readonly stop: () => void;
  /** Explains the slow wakeups of the result; stops recording. */
  readonly explain: (result: RunResult) => Explanation;
  /** Removes the trace, whatever became of the run; never throws. */
  readonly close: () => void;
}

/**
 * Starts to trace; to be called before the threads are started, and closed in a `finally`. When the process exits before
 * that (a signal, an error), the trace is removed on the way out.
 *
 * @param processTids reads the threads of this process, so that Node's own are told from foreign tasks
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const startExplaining = (
  platform: TracefsPlatform,
  files: Files,
  processTids: () => readonly number[],
): ExplainSession => {
  const limit = tightestCpuLimit(files);
  const throttledUsec = (): number => readThrottledUsec(files, limit) ?? 0;
  const throttledBeforeUsec = throttledUsec();
  const trace = openTrace({ platform, hasCpuLimit: limit !== null });
  process.once("exit", trace.remove);
  try {
    trace.start();
  } catch (thrown) {
    trace.remove();
    throw thrown;
  }
  return {
    watch: trace.watch,
    stop: trace.stop,
    explain: ({ slowWakeups, threads }) => {
      const { trace: read, counts } = trace.collect(slowWakeups);
      return explainRun({
        trace: read,
        counts,
        slowWakeups,
        threads: threads.map(({ tid, allowedCpus }) => ({ tid, allowedCpus: cpuIdsOf(allowedCpus) })),
        harnessTids: processTids(),
        wasThrottled: throttledUsec() > throttledBeforeUsec,
      });
    },
    close: () => {
      trace.remove();
      process.off("exit", trace.remove);
    },
  };
};
