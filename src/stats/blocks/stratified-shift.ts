/**
 * The factor between two sides in blocks: by how much must the first side's values be multiplied, so that van Elteren's rank test sees no
 * difference? The estimate and interval of J. Hodges and E. Lehmann (1963, "Estimates of Location Based on Rank Tests", Annals of
 * Mathematical Statistics 34:598–611), for ranks within blocks. Whatever a block multiplies on both sides cancels.
 */
import { at } from "../../at.js";
import type { Interval } from "../intervals/bootstrap.js";
import { normalQuantile } from "../distributions.js";
import { ascending } from "../sample.js";

/** The values of both sides in one block, ≥ 0, at least one each. */
export interface TwoSided {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Pairs with x·factor > y less those with x·factor < y, over all blocks; a block counts 1 / (its values + 1). */
const balance = (blocks: readonly TwoSided[], factor: number): number =>
  blocks.reduce((sum, { x, y }) => {
    // Both ascending: one pass finds how many of y each x lies above and below.
    let [above, notBelow, pairs] = [0, 0, 0];
    for (const value of x) {
      while (above < y.length && at(y, above) < value * factor) above++;
      while (notBelow < y.length && at(y, notBelow) <= value * factor) notBelow++;
      pairs += above - (y.length - notBelow);
    }
    return sum + pairs / (x.length + y.length + 1);
  }, 0);

/** The smallest factor whose balance is at least `least` (or above it); 0 or Infinity where none is between. */
const firstFactor = (
  blocks: readonly TwoSided[],
  isReached: (balance: number) => boolean,
  bounds: Interval,
): number => {
  if (isReached(balance(blocks, 0))) return 0;
  if (!isReached(balance(blocks, bounds.high))) return Infinity;
  let low = Math.log(bounds.low);
  let high = Math.log(bounds.high);
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (isReached(balance(blocks, Math.exp(middle)))) high = middle;
    else low = middle;
  }
  return Math.exp(high);
};

/**
 * The factor from x to y with its interval; null where no positive value stands on both sides of any block. An end that these values do not
 * know is 0 or Infinity.
 */
export const stratifiedFactor = (
  given: readonly TwoSided[],
  confidence: number,
): { readonly value: number; readonly interval: Interval } | null => {
  const blocks = given.map(({ x, y }) => ({ x: ascending(x), y: ascending(y) }));
  const ratios = blocks.flatMap(({ x, y }) => {
    const [least, most] = [x.find((value) => value > 0), x.at(-1)];
    const [from, to] = [y.find((value) => value > 0), y.at(-1)];
    return least === undefined || most === undefined || from === undefined || to === undefined
      ? []
      : [from / most, to / least];
  });
  if (ratios.length === 0) return null;
  // All factors at which anything changes lie between these.
  const bounds = { low: Math.min(...ratios) / 2, high: Math.max(...ratios) * 2 };
  const deviation = Math.sqrt(
    blocks.reduce((sum, { x, y }) => sum + (x.length * y.length) / (3 * (x.length + y.length + 1)), 0),
  );
  const reach = normalQuantile((1 + confidence) / 2) * deviation;
  const from = firstFactor(blocks, (seen) => seen >= 0, bounds);
  const to = firstFactor(blocks, (seen) => seen > 0, bounds);
  const value = from > 0 && Number.isFinite(to) ? Math.sqrt(from * to) : Number.isFinite(from) ? from : to;
  return {
    value,
    interval: {
      low: firstFactor(blocks, (seen) => seen >= -reach, bounds),
      high: firstFactor(blocks, (seen) => seen > reach, bounds),
    },
  };
};
