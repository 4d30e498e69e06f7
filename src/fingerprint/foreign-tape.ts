/** The kernel's trace of the programs that this process starts, for the fingerprint of any schbench. Loaded when it is asked for. */
import type { Tape } from "./tape.js";

/**
 * A trace that records what this process starts from now on, until it is removed.
 *
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const startTape = async (): Promise<Tape> => {
  const [{ startedTape }, { nodeTracefs }] = await Promise.all([
    import("./started-tape.js"),
    import("../explain/trace/tracefs-node.js"),
  ]);
  return startedTape(nodeTracefs(), "deeds-and-lives");
};

/**
 * Finds out whether programs could be traced here.
 *
 * @throws UserError as startTape does
 */
export const checkTape = async (): Promise<void> => (await startTape()).remove();
