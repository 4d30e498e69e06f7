/**
 * The knee of a sweep: the setting at which a latency leaves its flat part.
 *
 * Latency grows with load: what falls again is scatter, so the curve is the rising one that fits the medians best. Its knee is found
 * by Kneedle (V. Satopää, J. Albrecht, D. Irwin, B. Raghavan 2011, "Finding a 'Kneedle' in a Haystack: Detecting Knee Points in System
 * Behavior", ICDCS Workshops, 166–171): in the unit square the curve bends where it lies farthest below the diagonal, and has
 * bent when it comes back towards it. Latencies are taken as logarithms, so that twice is twice at 20 µs and at 2 ms, and settings
 * as steps, as the one who chose them spaced them. What bends must do so over the option's own values, too.
 */
import { at } from "../at.js";
import { resolutionAt } from "../stats/histogram/resolution.js";
import { risingFit, risingTrendP } from "../stats/significance/rising.js";
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
      /** Settings beyond it at which the latency is back at the limit or below, though it rises over all of them. */
      readonly backAt: readonly number[];
    }
  /** It never leaves the flat part. */
  | { readonly kind: "flat"; readonly flatUsec: number; readonly limitUsec: number }
  /** It rises from the first setting on: a flat part, if there is one, lies below the sweep. */
  | { readonly kind: "rising"; readonly firstUsec: number }
  | { readonly kind: "too-few-points"; readonly points: number };

/** Above the flat part means: by more than this share. */
const DEFAULT_TOLERANCE = 0.25;
/**
 * Kneedle's sensitivity, in mean steps: so deep a bend has to be, and so far it has to be left. The authors take 1, for hundreds of points;
 * of the few settings of a sweep a whole step is more than the last one alone can show.
 */
const SENSITIVITY = 0.5;
/** One-sided level of the test for a trend. */
const TREND_LEVEL = 0.05;

/** One setting: the median over runs, and the value of the rising curve. */
interface CurvePoint {
  readonly x: number;
  readonly usec: number;
  readonly fitted: number;
}

type LimitAbove = (level: number) => number;

const curveOf = (points: readonly SweepPoint[]): readonly CurvePoint[] => {
  const measured = points
    .filter((point) => point.values.length > 0)
    .map((point) => ({ x: point.x, usec: median(point.values) }))
    .toSorted((a, b) => a.x - b.x);
  const fitted = risingFit(measured.map(({ usec }) => usec));
  return measured.map((point, index) => ({ ...point, fitted: at(fitted, index) }));
};

const medianUsec = (curve: readonly CurvePoint[]): number => median(curve.map(({ usec }) => usec));

/** Is all of it within the tolerance of its median, with no trend upwards? */
const isLevel = (curve: readonly CurvePoint[], limitAbove: LimitAbove): boolean => {
  const middle = medianUsec(curve);
  const isWithin =
    at(curve, curve.length - 1).fitted <= limitAbove(middle) && middle <= limitAbove(at(curve, 0).fitted);
  return isWithin && risingTrendP(curve.map(({ usec }) => usec)) > TREND_LEVEL;
};

// Logarithms of equal ratios differ by a rounding.
const isAbove = (a: number, b: number): boolean => a > b + 1e-9;

/** Kneedle: places of the points after which the curve bends upwards, in order. The curve rises. */
const bendsOf = (curve: readonly CurvePoint[]): readonly number[] => {
  // Below a microsecond there is nothing to tell apart.
  const logs = curve.map(({ fitted }) => Math.log(Math.max(1, fitted)));
  const last = logs.length - 1;
  const [low, high] = [at(logs, 0), at(logs, last)];
  const belowDiagonal = logs.map((log, place) => place / last - (log - low) / (high - low));
  const depth = SENSITIVITY / last;
  const bends: number[] = [];
  let deepest: number | null = null;
  for (let place = 1; place <= last; place++) {
    const here = at(belowDiagonal, place);
    const isMaximum =
      place < last &&
      !isAbove(at(belowDiagonal, place - 1), here) &&
      isAbove(here, at(belowDiagonal, place + 1)) &&
      isAbove(here, depth);
    if (isMaximum) deepest = place;
    else if (deepest !== null && isAbove(at(belowDiagonal, deepest) - depth, here)) {
      bends.push(deepest);
      deepest = null;
    }
  }
  return bends;
};

/**
 * Does the curve bend at a place over the option's own values? From the first point to some later one it grows more than twice as much per
 * unit as up to the place. A latency that grows by the same amount per thread bends in steps of 1, 2, 4, 8, but not here.
 */
const bendsOverValues = (curve: readonly CurvePoint[], place: number): boolean => {
  const first = at(curve, 0);
  const growth = (to: CurvePoint): number => (to.fitted - first.fitted) / (to.x - first.x);
  const before = growth(at(curve, place));
  return curve.slice(place + 1).some((later) => growth(later) > 2 * before);
};

/** The knee whose flat part ends at a bend, or null where nothing lies above its limit. */
const kneeAt = (curve: readonly CurvePoint[], bend: number, limitAbove: LimitAbove): Knee | null => {
  const flatUsec = medianUsec(curve.slice(0, bend + 1));
  const limitUsec = Math.max(limitAbove(flatUsec), at(curve, bend).fitted);
  const beyond = curve.findIndex(({ fitted }) => fitted > limitUsec);
  if (beyond < 0) return null;
  return {
    kind: "knee",
    lastFlat: at(curve, beyond - 1).x,
    firstBeyond: at(curve, beyond).x,
    flatUsec,
    limitUsec,
    backAt: curve.slice(beyond).flatMap(({ x, usec }) => (usec > limitUsec ? [] : [x])),
  };
};

/** Finds the knee; points may come in any order. */
export const findKnee = (points: readonly SweepPoint[], tolerance: number = DEFAULT_TOLERANCE): Knee => {
  const limitAbove: LimitAbove = (level) => Math.max(level * (1 + tolerance), level + 2 * resolutionAt(level));
  const curve = curveOf(points);
  if (curve.length < 3) return { kind: "too-few-points", points: curve.length };
  const flatUsec = medianUsec(curve);
  const flat: Knee = { kind: "flat", flatUsec, limitUsec: limitAbove(flatUsec) };
  if (at(curve, curve.length - 1).fitted <= limitAbove(at(curve, 0).fitted)) return flat;
  const knees = bendsOf(curve)
    .filter((bend) => bendsOverValues(curve, bend))
    .map((bend) => kneeAt(curve, bend, limitAbove));
  const knee = knees.find((one) => one !== null);
  return knee ?? (isLevel(curve, limitAbove) ? flat : { kind: "rising", firstUsec: at(curve, 0).usec });
};
