/**
 * The knee of a sweep: the setting at which a latency leaves its flat part.
 *
 * The flat part grows point by point from the smallest setting. A point ends it when it, and every point after it, lies
 * above the median of the flat part by more than the tolerance; a hiccup that the next point takes back is no knee, and a
 * slow climb is caught because the median stays behind.
 */
import { resolutionAt } from "../stats/resolution.js";
import { median } from "../stats/sample.js";

/** One setting of the varied option, with the latency of each run at it (at least one), usec. */
export interface SweepPoint {
  readonly x: number;
  readonly values: readonly number[];
}

/** What was found; latencies in usec. */
export type Knee =
  | {
      readonly kind: "knee";
      /** The last setting of the flat part, and the first beyond it. */
      readonly lastFlat: number;
      readonly firstBeyond: number;
      /** Median of the flat part, and what a point had to exceed. */
      readonly flatUsec: number;
      readonly limitUsec: number;
    }
  /** It never leaves the flat part. */
  | { readonly kind: "flat"; readonly flatUsec: number; readonly limitUsec: number }
  /** It rises from the first setting on: a flat part, if there is one, lies below the sweep. */
  | { readonly kind: "rising"; readonly firstUsec: number }
  | { readonly kind: "too-few-points"; readonly points: number };

/** Above the flat part means: by more than this share. */
const DEFAULT_TOLERANCE = 0.25;

/** Finds the knee; points may come in any order. */
export const findKnee = (points: readonly SweepPoint[], tolerance: number = DEFAULT_TOLERANCE): Knee => {
  const curve = points
    .filter((point) => point.values.length > 0)
    .map((point) => ({ x: point.x, usec: median(point.values) }))
    .toSorted((a, b) => a.x - b.x);
  const [first, ...rest] = curve;
  if (first === undefined || rest.length < 2) return { kind: "too-few-points", points: curve.length };
  const limitAbove = (level: number): number => Math.max(level * (1 + tolerance), level + 2 * resolutionAt(level));
  const flat = [first];
  for (const [index, point] of rest.entries()) {
    const flatUsec = median(flat.map((member) => member.usec));
    const limitUsec = limitAbove(flatUsec);
    if (rest.slice(index).every((later) => later.usec > limitUsec))
      return flat.length === 1
        ? { kind: "rising", firstUsec: first.usec }
        : { kind: "knee", lastFlat: flat.at(-1)?.x ?? first.x, firstBeyond: point.x, flatUsec, limitUsec };
    flat.push(point);
  }
  const flatUsec = median(flat.map((member) => member.usec));
  return { kind: "flat", flatUsec, limitUsec: limitAbove(flatUsec) };
};
