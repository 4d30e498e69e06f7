/**
 * Does a port lie where the reference lies? The references (builds of one program by several compilers) span an envelope of
 * their averages; ours is judged against it, metric by metric, from rounds in which all of them ran in turn.
 *
 * Three answers side by side: the published rule (inside or not, and how far), whether the metric is too noisy for that rule
 * to mean anything, and the interval of our distance from the envelope.
 */
import { bootstrap, DEFAULT_RESAMPLES, type Interval, intervalOf } from "../stats/bootstrap.js";
import { labelledRandom } from "../stats/random.js";
import { resolutionAt } from "../stats/resolution.js";
import { mean, spread } from "../stats/sample.js";
import type { MetricDefinition, MetricId } from "./metrics.js";

/** One metric of one axis: a value per round, null where the round has none; index i is the same round everywhere. */
export interface EnvelopeInput {
  readonly metric: Pick<MetricDefinition, "quantised"> & { readonly id: MetricId };
  readonly ours: readonly (number | null)[];
  readonly references: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** How to judge. */
export interface EnvelopeOptions {
  /** `measured` finds out which metrics are noise; `published` goes by a fixed list. Default `measured`. */
  readonly policy?: "measured" | "published";
  /** Still inside so far beyond an edge, in percent of the edge; default 0. Only the equivalence knows it. */
  readonly marginPercent?: number;
  readonly seed?: number;
  readonly confidence?: number;
  readonly resamples?: number;
}

/** Why the published rule cannot judge this metric, with the figures that say so (all in the metric's unit). */
export interface NoiseFinding {
  readonly isNoise: boolean;
  readonly because: "reference-spread" | "resolution" | "published-list" | null;
  readonly envelopeWidth: number;
  /** Largest minus smallest run of one reference; of the references' spreads the largest. */
  readonly referenceSpread: number;
  /** Step between values that the metric can tell apart; 0 where it is not quantised. */
  readonly resolution: number;
}

/** What the interval of our distance says. */
export interface Equivalence {
  readonly kind: "inside" | "outside" | "undecided";
  /** Signed distance from the nearer edge in percent, 0 inside; null with fewer than two complete rounds. */
  readonly distancePercent: Interval | null;
  /** Rounds in which every subject has a value. */
  readonly rounds: number;
  /** Undecided: about how many more rounds would decide; null where that cannot be said, or no feasible number does. */
  readonly furtherRounds: number | null;
}

/** One metric of one axis, judged. */
export interface EnvelopeJudgement {
  /** Our average over rounds. */
  readonly average: number;
  /** Lowest and highest average of the references. */
  readonly envelope: Interval;
  /** Signed distance of our average from the nearer edge, in percent of that edge; 0 inside. */
  readonly distancePercent: number;
  /** `no` also for a noisy metric when our distance exceeds what its noise can explain. */
  readonly verdict: "yes" | "no" | "noise";
  readonly noise: NoiseFinding;
  readonly equivalence: Equivalence;
}

/** The metrics that the published rule calls noise by decree. */
const PUBLISHED_NOISE: ReadonlySet<MetricId> = new Set<MetricId>(["wakeup-p99", "transfer-ops", "transfer-bytes"]);
const MOST_ROUNDS = 1000;

const known = (values: readonly (number | null)[]): readonly number[] => values.filter((value) => value !== null);

/** Signed distance of a value from the nearer edge, in percent of that edge; 0 inside. Infinite where the edge is 0. */
export const distanceFrom = (value: number, { low, high }: Interval): number => {
  if (value > high) return ((value - high) / high) * 100;
  return value < low ? ((value - low) / low) * 100 : 0;
};

const envelopeOf = (averages: readonly number[]): Interval => ({
  low: Math.min(...averages),
  high: Math.max(...averages),
});

const noiseOf = (
  input: EnvelopeInput,
  references: readonly (readonly number[])[],
  envelope: Interval,
  policy: "measured" | "published",
): NoiseFinding => {
  const envelopeWidth = envelope.high - envelope.low;
  const referenceSpread = Math.max(...references.map(spread));
  const resolution = input.metric.quantised ? resolutionAt(envelope.high) : 0;
  const because =
    policy === "published"
      ? PUBLISHED_NOISE.has(input.metric.id)
        ? "published-list"
        : null
      : referenceSpread > envelopeWidth
        ? "reference-spread"
        : resolution > envelopeWidth
          ? "resolution"
          : null;
  return { isNoise: because !== null, because, envelopeWidth, referenceSpread, resolution };
};

/** About how many more rounds bring an interval of this half-width clear of a boundary so far away; null: too many. */
const roundsToClear = (rounds: number, halfWidth: number, gap: number): number | null => {
  const needed = gap === 0 ? Infinity : rounds * (halfWidth / gap) ** 2;
  return needed > MOST_ROUNDS ? null : Math.max(1, Math.ceil(needed) - rounds);
};

const equivalenceOf = (input: EnvelopeInput, options: EnvelopeOptions): Equivalence => {
  const { marginPercent = 0, seed = 1, confidence = 0.95, resamples = DEFAULT_RESAMPLES } = options;
  const columns = [input.ours, ...input.references.map((reference) => reference.values)];
  const complete = input.ours
    .map((_, round) => columns.map((column) => column[round] ?? null).filter((value) => value !== null))
    .filter((row) => row.length === columns.length);
  const rounds = complete.length;
  if (rounds < 2) return { kind: "undecided", distancePercent: null, rounds, furtherRounds: null };

  // Whole rounds are drawn, so that what the machine did to all subjects of a round cancels.
  const averagesOf = (indices: Uint32Array): { readonly ours: number; readonly envelope: Interval } => {
    const [ours = Number.NaN, ...references] = columns.map(
      (_, column) => indices.reduce((sum, round) => sum + (complete[round]?.[column] ?? Number.NaN), 0) / rounds,
    );
    return { ours, envelope: envelopeOf(references) };
  };
  const aboveHigh: number[] = [];
  const aboveLow: number[] = [];
  const distances = bootstrap(rounds, resamples, labelledRandom(seed, input.metric.id), (indices) => {
    const { ours, envelope } = averagesOf(indices);
    aboveHigh.push(((ours - envelope.high) / envelope.high) * 100);
    aboveLow.push(((ours - envelope.low) / envelope.low) * 100);
    return distanceFrom(ours, envelope);
  });
  const distancePercent = intervalOf(distances, confidence, rounds);
  const { low, high } = distancePercent;
  if (low >= -marginPercent && high <= marginPercent)
    return { kind: "inside", distancePercent, rounds, furtherRounds: 0 };
  if (low > marginPercent || high < -marginPercent)
    return { kind: "outside", distancePercent, rounds, furtherRounds: 0 };

  const now = averagesOf(Uint32Array.from({ length: rounds }, (_, round) => round));
  const clear = (bootstrapped: readonly number[], edge: number, boundary: number): number | null => {
    const interval = intervalOf(bootstrapped, confidence, rounds);
    const at = ((now.ours - edge) / edge) * 100;
    return roundsToClear(rounds, (interval.high - interval.low) / 2, Math.abs(at - boundary));
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

/** Judges one metric of one axis; null where we or a reference have no value at all. */
export const judgeEnvelope = (input: EnvelopeInput, options: EnvelopeOptions = {}): EnvelopeJudgement | null => {
  const ours = known(input.ours);
  const references = input.references.map((reference) => known(reference.values));
  if (ours.length === 0 || references.length === 0 || references.some((values) => values.length === 0)) return null;
  const average = mean(ours);
  const envelope = envelopeOf(references.map(mean));
  const distancePercent = distanceFrom(average, envelope);
  const noise = noiseOf(input, references, envelope, options.policy ?? "measured");
  const outBy = Math.max(average - envelope.high, envelope.low - average, 0);
  const explained = noise.because === "published-list" || outBy <= Math.max(noise.referenceSpread, noise.resolution);
  const verdict = noise.isNoise && explained ? "noise" : outBy === 0 ? "yes" : "no";
  return { average, envelope, distancePercent, verdict, noise, equivalence: equivalenceOf(input, options) };
};
