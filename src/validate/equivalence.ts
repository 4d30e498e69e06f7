/**
 * Equivalence with an envelope: the bootstrap interval, over interleaved rounds, of our distance from it. Being inside has
 * to be shown, just as being outside has (Schuirmann 1987, two one-sided tests).
 */
import { at } from "../at.js";
import {
  bootstrap,
  DEFAULT_RESAMPLES,
  finiteOrNull,
  type Interval,
  intervalOf,
  type OpenInterval,
} from "../stats/intervals/bootstrap.js";
import { labelledRandom } from "../stats/random.js";

/** How to judge. */
export interface EquivalenceOptions {
  /** Still inside so far beyond an edge, in percent of the edge; default 0. */
  readonly marginPercent?: number;
  readonly seed?: number;
  readonly confidence?: number;
  readonly resamples?: number;
}

/** What the interval of our distance says. */
export interface Equivalence {
  readonly kind: "inside" | "outside" | "undecided";
  /**
   * Signed distance from the nearer edge in percent, 0 inside; an end is null where the edge may be 0, so that the distance has
   * no percentage; all of it with fewer than two complete rounds.
   */
  readonly distancePercent: OpenInterval | null;
  /** Rounds in which every subject has a value. */
  readonly rounds: number;
  /** Undecided: about how many more rounds would decide; null where that cannot be said, or no feasible number does. */
  readonly furtherRounds: number | null;
}

const MOST_ROUNDS = 1000;

/** Signed distance of a value from the nearer edge, in percent of that edge; 0 inside. Infinite where the edge is 0. */
export const distanceFrom = (value: number, { low, high }: Interval): number => {
  if (value > high) return ((value - high) / high) * 100;
  return value < low ? ((value - low) / low) * 100 : 0;
};

/** From the lowest to the highest of the averages. */
export const envelopeOf = (averages: readonly number[]): Interval => ({
  low: Math.min(...averages),
  high: Math.max(...averages),
});

/** About how many more rounds bring an interval of this half-width clear of a boundary so far away; null: too many. */
const roundsToClear = (rounds: number, halfWidth: number, gap: number): number | null => {
  const needed = gap === 0 ? Infinity : rounds * (halfWidth / gap) ** 2;
  return !(needed <= MOST_ROUNDS) ? null : Math.max(1, Math.ceil(needed) - rounds);
};

/**
 * Is our average shown to lie inside the envelope of the references' averages, or outside? `label` names the figure to the
 * random numbers.
 */
export const equivalenceOf = (
  ours: readonly (number | null)[],
  references: readonly (readonly (number | null)[])[],
  label: string,
  options: EquivalenceOptions = {},
): Equivalence => {
  const { marginPercent = 0, seed = 1, confidence = 0.95, resamples = DEFAULT_RESAMPLES } = options;
  const columns = [ours, ...references];
  const complete = ours
    .map((_, round) => columns.map((column) => column[round] ?? null).filter((value) => value !== null))
    .filter((row) => row.length === columns.length);
  const rounds = complete.length;
  if (rounds < 2) return { kind: "undecided", distancePercent: null, rounds, furtherRounds: null };

  // Whole rounds are drawn, so that what the machine did to all subjects of a round cancels.
  const averagesOf = (indices: Uint32Array): { readonly ours: number; readonly envelope: Interval } => {
    const averages = columns.map(
      (_, column) => indices.reduce((sum, round) => sum + at(at(complete, round), column), 0) / rounds,
    );
    return { ours: at(averages, 0), envelope: envelopeOf(averages.slice(1)) };
  };
  const aboveHigh: number[] = [];
  const aboveLow: number[] = [];
  const distances = bootstrap(rounds, resamples, labelledRandom(seed, label), (indices) => {
    const { ours: drawn, envelope } = averagesOf(indices);
    aboveHigh.push(((drawn - envelope.high) / envelope.high) * 100);
    aboveLow.push(((drawn - envelope.low) / envelope.low) * 100);
    return distanceFrom(drawn, envelope);
  });
  const { low, high } = intervalOf(distances, confidence, rounds);
  const distancePercent = { low: finiteOrNull(low), high: finiteOrNull(high) };
  if (low >= -marginPercent && high <= marginPercent)
    return { kind: "inside", distancePercent, rounds, furtherRounds: 0 };
  if (low > marginPercent || high < -marginPercent)
    return { kind: "outside", distancePercent, rounds, furtherRounds: 0 };

  const now = averagesOf(Uint32Array.from({ length: rounds }, (_, round) => round));
  const clear = (bootstrapped: readonly number[], edge: number, boundary: number): number | null => {
    const interval = intervalOf(bootstrapped, confidence, rounds);
    const here = ((now.ours - edge) / edge) * 100;
    return roundsToClear(rounds, (interval.high - interval.low) / 2, Math.abs(here - boundary));
  };
  const overHigh = clear(aboveHigh, now.envelope.high, marginPercent);
  const overLow = clear(aboveLow, now.envelope.low, -marginPercent);
  const distance = distanceFrom(now.ours, now.envelope);
  // Outside, one edge decides; inside, we must get clear of both.
  const furtherRounds =
    distance > marginPercent
      ? overHigh
      : distance < -marginPercent
        ? overLow
        : overHigh === null || overLow === null
          ? null
          : Math.max(overHigh, overLow);
  return { kind: "undecided", distancePercent, rounds, furtherRounds };
};
