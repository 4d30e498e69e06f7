/** Latencies as a caller writes them. */
import { UsageError } from "../errors.js";
import { NSEC_PER_USEC, USEC_PER_SEC } from "../units.js";

/** A latency: a number of microseconds, or text with its unit, such as `50us`, `1.5ms`, `800ns`. */
export type Duration = number | `${number}${"ns" | "us" | "µs" | "ms" | "s"}`;

const USEC_PER_UNIT: ReadonlyMap<string | undefined, number> = new Map([
  ["ns", 1 / NSEC_PER_USEC],
  ["us", 1],
  ["µs", 1],
  ["ms", USEC_PER_SEC / 1000],
  ["s", USEC_PER_SEC],
]);

const TEXT = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s)$/u;

/**
 * Microseconds of a duration, fractions kept.
 *
 * @throws UsageError when it is none
 */
export const usecOf = (duration: Duration): number => {
  if (typeof duration === "number") {
    if (Number.isFinite(duration) && duration >= 0) return duration;
  } else {
    const [, digits, unit] = TEXT.exec(duration) ?? [];
    const usec = USEC_PER_UNIT.get(unit);
    if (usec !== undefined) return Number(digits) * usec;
  }
  throw new UsageError(
    `invalid duration "${duration}": allowed is a number of microseconds, or a number with ns, us, ms or s, such as 50us`,
  );
};

/** Microseconds as text: `50 us`. */
export const usecText = (usec: number): string => `${Number(usec.toFixed(3))} us`;
