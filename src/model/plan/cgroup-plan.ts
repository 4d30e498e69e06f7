/**
 * Control groups of a run: what is asked of one, and what it did. Version 2 alone. No upstream counterpart.
 */
import { z } from "zod";
import { CGROUP_ROLES } from "./cgroup-roles.js";
import { count, sec } from "../quantities.js";

const bounds = z.object({ min: count.max(1024), max: count.max(1024) });

/** What is set of a group; what is not named stays as the kernel makes it. */
export const cgroupSettings = z.object({
  weight: count
    .min(1)
    .max(10_000)
    .optional()
    .describe("share of the CPU against sibling groups; the kernel's own is 100"),
  max: z
    .object({ quotaUsec: count.min(1000), periodUsec: count.min(1000).max(1_000_000) })
    .optional()
    .describe("CPU time that its threads may use together in every period"),
  uclamp: bounds.optional().describe("bounds of the utilisation, of 1024"),
  idle: z.literal(true).optional().describe("runs only when nobody else wants the CPU"),
  cpus: z.array(count).readonly().optional().describe("the CPUs its threads may use"),
});

/** What a group did in the measured time. */
export const cgroupResult = z.object({
  role: z.enum(CGROUP_ROLES),
  path: z.string().describe("the group as /proc/PID/cgroup names it"),
  settings: z.record(z.string(), z.string()).describe("the files that were written, as they read afterwards"),
  cpuSec: sec.nullable().describe("CPU time of all its threads"),
  periods: count.nullable().describe("periods of the limit in which it ran; 0 without max"),
  throttledPeriods: count.nullable().describe("periods in which it was stopped"),
  throttledSec: sec.nullable().describe("how long it was stopped, summed over the CPUs"),
  somePressureSec: sec.nullable().describe("PSI: time in which one of its threads waited for a CPU"),
  fullPressureSec: sec.nullable().describe("PSI: time in which all of them did"),
});

export type CgroupSettings = Readonly<z.infer<typeof cgroupSettings>>;
export type CgroupResult = z.infer<typeof cgroupResult>;
