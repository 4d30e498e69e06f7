/**
 * The form of what `--explain` found: the `explanation` field of a run result. The schema is the one source of the type.
 * All times of a wakeup are microseconds since its wake stamp.
 */
import { z } from "zod";
import { CAUSE_NAMES } from "./causes.js";

const count = z.number().int().nonnegative();
const usec = z.number().nonnegative();
const share = z.number().min(0).max(1);
const cause = z.enum(CAUSE_NAMES);
const missing = z.enum([
  "no-events-of-thread",
  "no-waking",
  "no-switch-in",
  "cpu-unknown",
  "events-lost",
  "contradiction",
]);
const point = z.enum(["stamp", "waking", "wakeup", "switched-in", "run"]);

/** Who had a CPU, and what it means to the benchmark. */
const runner = z.object({
  cpu: z.number().int(),
  tid: count,
  comm: z.string(),
  priority: z.number().int().describe("the kernel's: 100–139 normal (120 = nice 0), 0–99 real time, -1 deadline"),
  schedClass: z.enum(["deadline", "realtime", "normal"]).describe("normal: fair or sched_ext"),
  policy: z
    .string()
    .nullable()
    .default(null)
    .describe("other, batch, idle, …; null: it had ended, or is not to be seen"),
  group: z
    .string()
    .nullable()
    .default(null)
    .describe("a worker's group; of a foreign task its control group, where it is not the benchmark's own"),
  side: z.enum(["benchmark", "harness", "foreign"]),
  heldUp: z.enum(["thread", "waker"]).describe("whom it held up"),
  usec,
});

/** Who told an idle CPU that there is a thread for it. */
const kick = z.object({
  atUsec: z.number(),
  fromCpu: z.number().int(),
  tid: count.describe("in whose context; 0 = the idle task"),
  comm: z.string(),
  how: z.enum(["interrupt", "polled"]).describe("polled: its idle loop looks for a flag, no interrupt is needed"),
});

/** Time that the hypervisor took from a CPU. */
const steal = z.object({
  cpu: count,
  usec: usec.describe("counted in ticks of 10 ms"),
  withinUsec: usec.describe("how far apart the two readings were between which it was taken"),
});

/** A stretch of a CPU's time line. */
const span = z.object({
  fromUsec: z.number(),
  toUsec: z.number(),
  kind: z
    .enum(["thread", "waker", "benchmark", "harness", "foreign", "idle", "interrupt", "softirq", "unknown"])
    .describe("thread: the one that was woken slowly"),
  tid: count.nullable(),
  label: z.string().describe("comm, or the interrupt's name"),
});

/** All CPUs around one wakeup: what a drawing needs. */
const timeline = z.object({
  fromUsec: z.number(),
  toUsec: z.number(),
  cpus: z.array(z.object({ cpu: count, spans: z.array(span) })),
  events: z.array(z.object({ atUsec: z.number(), cpu: count, text: z.string() })),
  eventsLeftOut: count.describe("events in the middle that were left out of `events`; the spans are complete"),
});

/** One slow wakeup, explained. */
export const wakeupExplanation = z.object({
  workerIndex: count,
  tid: count.describe("as in `threads`"),
  wakerTid: count.describe("as in `threads`"),
  kernelTid: count
    .nullable()
    .default(null)
    .describe("the thread's id in the trace: that of the first PID namespace, also inside a container"),
  wakeNsec: z.number().describe("CLOCK_MONOTONIC"),
  kernelSec: z
    .object({ from: z.string(), to: z.string() })
    .nullable()
    .default(null)
    .describe("wake and run stamp as trace-cmd and tracefs print times, with the clock `mono`"),
  latencyUsec: usec,
  cpuBefore: z.number().int(),
  cpuAfter: z.number().int(),
  cause: cause.describe("to which most of the time went"),
  causes: z.array(z.object({ cause, usec })).describe("all of the time, the largest first; adds up to the latency"),
  phases: z
    .array(z.object({ from: point, to: point, usec }))
    .describe("between the points that the trace shows; adds up to the latency"),
  ran: z
    .array(runner)
    .describe("who had the CPU that was waited for, the longest first; thread ids are those of the trace"),
  interrupts: z.array(z.object({ cpu: z.number().int(), kind: z.enum(["irq", "softirq"]), name: z.string(), usec })),
  migrations: z.array(z.object({ atUsec: z.number(), fromCpu: count, toCpu: count })),
  idleExit: z.object({ cpu: z.number().int(), usec }).nullable(),
  kick: kick.nullable().default(null).describe("what reached that idle CPU first; null where the trace has none"),
  steal: z.array(steal).default([]).describe("time that the hypervisor took from its CPUs around the wait"),
  placementMiss: z
    .array(z.object({ cpu: count, idleUsec: usec }))
    .describe("other CPUs the thread was allowed to use that stood idle while it waited behind somebody"),
  missing: z.array(missing).describe("evidence that the trace lacks"),
});

/** What `--explain` found. */
export const explanation = z.object({
  version: z.literal(1),
  traced: z.literal(true),
  trace: z.object({
    clock: z.literal("mono"),
    events: count.describe("recorded, lost ones included"),
    lostEvents: count,
    damaged: count,
    ringKibPerCpu: count,
    drains: count.describe("how often the rings were emptied during the run"),
  }),
  slowWakeups: count,
  attributed: count.describe("those whose cause is not unknown"),
  totalUsec: usec.describe("sum of the latencies of the slow wakeups"),
  causes: z.array(
    z.object({
      cause,
      wakeups: count,
      wakeupShare: share,
      usec: usec.describe(
        "time of all slow wakeups that went to this cause, also where another one had the larger part",
      ),
      timeShare: share,
      who: z.array(z.object({ name: z.string(), usec })).describe("tasks or interrupts behind it, at most three"),
    }),
  ),
  placementMisses: z.object({ wakeups: count, usec }),
  missing: z.array(z.object({ evidence: missing, wakeups: count })),
  worst: z.array(wakeupExplanation.extend({ timeline })).describe("the worst ten, the slowest first"),
  more: z.array(wakeupExplanation).default([]).describe("the next ninety, as `worst` without the time line"),
});

export type WakeupExplanation = z.infer<typeof wakeupExplanation>;
export type Explanation = z.infer<typeof explanation>;
export type WakeupTimeline = z.infer<typeof timeline>;
export type TimelineSpan = z.infer<typeof span>;
