/** Where workers stand beside their message thread, from readings of every thread's CPU. Pure. */
import type { Fingerprint } from "../model/result/fingerprint.js";

/** One reading: the CPU of a worker and that of its message thread, a pair for each worker. */
export type PlacementReading = readonly (readonly [workerCpu: number | null, messageCpu: number | null])[];

/** The share of workers on the CPU of their message thread; null when there is none, or one is not known. */
export const besideShare = (reading: PlacementReading): number | null => {
  if (reading.length === 0 || reading.some((pair) => pair.includes(null))) return null;
  return reading.filter(([worker, message]) => worker === message).length / reading.length;
};

/** The first, the mean and the last of some shares; the ones that are not known are left out. */
export const placementOf = (shares: readonly (number | null)[]): Fingerprint["besideMessage"] => {
  const known = shares.filter((share) => share !== null);
  return {
    atStart: known[0] ?? null,
    mean: known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / known.length,
    atEnd: known.at(-1) ?? null,
  };
};
