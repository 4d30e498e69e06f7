/** An experiment is not continued elsewhere unnoticed. Pure. */
import { UserError } from "../errors.js";
import type { RunOrigin } from "../model/result/run-origin.js";

const NAMES = {
  hostname: "machine",
  kernel: "kernel",
  bootId: "boot",
  version: "version of schbench-ts",
} as const satisfies Partial<Record<keyof RunOrigin, string>>;

/** What differs between two places, in words; what one of them does not know does not differ. */
const originDifferences = (before: RunOrigin, now: RunOrigin): readonly string[] =>
  (["hostname", "kernel", "bootId", "version"] as const)
    .filter((key) => before[key] !== null && now[key] !== null && before[key] !== now[key])
    .map((key) => (key === "bootId" ? "another boot" : `${NAMES[key]} "${before[key]}", now "${now[key]}"`));

/**
 * Refuses to continue an experiment elsewhere than where it was begun.
 *
 * @param origins those of the runs that are stored, in order; undefined for runs of older versions
 * @throws UserError that says what differs
 */
export const checkOrigin = (path: string, origins: readonly (RunOrigin | undefined)[], now: RunOrigin): void => {
  const last = origins.findLast((origin) => origin !== undefined);
  if (last === undefined) return;
  const differences = originDifferences(last, now);
  if (differences.length > 0)
    throw new UserError(
      `cannot continue "${path}" here: its runs were made elsewhere (${differences.join("; ")})`,
      "Begin a new file with -o, or add --elsewhere to put runs of both into one.",
    );
};
