/** From what was counted for single threads to the figures of a role. Pure. */
import { gain, sumOfKnown } from "../known.js";
import type { RoleFingerprint } from "../model/result/fingerprint.js";
import type { ThreadCounters } from "../platform/threads/proc-thread.js";
import { NSEC_PER_USEC, TICKS_PER_SEC, USEC_PER_SEC } from "../units.js";

/** What one thread did in the time in which it was watched; null where the kernel does not say. */
export interface ThreadDeed {
  readonly voluntarySwitches: number | null;
  readonly involuntarySwitches: number | null;
  readonly migrations: number | null;
  readonly minorFaults: number | null;
  readonly cpuUsec: number | null;
  readonly userTicks: number | null;
  readonly systemTicks: number | null;
  readonly instructions: number | null;
  readonly cycles: number | null;
}

/** What the kernel's trace says of all threads of a role. */
export interface RoleTrace {
  readonly wakeups: number;
  /** Wakeups by other benchmark threads, and those of them that crossed CPUs. */
  readonly handedOver: number;
  readonly crossed: number;
  readonly voluntarySwitches: number;
  readonly involuntarySwitches: number;
  readonly migrations: number;
  readonly systemCalls: ReadonlyMap<string, number>;
}

/** By what counts are divided. */
export interface Span {
  readonly requests: number | null;
  readonly seconds: number | null;
}

const USEC_PER_TICK = USEC_PER_SEC / TICKS_PER_SEC;
/** Fewer ticks than these say too little about which part of the time was whose. */
const LEAST_TICKS = 20;

/** What a thread did between two readings of its counters; all unknown without the first. */
export const deedBetween = (
  before: ThreadCounters | null,
  after: ThreadCounters,
  processor: Pick<ThreadDeed, "instructions" | "cycles">,
): ThreadDeed => {
  const cpuNsec = gain(before?.schedStat?.cpuNsec, after.schedStat?.cpuNsec);
  return {
    voluntarySwitches: gain(before?.voluntarySwitches, after.voluntarySwitches),
    involuntarySwitches: gain(before?.involuntarySwitches, after.involuntarySwitches),
    migrations: gain(before?.migrations, after.migrations),
    minorFaults: gain(before?.stat?.minorFaults, after.stat?.minorFaults),
    cpuUsec: cpuNsec === null ? null : cpuNsec / NSEC_PER_USEC,
    userTicks: gain(before?.stat?.userTicks, after.stat?.userTicks),
    systemTicks: gain(before?.stat?.systemTicks, after.stat?.systemTicks),
    ...processor,
  };
};

/** The sum over threads; null when one is not known. */
const sumOf = (deeds: readonly ThreadDeed[], figure: (deed: ThreadDeed) => number | null): number | null =>
  sumOfKnown(deeds.map(figure));

const over = (amount: number | null, divisor: number | null): number | null =>
  amount === null || divisor === null || divisor === 0 ? null : amount / divisor;

/** CPU time by kind: ticks say which part was whose, the scheduler's clock (where there is one) how much it was. */
const cpuUsecOf = (deeds: readonly ThreadDeed[]): { readonly user: number | null; readonly system: number | null } => {
  const user = sumOf(deeds, (deed) => deed.userTicks);
  const system = sumOf(deeds, (deed) => deed.systemTicks);
  const cpuUsec = sumOf(deeds, (deed) => deed.cpuUsec);
  if (user === null || system === null || user + system < LEAST_TICKS) return { user: null, system: null };
  if (cpuUsec === null) return { user: user * USEC_PER_TICK, system: system * USEC_PER_TICK };
  const usecPerTick = cpuUsec / (user + system);
  return { user: user * usecPerTick, system: system * usecPerTick };
};

/**
 * The figures of a role that need no trace.
 *
 * @param deeds of each of its threads
 * @returns null for a role without threads
 */
export const roleFigures = (deeds: readonly ThreadDeed[], { requests, seconds }: Span): RoleFingerprint | null => {
  if (deeds.length === 0) return null;
  const perRequest = (figure: (deed: ThreadDeed) => number | null): number | null =>
    over(sumOf(deeds, figure), requests);
  const cpu = cpuUsecOf(deeds);
  return {
    threads: deeds.length,
    voluntarySwitchesPerRequest: perRequest((deed) => deed.voluntarySwitches),
    involuntarySwitchesPerRequest: perRequest((deed) => deed.involuntarySwitches),
    migrationsPerSec: over(
      sumOf(deeds, (deed) => deed.migrations),
      seconds,
    ),
    minorFaults: sumOf(deeds, (deed) => deed.minorFaults),
    userUsecPerRequest: over(cpu.user, requests),
    systemUsecPerRequest: over(cpu.system, requests),
    instructionsPerRequest: perRequest((deed) => deed.instructions),
    cyclesPerRequest: perRequest((deed) => deed.cycles),
    wakeupsPerRequest: null,
    crossingShare: null,
    systemCallsPerRequest: null,
  };
};

/** The figures of a role with those that only the trace has; of what both it and /proc count, /proc saw the whole run. */
export const withTrace = (
  figures: RoleFingerprint,
  trace: RoleTrace,
  { requests, seconds }: Span,
): RoleFingerprint => ({
  ...figures,
  voluntarySwitchesPerRequest: figures.voluntarySwitchesPerRequest ?? over(trace.voluntarySwitches, requests),
  involuntarySwitchesPerRequest: figures.involuntarySwitchesPerRequest ?? over(trace.involuntarySwitches, requests),
  migrationsPerSec: figures.migrationsPerSec ?? over(trace.migrations, seconds),
  wakeupsPerRequest: over(trace.wakeups, requests),
  crossingShare: over(trace.crossed, trace.handedOver),
  systemCallsPerRequest:
    requests === null || requests === 0
      ? null
      : Object.fromEntries(
          [...trace.systemCalls]
            .toSorted(([a, many], [b, others]) => others - many || a.localeCompare(b))
            .map(([name, count]) => [name, count / requests]),
        ),
});
