/**
 * What an experiment and a site elsewhere say to each other: a line of JSON each, over any two streams. Both ends are of one
 * version, which the greeting tells.
 */
import { z } from "zod";
import { runOrigin } from "../../model/result/run-origin.js";

const id = z.number().int();
const env = z.record(z.string(), z.string());

/** From the experiment. */
export const request = z.discriminatedUnion("call", [
  z.object({
    call: z.literal("execute"),
    id,
    command: z.array(z.string()).min(1),
    env,
    timeoutMsec: z.number().nullable(),
  }),
  z.object({ call: z.literal("shell"), id, script: z.string(), env }),
  z.object({ call: z.literal("start-fault"), id, program: z.string(), env }),
  z.object({ call: z.literal("sched-ext"), id }),
  /** Ends what the shell command with this number left in the background. */
  z.object({ call: z.literal("end-left-overs"), id, of: id }),
  /** Stops the call with this number; that one answers. */
  z.object({ call: z.literal("stop"), of: id }),
  z.object({ call: z.literal("leave") }),
]);

/** The first line from the site. */
export const greeting = z.object({
  greeting: z.literal("schbench-ts/site"),
  origin: runOrigin,
  /** Program and script of our command there. */
  engine: z.object({ node: z.string(), command: z.string() }),
  shellProgram: z.string(),
  cpus: z.number().int(),
});

/** An answer of the site to the call with this number. */
export const answer = z.union([
  z.object({ id, value: z.unknown() }),
  z.object({ id, error: z.object({ message: z.string(), remedy: z.string().nullable() }) }),
]);

export const execution = z.object({
  exitCode: z.number().nullable(),
  endedBy: z.string().nullable(),
  timedOut: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
});

export const shellOutcome = z.object({
  exitCode: z.number().nullable(),
  output: z.string(),
  leftOvers: z.boolean(),
});

/** What keeps a program from being started; null: nothing. */
export const fault = z.object({ code: z.string(), message: z.string() }).nullable();

export const schedulerState = z.object({ name: z.string(), loads: z.number().nullable() }).nullable();

export type Request = z.infer<typeof request>;
export type Greeting = z.infer<typeof greeting>;
