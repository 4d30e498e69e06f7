/** The traced fingerprint of a run of the engine in this process: what the run command needs, in the order it needs it. */
import type { RunResult } from "../model/result/run-result.js";
import type { TracefsPlatform } from "../explain/trace/tracefs.js";
import { startedTape } from "./started-tape.js";
import { tracedFingerprint } from "./traced-roles.js";

/** A run whose fingerprint is being taken. */
export interface FingerprintSession {
  /** The measured time begins, at the start or after a warm-up. */
  readonly begin: () => void;
  /** Keeps the rings from running over; to be called once, when the threads are up. */
  readonly watch: () => void;
  /** The measured time is over. */
  readonly stop: () => void;
  /** The result with its fingerprint, and a warning where events were lost. */
  readonly addTo: (result: RunResult) => RunResult;
  /** Removes the trace, whatever became of the run; never throws. */
  readonly close: () => void;
}

/** The result with a warning where the trace has holes. */
const withLossWarning = (result: RunResult, lostEvents: number): RunResult =>
  lostEvents === 0
    ? result
    : {
        ...result,
        warnings: [
          ...result.warnings,
          {
            code: "fingerprint-events-lost",
            message: `the kernel's trace lost ${lostEvents} events, so the traced figures of the fingerprint are unknown`,
            cure: "Use fewer threads (-m, -t) or longer requests (-s, -n), or leave a CPU to the reader (-M, -W).",
          },
        ],
      };

/**
 * Starts to trace this process; to be called before the threads are started, and closed in a `finally`. When the process
 * exits before that (a signal, an error), the trace is removed on the way out.
 *
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const startFingerprint = (platform: TracefsPlatform, machine: string): FingerprintSession => {
  const tape = startedTape(platform, "deeds");
  return {
    begin: tape.begin,
    watch: tape.watch,
    stop: tape.stop,
    addTo: (result) => {
      const counts = tape.counts();
      if (result.fingerprint === null) return result;
      const span = { requests: result.fingerprint.requests, seconds: result.fingerprint.seconds };
      const fingerprint = tracedFingerprint(result.fingerprint, counts, result.threads, span, machine);
      return withLossWarning({ ...result, fingerprint }, counts.lostEvents);
    },
    close: tape.remove,
  };
};
