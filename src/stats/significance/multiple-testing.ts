/** Correction for looking at several tests at once. */

/** Is a p at most a level? Sums that are equal on paper may differ by a rounding: a part in 10⁹ decides nothing. */
export const isAtMost = (p: number, level: number): boolean => p <= level * (1 + 1e-9);

/**
 * Holm's step-down correction (S. Holm 1979, Scandinavian Journal of Statistics 6:65–70): adjusted p values in the order
 * given. Rejecting those ≤ α makes at least one false rejection with probability ≤ α, however the tests depend on each other.
 */
export const holm = (ps: readonly number[]): number[] => {
  const order = ps.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  const adjusted = ps.map(() => 1);
  let floor = 0;
  order.forEach(({ p, index }, rank) => {
    floor = Math.max(floor, Math.min(1, (ps.length - rank) * p));
    adjusted[index] = floor;
  });
  return adjusted;
};
