/** Names and seeds by machine. Pure but for what is handed in. */
import { labelledRandom } from "../stats/random.js";

/** Every machine has an order of runs of its own, so that what the order does to one is not done to all. */
export const seedFor = (seed: number, machine: string): number =>
  labelledRandom(seed, `machine ${machine}`).below(2 ** 31 - 1);

/** What a queueing system calls the machine that a task is on; else its host name. */
export const nodeName = (env: Readonly<Record<string, string | undefined>>, hostname: string): string =>
  env["SLURMD_NODENAME"] ?? env["NODE_NAME"] ?? hostname;
