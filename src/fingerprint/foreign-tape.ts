/** The kernel's trace of the programs that this process starts, for the fingerprint of any schbench. Loaded when it is asked for. */
import type { Tape } from "./tape.js";

const openForChildren = async (): Promise<Tape> => {
  const [{ openTape }, { nodeTracefs }] = await Promise.all([
    import("./tape.js"),
    import("../explain/trace/tracefs-node.js"),
  ]);
  const platform = nodeTracefs();
  return openTape(platform, [platform.pid], "deeds-and-lives");
};

/**
 * A trace that records what this process starts from now on, until it is removed; also when this process exits.
 *
 * @throws UserError when tracing is not to be had, saying what is missing and how to get it
 */
export const startTape = async (): Promise<Tape> => {
  const tape = await openForChildren();
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

/**
 * Finds out whether programs could be traced here.
 *
 * @throws UserError as startTape does
 */
export const checkTape = async (): Promise<void> => (await startTape()).remove();
