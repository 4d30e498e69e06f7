/** What a run knows of its loads, and a run without any: most have none, and load nothing for them. */
import type { LoadResult } from "../../model/plan/load-plan.js";

/** The loads of one run. */
export interface Loads {
  /** Watches the built-in loads alone, then starts the commands; their threads are up. */
  readonly begin: () => Promise<void>;
  /** Throws EngineError, with its last words, when a command has ended by itself. */
  readonly check: () => void;
  /** What is done from now on counts; called again, it counts from then. */
  readonly beginMeasured: () => void;
  readonly endMeasured: () => readonly LoadResult[];
  /** Ends the commands, and everything that they have started. */
  readonly end: () => Promise<void>;
  /** CPU time of all commands so far, seconds. */
  readonly commandCpuSec: () => number;
}

/** There are none. */
export const NO_LOADS: Loads = {
  begin: async () => undefined,
  check: () => undefined,
  beginMeasured: () => undefined,
  endMeasured: () => [],
  end: async () => undefined,
  commandCpuSec: () => 0,
};
