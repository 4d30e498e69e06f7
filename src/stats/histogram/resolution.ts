/** How finely a quantised metric can tell values apart. */
import { PLAT_BITS } from "./plat.js";

/**
 * Width of the plat bucket at a value, in the metric's unit: 1 below 512, above it twice as much for every doubling.
 * Two runs whose true values differ by less can report values this far apart, and always the same ones.
 */
export const resolutionAt = (value: number): number =>
  value < 2 ** (PLAT_BITS + 1) ? 1 : 2 ** (Math.floor(Math.log2(value)) - PLAT_BITS);
