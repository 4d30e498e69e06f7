/**
 * The fingerprint of a run: what the kernel saw of it, by role. Counts hardly scatter from run to run, so they show what
 * latencies on a noisy machine cannot. What is not known is null, never 0.
 *
 * This is the schema and the one source of the type; fingerprint-figures.ts is the list of figures. No upstream counterpart.
 */
import { z } from "zod";
import { count, figure } from "../quantities.js";

const amount = figure.nullable();
const share = z.number().min(0).max(1).nullable();

/** What the kernel saw of all threads of one role, in the time in which they were watched. */
export const roleFingerprint = z.object({
  threads: count.describe("threads of this role that were watched"),
  voluntarySwitchesPerRequest: amount.describe("the thread went to sleep"),
  involuntarySwitchesPerRequest: amount.describe("the thread was preempted"),
  migrationsPerSec: amount.describe("moves to another CPU, of all threads of the role"),
  minorFaults: amount.describe("page faults without input or output, of all threads of the role"),
  userUsecPerRequest: amount,
  systemUsecPerRequest: amount,
  instructionsPerRequest: amount.describe("in user mode; null where no hardware counter is available"),
  cyclesPerRequest: amount.describe("in user mode; null where no hardware counter is available"),
  wakeupsPerRequest: amount.describe("wakeups of threads of this role; traced"),
  crossingShare: share.describe(
    "share of the wakeups by other benchmark threads that put the thread on another CPU than the waker's; traced",
  ),
  systemCallsPerRequest: z.record(z.string(), figure).nullable().describe("by the kernel's name of the call; traced"),
});

/** The share of workers that stand on the CPU of their message thread. */
const besideMessage = z.object({
  atStart: share.describe("when all threads were up"),
  mean: share.describe("over all readings of the run"),
  atEnd: share.describe("at the last reading"),
});

/** What the kernel saw of a run. */
export const fingerprint = z.object({
  observer: z
    .enum(["engine", "outside"])
    .describe("who watched: the benchmark itself, or this program beside it (any schbench)"),
  seconds: amount.describe("the time in which the threads were watched"),
  requests: amount.describe("the requests done in that time, by which figures are divided"),
  traced: z.boolean().describe("the kernel's trace was on (--fingerprint)"),
  lostEvents: count.nullable().describe("null without a trace; when some are lost, traced figures are null"),
  message: roleFingerprint.nullable(),
  worker: roleFingerprint.nullable(),
  besideMessage,
  createdByMessage: share
    .optional()
    .describe("share of the workers that a message thread created, as the C program's does; traced, seen from outside"),
});

export type Fingerprint = z.infer<typeof fingerprint>;
export type RoleFingerprint = z.infer<typeof roleFingerprint>;
/** The roles of benchmark threads. */
export type Role = "message" | "worker";

/** How many requests a run did in a second; in pipe mode a transfer is one, and schbench prints those of a worker. */
export interface RequestRate {
  /** null: not known, and with it every figure per request. */
  readonly perSec: number | null;
  readonly of: "a-worker" | "all-workers";
}
