/** A tape that records, and leaves nothing behind however this process ends. */
import type { TracefsPlatform } from "../explain/trace/tracefs.js";
import { openTape, type Tape, type TapeScope } from "./tape.js";

/**
 * Starts to record this process and what it starts from now on; to be removed in a `finally`. When the process exits before that (a
 * signal, an error), the trace is removed on the way out.
 *
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const startedTape = (platform: TracefsPlatform, scope: TapeScope): Tape => {
  const tape = openTape(platform, [platform.pid], scope);
  process.once("exit", tape.remove);
  const remove = (): void => {
    tape.remove();
    process.off("exit", tape.remove);
  };
  try {
    tape.start();
  } catch (thrown) {
    remove();
    throw thrown;
  }
  return { ...tape, remove };
};
