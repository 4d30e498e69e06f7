/**
 * One effect from several places (machines), each with its own: the random-effects model. Place i shows y_i = μ + u_i + e_i, where u_i is how much
 * the place differs (variance τ²) and e_i how much its runs scatter (variance v_i, known from them).
 *
 * - Disagreement: Cochran's Q = Σ w_i (y_i − ȳ)² with w_i = 1/v_i (W. Cochran 1954, "The combination of estimates from different experiments",
 *   Biometrics 10:101–129).
 * - τ²: max(0, (Q − (k − 1)) / (Σ w − Σ w² / Σ w)) (R. DerSimonian, N. Laird 1986, "Meta-analysis in clinical trials", Controlled Clinical
 *   Trials 7:177–188).
 * - μ: the mean with weights 1/(v_i + τ²); its variance is estimated from how the places scatter about it, with k − 1 degrees of freedom (J. Hartung,
 *   G. Knapp 2001, "A refined method for the meta-analysis of controlled clinical trials with binary outcome", Statistics in Medicine
 *   20:3875–3889), but never below 1/Σ weights, so that few places that agree by chance do not look surer than their runs (C. Röver, G. Knapp,
 *   T. Friede 2015, BMC Medical Research Methodology 15:99).
 */
import { at } from "../../at.js";
import { chiSquareTail, studentCdf, studentQuantile } from "../distributions.js";
import type { Interval } from "../intervals/bootstrap.js";

/** What one place shows; the variance is above 0. */
export interface PlaceEffect {
  readonly effect: number;
  readonly variance: number;
}

/** How far the places disagree. */
export interface Disagreement {
  /** Cochran's Q. */
  readonly q: number;
  readonly degrees: number;
  /** P(a chi-square of these degrees ≥ q): right where every variance comes from many runs. */
  readonly p: number;
  /** Variance of the effect from place to place (DerSimonian and Laird). */
  readonly tauSquared: number;
  /** Share of the scatter of the effects that is more than their runs explain, 0 to 1 (J. Higgins, S. Thompson 2002). */
  readonly iSquared: number;
}

/** The effect over all places. */
export interface RandomEffect {
  readonly effect: number;
  readonly standardError: number;
  /** Degrees of freedom of Student's t. */
  readonly degrees: number;
  /** Two-sided p of "no effect at places like these". */
  readonly p: number;
}

/** Mean of the effects with weights 1/(variance + τ²). */
const weighed = (places: readonly PlaceEffect[], tauSquared: number) => {
  const weights = places.map(({ variance }) => 1 / (variance + tauSquared));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = places.reduce((sum, { effect }, index) => sum + effect * at(weights, index), 0) / total;
  const q = places.reduce((sum, { effect }, index) => sum + at(weights, index) * (effect - mean) ** 2, 0);
  return { weights, total, mean, q };
};

/** Cochran's Q and what follows from it, of at least two places. */
export const disagreement = (places: readonly PlaceEffect[]): Disagreement => {
  const { weights, total, q } = weighed(places, 0);
  const degrees = places.length - 1;
  const scale = total - weights.reduce((sum, weight) => sum + weight ** 2, 0) / total;
  return {
    q,
    degrees,
    p: chiSquareTail(q, degrees),
    tauSquared: Math.max(0, (q - degrees) / scale),
    iSquared: q <= degrees ? 0 : (q - degrees) / q,
  };
};

/**
 * The effect at places like these, at least two.
 *
 * @param tauSquared variance from place to place; as `disagreement` estimates it
 */
export const randomEffect = (places: readonly PlaceEffect[], tauSquared: number): RandomEffect => {
  const { total, mean, q } = weighed(places, tauSquared);
  const degrees = places.length - 1;
  const standardError = Math.sqrt(Math.max(1, q / degrees) / total);
  return {
    effect: mean,
    standardError,
    degrees,
    p: Math.min(1, 2 * studentCdf(-Math.abs(mean) / standardError, degrees)),
  };
};

/** The interval of a random effect. */
export const effectInterval = ({ effect, standardError, degrees }: RandomEffect, confidence: number): Interval => {
  const reach = studentQuantile((1 + confidence) / 2, degrees) * standardError;
  return { low: effect - reach, high: effect + reach };
};
