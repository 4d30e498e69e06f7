/** What is asked of Slurm: submit, look, cancel. Its commands are started by what is handed in. */
import { UserError } from "../../errors.js";
import type { Execution, Laboratory } from "../../experiment/laboratory.js";

/** Starts Slurm's commands. */
export type SlurmWorld = Pick<Laboratory, "execute">;

/** One task of an array job in the queue. */
export interface QueuedTask {
  /** Such as `17_2`. */
  readonly id: string;
  /** Such as `RUNNING`. */
  readonly state: string;
  /** null: it has none yet. */
  readonly node: string | null;
  /** Why it waits; Slurm's word. */
  readonly reason: string;
}

const run = ({ execute }: SlurmWorld, command: readonly string[], signal: AbortSignal): Promise<Execution> =>
  execute({ command, env: {}, timeoutMsec: null, watch: null, signal });

/**
 * Submits a script.
 *
 * @returns the job's number
 * @throws UserError with sbatch's own words
 */
export const submit = async (world: SlurmWorld, script: string, signal: AbortSignal): Promise<string> => {
  const { exitCode, stdout, stderr } = await run(world, ["sbatch", "--parsable", script], signal);
  const [job = ""] = stdout.trim().split(";");
  if (exitCode === 0 && /^\d+$/.test(job)) return job;
  const [first = "it said nothing", ...more] = stderr.trim().split("\n");
  throw new UserError(
    `sbatch refused the job: ${first.replace(/^sbatch: (?:error: )?/, "")}`,
    [...more, `The script is in ${script}.`].join("\n"),
  );
};

const taskIn = (line: string): QueuedTask => {
  const [id = "", state = "", node = "", ...reason] = line.split("|");
  return { id, state, node: node === "" ? null : node, reason: reason.join("|") };
};

/** The tasks of a job that are not over; null: Slurm does not say at the moment. */
export const queued = async (
  world: SlurmWorld,
  job: string,
  signal: AbortSignal,
): Promise<readonly QueuedTask[] | null> => {
  const command = ["squeue", "--noheader", "--array", `--jobs=${job}`, "--format=%i|%T|%N|%r"];
  const { exitCode, stdout, stderr } = await run(world, command, signal);
  if (exitCode === 0)
    return stdout
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map(taskIn);
  // A job that has been over for some minutes is forgotten.
  return /invalid job id/i.test(stderr) ? [] : null;
};

/** Ends a job; its tasks get SIGTERM and tear down. */
export const cancel = async (world: SlurmWorld, job: string): Promise<void> => {
  await run(world, ["scancel", job], new AbortController().signal);
};
