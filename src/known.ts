/** Arithmetic with figures that may not be known: null in, null out. Pure. */

/** By how much a counter of the kernel has risen between two readings; null where one of them is not known. */
export const gain = (before: number | null | undefined, after: number | null | undefined): number | null =>
  typeof before === "number" && typeof after === "number" ? Math.max(0, after - before) : null;

/** The sum of some figures; null where one of them is not known. */
export const sumOfKnown = (values: readonly (number | null)[]): number | null => {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return sum;
};
