/**
 * The batch script of a fleet under Slurm: an array job, each of whose tasks has a node to itself and keeps its runs in a shared
 * directory. A task that is started again goes on with the file of its node. Pure.
 */
import { UserError } from "../../errors.js";
import { isPlain, plainWord } from "../plain-words.js";

/** What the script is made from. */
export interface JobPlan {
  /** Absolute path of the shared directory. */
  readonly folder: string;
  /** Name of a file in it, by which a task knows that it sees this very directory. */
  readonly token: string;
  /** Tasks, each on a node. */
  readonly nodes: number;
  /** Nodes that have all their runs. */
  readonly exclude: readonly string[];
  readonly partition: string | null;
  readonly account: string | null;
  /** Further options of sbatch, as they are written on its command line. */
  readonly sbatch: string | null;
  /** Our command on the nodes; plain words. */
  readonly program: readonly string[];
  /** The experiment's command line, from `ab` on. */
  readonly words: readonly string[];
}

/** Name of the log of a task; %A is the job, %a the task. */
const LOG = "slurm-%A_%a.log";
/** Which logs belong to a job. */
export const isLogOf = (job: string, name: string): boolean =>
  name.startsWith(`slurm-${job}_`) && name.endsWith(".log");

/**
 * The script.
 *
 * @throws UserError for a directory that sbatch would read in its own way
 */
export const jobScript = (plan: JobPlan): string => {
  const { folder, token, nodes, exclude, partition, account, sbatch, program, words } = plan;
  if (!isPlain(folder))
    throw new UserError(
      `cannot keep the runs of a Slurm job in "${folder}": allowed are letters, digits and _./:,@-`,
      "sbatch reads other letters in its own way: name another directory with -o.",
    );
  const options = [
    "--job-name=schbench-ts",
    `--array=1-${nodes}`,
    "--nodes=1",
    "--ntasks=1",
    "--exclusive",
    "--requeue",
    "--open-mode=append",
    `--output=${folder}/${LOG}`,
    ...(partition === null ? [] : [`--partition=${partition}`]),
    ...(account === null ? [] : [`--account=${account}`]),
    ...(exclude.length === 0 ? [] : [`--exclude=${exclude.join(",")}`]),
    ...(sbatch === null ? [] : [sbatch]),
  ];
  const command = [...program, "on", "keep", plainWord(folder), token, ...words.map(plainWord)];
  return ["#!/bin/sh", ...options.map((option) => `#SBATCH ${option}`), `exec ${command.join(" ")}`, ""].join("\n");
};
