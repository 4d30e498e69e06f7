/** Tracing around one run of the engine: what the run command needs, in the order in which it needs it. */
import { cpuIdsOf } from "../platform/cpus/cpu-ids.js";
import type { RunResult, SlowWakeup } from "../model/result/run-result.js";
import { explainRun } from "./explain-run.js";
import type { Explanation } from "./explanation.js";
import type { Files } from "../platform/files.js";
import { readThrottledUsec, tightestCpuLimit } from "../platform/limits/cpu-limit.js";
import { NOBODY, otherThreads } from "./who.js";
import { watchSteal } from "./steal.js";
import { type KernelIds, openThreadIds, type ThreadIds } from "./trace/thread-ids.js";
import { type OpenTrace, openTrace } from "./trace/open-trace.js";
import { hasOtherIds, type TracefsPlatform } from "./trace/tracefs.js";

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

const STEAL_LOOK_MSEC = 250;

/** Outside of containers the trace knows threads by the ids that they know themselves by. */
const SAME_IDS: ThreadIds = { read: (): KernelIds => new Map(), remove: () => undefined };

/** Opens what is needed in tracefs and begins to record; all of it is removed when the process exits, or by `remove`. */
const openAll = (
  platform: TracefsPlatform,
  hasCpuLimit: boolean,
): { readonly trace: OpenTrace; readonly ids: ThreadIds; readonly remove: () => void } => {
  const opened: (() => void)[] = [];
  const removeOpened = (): void => {
    for (const remove of opened) remove();
  };
  const remove = (): void => {
    removeOpened();
    process.off("exit", removeOpened);
  };
  process.once("exit", removeOpened);
  try {
    const trace = openTrace({ platform, hasCpuLimit });
    opened.push(trace.remove);
    const ids = hasOtherIds(platform) ? openThreadIds(platform) : SAME_IDS;
    opened.push(ids.remove);
    trace.start();
    return { trace, ids, remove };
  } catch (thrown) {
    remove();
    throw thrown;
  }
};

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
  const steal = watchSteal(files, platform.nowNsec);
  const { trace, ids, remove } = openAll(platform, limit !== null);
  let looks: NodeJS.Timeout | undefined;
  return {
    watch: (slowSoFar) => {
      ids.read();
      looks = setInterval(steal.look, STEAL_LOOK_MSEC).unref();
      trace.watch(slowSoFar);
    },
    stop: trace.stop,
    explain: ({ slowWakeups, threads }) => {
      const { trace: read, counts } = trace.collect(slowWakeups);
      steal.look();
      return explainRun({
        trace: read,
        counts,
        slowWakeups,
        threads: threads.map(({ tid, allowedCpus, sched, group }) => ({
          tid,
          allowedCpus: cpuIdsOf(allowedCpus),
          who: { policy: sched?.policy ?? null, group },
        })),
        harnessTids: processTids(),
        wasThrottled: throttledUsec() > throttledBeforeUsec,
        stolen: steal.stolen(),
        kernelIds: ids.read(),
        // In another PID namespace the ids of the trace are not those that can be asked for here.
        whoIs: ids === SAME_IDS ? otherThreads(files) : () => NOBODY,
      });
    },
    close: () => {
      clearInterval(looks);
      remove();
    },
  };
};
