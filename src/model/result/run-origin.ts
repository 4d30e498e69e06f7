/** Where a run was made: which kernel, which boot of which machine. */
import { z } from "zod";

/** The place of a run. */
export const runOrigin = z.object({
  bootId: z.string().nullable().describe("changes with every boot; null: the kernel does not say"),
  kernel: z.string().describe("uname -r"),
  hostname: z.string(),
  machine: z
    .string()
    .optional()
    .describe("what the experiment calls the machine: NAME of --on, a cluster's node; left out: its host name"),
  version: z.string().describe("version of schbench-ts that ran it"),
});

export type RunOrigin = z.infer<typeof runOrigin>;
