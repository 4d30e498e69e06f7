/** How exactly requests are sent at a rate, and how late a sleep ends on this machine at all. */
import { asNumber, monotonicNsec, openLibrary } from "../src/platform/libc.js";
import type { RateOutcome } from "../src/model/result/run-result.js";
import { type BenchSubject, runSubject } from "./subjects.js";

/** Sends at one rate. */
export interface RateAccuracy {
  readonly perSec: number;
  /** Sent per second of the measured time. */
  readonly delivered: number;
  readonly lateness: RateOutcome["lateness"];
}

/** Long enough that one slot more or less is below 0.1 %. */
const secondsFor = (perSec: number): number => Math.max(4, Math.ceil(1200 / perSec));

/** One run at a rate, with requests that do no work, so that both CPUs are idle between them. */
export const rateAccuracy = async (subject: BenchSubject, perSec: number): Promise<RateAccuracy> => {
  const flags = `-m 1 -t 2 -n 0 -s 0 -R ${perSec} -r ${secondsFor(perSec)}`;
  const { rate, measuredSec } = await runSubject(subject, flags.split(" "));
  return {
    perSec,
    delivered: (rate?.sent ?? Number.NaN) / (measuredSec ?? Number.NaN),
    lateness: rate?.lateness ?? null,
  };
};

const CLOCK_MONOTONIC = 1;
const TIMER_ABSTIME = 1;
const PR_SET_TIMERSLACK = 29;
const NSEC_PER_SEC = 1_000_000_000n;

/**
 * Lateness of a bare sleep in µs, ascending: this thread sleeps to due times at even distances (clock_nanosleep, timer
 * slack 1 ns) and does nothing else. What sleeping costs here, not a bound: a sender whose CPU idles less deeply can do better.
 */
export const bareTimerLateness = (perSec: number): readonly number[] => {
  const libc = openLibrary("libc.so.6");
  const sleepUntil = libc.func("int clock_nanosleep(int clock, int flags, void* due, void* left)");
  libc.func("int prctl(int option, unsigned long value)")(PR_SET_TIMERSLACK, 1);
  const due = new BigInt64Array(2);
  const bytes = new Uint8Array(due.buffer);
  const start = BigInt(monotonicNsec()) + 10_000_000n;
  const count = perSec * secondsFor(perSec);
  const late = Array.from({ length: count }, (_, slot) => {
    const at = start + (BigInt(slot) * NSEC_PER_SEC) / BigInt(perSec);
    due.set([at / NSEC_PER_SEC, at % NSEC_PER_SEC]);
    asNumber(sleepUntil(CLOCK_MONOTONIC, TIMER_ABSTIME, bytes, null));
    return (monotonicNsec() - Number(at)) / 1000;
  });
  return late.toSorted((a, b) => a - b);
};
