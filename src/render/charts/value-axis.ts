/** Axes of values: logarithmic when the values span much, linear when they do not, with round numbers as ticks. */
import { at } from "../../at.js";

/** One axis: what Plot needs, and the mapping that places labels. */
export interface ValueAxis {
  readonly type: "log" | "linear";
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  /** Share of the axis's length below a value, 0 to 1; values outside are clamped. */
  readonly position: (value: number) => number;
  /** The value at a share of the length. */
  readonly valueAt: (position: number) => number;
}

/** How an axis is to be laid out. */
export interface AxisWish {
  /** Most decades that still get 1-2-5 ticks rather than powers of ten. */
  readonly fineDecades?: number;
  /** Linear axes: about how many ticks. */
  readonly tickCount?: number;
  /** Linear axes: the least width as a share of the middle value, so that noise is not blown up. */
  readonly leastSpan?: number;
  /** Linear axes: begin at zero. */
  readonly fromZero?: boolean;
  /** Largest ratio of maximum to minimum that is still drawn linearly. */
  readonly linearUpTo?: number;
  /** Logarithmic axes: end at the values, not at the round number beyond. */
  readonly tight?: boolean;
}

const LOG_STEPS = [1, 2, 5, 10] as const;
/** Latencies have whole µs; on a logarithmic axis a zero is drawn at half of one. */
const LEAST_LOG_VALUE = 0.5;

/** Axes of equal values are at least so wide, as a share of the value. */
const LEAST_SPAN = 0.02;

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

const decadeOf = (value: number): number => 10 ** Math.floor(Math.log10(value) + 1e-9);

const roundLogStep = (value: number, direction: "down" | "up"): number => {
  const decade = decadeOf(value);
  const mantissa = value / decade;
  const step =
    direction === "up"
      ? LOG_STEPS.find((candidate) => candidate >= mantissa - 1e-9)
      : LOG_STEPS.findLast((candidate) => candidate <= mantissa + 1e-9);
  return (step ?? 1) * decade;
};

const linearTicks = (from: number, to: number, step: number): readonly number[] => {
  const ticks: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
};

const logTicks = (low: number, high: number, fineDecades: number): readonly number[] => {
  const steps = Math.log10(high / low) <= fineDecades ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let decade = decadeOf(low); decade <= high * 1.001; decade *= 10)
    for (const step of steps) {
      const tick = Number((step * decade).toPrecision(6));
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  return ticks.length < 3 ? linearTicks(low, high, roundStep((high - low) / 5)) : ticks;
};

const logAxis = (low: number, high: number, wish: AxisWish): ValueAxis => {
  const least = Math.max(low, LEAST_LOG_VALUE);
  const from = wish.tight === true ? least : roundLogStep(least, "down");
  const to = wish.tight === true ? Math.max(high, from * 1.05) : roundLogStep(Math.max(high, from * 2), "up");
  const length = Math.log(to / from);
  return {
    type: "log",
    domain: [from, to],
    ticks: logTicks(from, to, wish.fineDecades ?? 2.1),
    position: (value) => Math.log(clamp(value, from, to) / from) / length,
    valueAt: (position) => from * Math.exp(position * length),
  };
};

/** The round number (1, 2, 2.5 or 5 times a power of ten) nearest above a step. */
export const roundStep = (step: number): number => {
  const decade = decadeOf(step);
  const nice = [1, 2, 2.5, 5, 10].find((candidate) => candidate * decade >= step - decade * 1e-9) ?? 10;
  return nice * decade;
};

const linearAxis = (low: number, high: number, wish: AxisWish): ValueAxis => {
  const middle = (low + high) / 2;
  const half = Math.max((high - low) * 0.55, (Math.abs(middle) * (wish.leastSpan ?? LEAST_SPAN)) / 2) || 1;
  const from = wish.fromZero === true ? 0 : low >= 0 ? Math.max(0, middle - half) : middle - half;
  const to = wish.fromZero === true ? high * 1.05 || 1 : middle + half;
  const step = roundStep((to - from) / (wish.tickCount ?? 5));
  return {
    type: "linear",
    domain: [from, to],
    ticks: linearTicks(from, to, step),
    position: (value) => (clamp(value, from, to) - from) / (to - from),
    valueAt: (position) => from + position * (to - from),
  };
};

/** The axis for some values (at least one); logarithmic when the largest is more than `linearUpTo` (8) times the least. */
export const valueAxis = (values: readonly number[], wish: AxisWish = {}): ValueAxis => {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return linearAxis(0, 1, wish);
  const ratio = high / Math.max(low, LEAST_LOG_VALUE);
  return wish.fromZero !== true && low >= 0 && ratio > (wish.linearUpTo ?? 8)
    ? logAxis(low, high, wish)
    : linearAxis(low, high, wish);
};

/**
 * Moves label positions (pixels, in any order) apart until neighbours keep a gap, within [low, high] where there is
 * room; the order of the results is that of the input.
 */
export const spreadLabels = (
  positions: readonly number[],
  gap: number,
  low: number,
  high: number,
): readonly number[] => {
  const order = positions.map((_, i) => i).toSorted((a, b) => at(positions, a) - at(positions, b));
  const placed = [...positions];
  let next = low;
  for (const i of order) {
    placed[i] = Math.max(at(placed, i), next);
    next = at(placed, i) + gap;
  }
  let last = Math.max(high, low + gap * (positions.length - 1));
  for (const i of order.toReversed()) {
    placed[i] = Math.min(at(placed, i), last);
    last = at(placed, i) - gap;
  }
  return placed;
};
