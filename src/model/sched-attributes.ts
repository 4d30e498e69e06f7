/**
 * What a thread is to be to the scheduler, decided: plain JSON in the plan and in a caller's spec. What is not named stays
 * as this process has it.
 */
import { z } from "zod";
import { at } from "../at.js";
import { count } from "./quantities.js";
import { policyNamed, SCHED_ATTRIBUTES, type SchedNumber } from "./sched-table.js";

const within = ({ min, max }: SchedNumber) => z.number().int().min(min).max(max);

const [NICE, SLICE, UCLAMP] = SCHED_ATTRIBUTES;

const uclamp = z
  .object({ min: within(at(UCLAMP.numbers, 0)), max: within(at(UCLAMP.numbers, 1)) })
  .optional()
  .describe("bounds of the utilisation, of 1024");

const fair = z.object({
  policy: z.enum(["other", "batch", "ext"]).optional().describe("absent: as this process, if that is one of these"),
  nice: within(at(NICE.numbers, 0)).optional(),
  sliceUsec: within(at(SLICE.numbers, 0)).optional(),
  uclamp,
});

const idle = z.object({ policy: z.literal("idle"), uclamp });

const realTime = z.object({
  policy: z.enum(["fifo", "rr"]),
  priority: within(at(policyNamed("fifo").numbers, 0)),
  uclamp,
});

const deadline = z.object({
  policy: z.literal("deadline"),
  runtimeUsec: count,
  deadlineUsec: count,
  periodUsec: count,
});

/** The form of a thread's scheduling attributes. */
export const schedAttributes = z.union([idle, realTime, deadline, fair]);

/** A thread that shares the CPU: the default policy and those like it. */
export type FairAttributes = Readonly<z.infer<typeof fair>>;

/** What a thread is to be to the scheduler. */
export type SchedAttributes = Readonly<z.infer<typeof schedAttributes>>;

/** Some of the workers of each message thread, with attributes of their own, as asked for. */
export interface GroupRequest {
  /** Absent: by its place, `g1`. */
  readonly name?: string | undefined;
  /** Per message thread. */
  readonly workers: number;
  readonly sched: SchedAttributes;
}
