/**
 * How much of an error level may be used by when, for someone who looks again and again: the spending function of Lan and DeMets
 * that is close to Pocock's boundary, α·ln(1 + (e − 1)·t) (K. Lan, D. DeMets 1983, "Discrete sequential boundaries for clinical trials",
 * Biometrika 70:659–663). Each look has the level that was not spent before it. By Bonferroni's inequality the looks together then
 * err in at most α, whatever is tested at each of them and however the looks depend on each other.
 */

/** What may be spent up to a share `t` (0 to 1) of the runs. */
export const spentUpTo = (alpha: number, t: number): number =>
  alpha * Math.log(1 + (Math.E - 1) * Math.min(Math.max(t, 0), 1));

/** When someone looks. */
export interface Looks {
  /** Runs a side at the first look. */
  readonly first: number;
  /** Runs a side at the last; in between there is a look after each. */
  readonly most: number;
}

/** The level of the look after `runs` runs a side: what was not spent at the look before it. */
export const lookLevel = (alpha: number, { first, most }: Looks, runs: number): number => {
  const before = runs <= first ? 0 : spentUpTo(alpha, (runs - 1) / most);
  return spentUpTo(alpha, runs / most) - before;
};
