/** Where a run was made, as far as it and its file say. Pure. */
import type { RunResult } from "../../model/result/run-result.js";

/** What runs may share; null: not known. */
export interface RunPlace {
  readonly machine: string | null;
  readonly boot: string | null;
  readonly file: string | null;
}

/** What runs are put together by. */
export const BLOCK_KINDS = ["machine", "boot", "file"] as const satisfies readonly (keyof RunPlace)[];
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** From which of several files that hold the same subjects a run came. */
export type FileOfRun = ReadonlyMap<RunResult, string>;

/**
 * The places of some runs. What a run alone says of its machine counts only beside other files: a plain run does not know its boot, and runs
 * that do not are judged as if there were one.
 */
export const placesOf = (runs: readonly RunResult[], files: FileOfRun): readonly RunPlace[] => {
  // One boot is one machine, whatever it calls itself: a container has a name of its own.
  const nameOfBoot = new Map<string, string>();
  for (const { origin } of runs)
    if (origin?.machine !== undefined && origin.bootId !== null && !nameOfBoot.has(origin.bootId))
      nameOfBoot.set(origin.bootId, origin.machine);
  return runs.map((run) => {
    const file = files.get(run) ?? null;
    const boot = run.origin?.bootId ?? null;
    // A machine that somebody has named keeps its name: nodes of a cluster may share a kernel.
    if (run.origin?.machine !== undefined) return { machine: run.origin.machine, boot, file };
    const name = run.origin?.hostname ?? (file === null ? null : (run.host?.hostname ?? null));
    if (boot === null || name === null) return { machine: name, boot, file };
    const machine = nameOfBoot.get(boot) ?? name;
    nameOfBoot.set(boot, machine);
    return { machine, boot, file };
  });
};
