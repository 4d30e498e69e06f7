/**
 * What a thread is to be to the scheduler, decided: plain JSON in the plan and in a caller's spec. What is not named stays
 * as this process has it.
 */
import { z } from "zod";
import { at } from "../../at.js";
import { count, usec } from "../quantities.js";
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

/** What docs/json.md knows the form by. */
export const SCHED_TITLE = "scheduling attributes";

/** The form of a thread's scheduling attributes. */
export const schedAttributes = z
  .discriminatedUnion("policy", [fair, idle, realTime, deadline])
  .meta({ title: SCHED_TITLE });

/** A thread that shares the CPU: the default policy and those like it. */
export type FairAttributes = Readonly<z.infer<typeof fair>>;

/** What a thread is to be to the scheduler. */
export type SchedAttributes = Readonly<z.infer<typeof schedAttributes>>;

/** The form of a group of workers as asked for. */
export const groupRequest = z.object({
  name: z.string().optional().describe("absent: by its place, g1"),
  workers: count.describe("per message thread"),
  sched: schedAttributes,
});

/** Some of the workers of each message thread, with attributes of their own, as asked for. */
export type GroupRequest = Readonly<z.infer<typeof groupRequest>>;

/** What a thread is to the scheduler, as the kernel says. */
export const schedInForce = z.object({
  policy: z
    .string()
    .describe("other, batch, idle, ext, fifo, rr or deadline; the number of one that is not in this list"),
  nice: z.number().int().min(-20).max(19).nullable().describe("null for fifo, rr and deadline"),
  priority: count.nullable().describe("of fifo and rr"),
  sliceUsec: usec.nullable().describe("null where it has none: before Linux 6.12, and for fifo, rr and deadline"),
  deadline: z
    .object({ runtimeUsec: usec, deadlineUsec: usec, periodUsec: usec })
    .nullable()
    .describe("null for all other policies"),
  uclamp: z.object({ min: count, max: count }).nullable().describe("null where this kernel has none"),
});

/** What a thread is to the scheduler, as the kernel says. */
export type SchedInForce = Readonly<z.infer<typeof schedInForce>>;
