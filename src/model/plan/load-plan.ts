/**
 * Loads: what runs beside the benchmark on purpose, as planned and as it was seen to work. A load is one of a few that are
 * built in, or a command.
 */
import { z } from "zod";
import { WORK_UNITS } from "./load-work.js";
import { count, figure, sec } from "../quantities.js";

const threads = count.min(1);

/** One load. */
export const loadPlan = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("spin"), threads }),
  z.object({ kind: z.literal("duty"), threads, busyUsec: count.min(1), periodUsec: count.min(1) }),
  z.object({ kind: z.literal("wake"), pairs: threads }),
  z.object({ kind: z.literal("memory"), threads }),
  z.object({ kind: z.literal("command"), command: z.string() }),
]);

/** The work of a load: what the benchmark took from it shows in its rates. */
const work = z.object({
  unit: z.enum([WORK_UNITS.spin, WORK_UNITS.duty, WORK_UNITS.wake, WORK_UNITS.memory]),
  count: figure.describe("done in the measured time, by all threads of the load"),
  perSec: figure,
  alonePerSec: figure
    .nullable()
    .describe("the rate of the same threads right before the benchmark's were created; null where the run ended first"),
});

/** What one load did in the measured time. */
export const loadResult = z.object({
  load: z.string().describe("as --load takes it"),
  kind: z.enum(["spin", "duty", "wake", "memory", "command"]),
  tids: z.array(count).describe("threads of the load; of a command, the process it was started as"),
  work: work.nullable().describe("null for a command, whose work nobody counts"),
  cpuSec: sec.nullable().describe("CPU time of all its threads or processes; null where the kernel does not say"),
  waitSec: sec
    .nullable()
    .describe(
      "time its threads spent runnable and waiting for a CPU; null for a command, and where the kernel does not say",
    ),
});

/** One load, decided. */
export type LoadPlan = Readonly<z.infer<typeof loadPlan>>;
/** A load that needs nothing installed: threads of the engine. */
export type BuiltInLoad = Exclude<LoadPlan, { readonly kind: "command" }>;
/** A load that is a command. */
export type CommandLoad = Extract<LoadPlan, { readonly kind: "command" }>;
export type LoadResult = z.infer<typeof loadResult>;
