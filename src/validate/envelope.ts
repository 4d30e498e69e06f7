/**
 * Does a port lie where the reference lies? The references (builds of one program by several compilers) span an envelope of
 * their averages; ours is judged against it, metric by metric, from rounds in which all of them ran in turn.
 *
 * Three answers side by side: the published rule (inside or not, and how far), whether the metric is too noisy for that rule
 * to mean anything, and the interval of our distance from the envelope.
 */
import { finiteOrNull, type Interval } from "../stats/intervals/bootstrap.js";
import { resolutionAt } from "../stats/histogram/resolution.js";
import { mean, spread } from "../stats/sample.js";
import { distanceFrom, envelopeOf, type Equivalence, type EquivalenceOptions, equivalenceOf } from "./equivalence.js";
import type { MetricId } from "../model/metrics/metrics.js";

export type { Equivalence } from "./equivalence.js";

/** One metric of one axis: a value per round, null where the round has none; index i is the same round everywhere. */
export interface EnvelopeInput {
  readonly metric: { readonly id: string; readonly quantised: boolean };
  readonly ours: readonly (number | null)[];
  readonly references: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** How to judge. */
export interface EnvelopeOptions extends EquivalenceOptions {
  /** `measured` finds out which metrics are noise; `published` goes by a fixed list. Default `measured`. */
  readonly policy?: "measured" | "published";
}

/** Why the published rule cannot judge this metric, with the figures that say so (all in the metric's unit). */
interface NoiseFinding {
  readonly isNoise: boolean;
  readonly because: "reference-spread" | "resolution" | "published-list" | null;
  readonly envelopeWidth: number;
  /** Largest minus smallest run of one reference; of the references' spreads the largest. */
  readonly referenceSpread: number;
  /** Step between values that the metric can tell apart; 0 where it is not quantised. */
  readonly resolution: number;
}

/** One metric of one axis, judged. */
export interface EnvelopeJudgement {
  /** Our average over rounds. */
  readonly average: number;
  /** Lowest and highest average of the references. */
  readonly envelope: Interval;
  /** Signed distance of our average from the nearer edge, in percent of that edge; 0 inside; null outside of an edge of 0. */
  readonly distancePercent: number | null;
  /** The same in the metric's unit. */
  readonly distance: number;
  /** `no` also for a noisy metric when our distance exceeds what its noise can explain. */
  readonly verdict: "yes" | "no" | "noise";
  readonly noise: NoiseFinding;
  readonly equivalence: Equivalence;
}

/** The metrics that the published rule calls noise by decree. */
const PUBLISHED_NOISE: ReadonlySet<string> = new Set<MetricId>(["wakeup-p99", "transfer-ops", "transfer-bytes"]);

const known = (values: readonly (number | null)[]): readonly number[] => values.filter((value) => value !== null);

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

/** Judges one metric of one axis; null where we or a reference have no value at all. */
export const judgeEnvelope = (input: EnvelopeInput, options: EnvelopeOptions = {}): EnvelopeJudgement | null => {
  const ours = known(input.ours);
  const references = input.references.map((reference) => known(reference.values));
  if (ours.length === 0 || references.length === 0 || references.some((values) => values.length === 0)) return null;
  const average = mean(ours);
  const envelope = envelopeOf(references.map(mean));
  const distancePercent = finiteOrNull(distanceFrom(average, envelope));
  const noise = noiseOf(input, references, envelope, options.policy ?? "measured");
  const distance = average > envelope.high ? average - envelope.high : Math.min(0, average - envelope.low);
  const outBy = Math.abs(distance);
  const explained = noise.because === "published-list" || outBy <= Math.max(noise.referenceSpread, noise.resolution);
  const verdict = noise.isNoise && explained ? "noise" : outBy === 0 ? "yes" : "no";
  const columns = input.references.map((reference) => reference.values);
  const equivalence = equivalenceOf(input.ours, columns, input.metric.id, options);
  return { average, envelope, distancePercent, distance, verdict, noise, equivalence };
};
