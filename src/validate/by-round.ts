/**
 * Does a port lie where the references lie, judged round by round? In a round all subjects run in turn within a minute, so
 * what the machine does to a round it does to all of them: our value is divided by each reference's *of the same round*, and
 * only these ratios are looked at over rounds. Drift between rounds cancels, however large.
 *
 * Above the envelope means above *every* reference, so it is shown when each ratio is shown to be above 1 (intersection–union
 * test, R. Berger 1982, Technometrics 24:295–300: no correction). Not above it by more than a margin is shown when *some* ratio
 * is, so each bound is at the level divided by the number of references (Bonferroni). Both edges together are Schuirmann's two
 * one-sided tests (1987), on log ratios and without assuming a normal scatter: D. Hauschke, V. Steinijans, E. Diletti 1990,
 * "A Distribution-Free Procedure for the Statistical Analysis of Bioequivalence Studies", International Journal of Clinical
 * Pharmacology, Therapy and Toxicology 28:72–78.
 *
 * Where the references scatter so much that the margin cannot be shown, no more is asked than they themselves keep to
 * (reference-scaled equivalence, S. Haidar et al. 2008, Pharmaceutical Research 25:237–241): their repeatability limit, within
 * which two single runs of a round lie in 95 % of rounds (ISO 5725-6). That verdict is called noise.
 */
import { at } from "../at.js";
import { resolutionAt } from "../stats/histogram/resolution.js";
import { mean, median, standardDeviation } from "../stats/sample.js";
import { pairedCentre, pairsForBound } from "../stats/significance/signed-rank.js";
import { type Scale, scaleOf } from "./difference-scale.js";

/** One metric of one axis: a value per round, null where the round has none; index i is the same round everywhere. */
export interface RoundsInput {
  readonly ours: readonly (number | null)[];
  /** The references that span the envelope. */
  readonly references: readonly (readonly (number | null)[])[];
  readonly quantised: boolean;
  /** Relative difference of no consequence. */
  readonly noiseFloor: number;
  /** Difference of no consequence in the metric's own unit: what decides near 0. */
  readonly absoluteFloor?: number;
}

/** How to judge. */
export interface RoundsOptions {
  /** At least so far beyond an edge is still inside, in percent; the metric's own floor or resolution may be wider. */
  readonly marginPercent?: number;
  /** One-sided level of each statement; default 0.05. */
  readonly level?: number;
}

/** Our distance from one edge over the rounds, in percent of the edge; positive is above it. All null of an edge of 0. */
export interface EdgeDistance {
  readonly estimate: number | null;
  /** null also where there are too few rounds for a bound. */
  readonly low: number | null;
  readonly high: number | null;
}

/** One metric of one axis, judged by round. All distances are percentages; null where all references are 0, of which there are none. */
export interface RoundJudgement {
  readonly kind: "inside" | "outside" | "noise" | "undecided";
  /** Rounds in which every subject has a value. */
  readonly rounds: number;
  /** Signed distance from the nearer edge, 0 inside. */
  readonly distancePercent: number | null;
  /** The same in the metric's unit where there is no percentage, else null. */
  readonly distanceFromZero: number | null;
  /** From the highest reference: `low` says above it, `high` says not above it. */
  readonly fromHighest: EdgeDistance;
  /** From the lowest reference: `high` says below it, `low` says not below it. */
  readonly fromLowest: EdgeDistance;
  /** Beyond an edge by no more than this is inside. */
  readonly marginPercent: number | null;
  readonly marginBecause: "asked" | "noise-floor" | "absolute-floor" | "resolution";
  /**
   * Repeatability limit: how far two references, less what always lies between them, are apart in all but 5 % of rounds;
   * null also with a single reference.
   */
  readonly repeatabilityPercent: number | null;
  /** Undecided: about how many more rounds would decide; null where that cannot be said. */
  readonly furtherRounds: number | null;
}

/** The one-sided level where none is asked for. */
export const DEFAULT_LEVEL = 0.05;
/** Standard deviations within which 95 % of normal differences lie. */
const REPEATABILITY = 1.96;
const MOST_ROUNDS = 1000;

/** Rows of the rounds in which every subject has a value: ours first. */
const completeRounds = ({ ours, references }: RoundsInput): readonly (readonly number[])[] =>
  ours
    .map((_, round) => [ours, ...references].map((values) => values[round] ?? null).filter((value) => value !== null))
    .filter((row) => row.length === references.length + 1);

const marginOf = (input: RoundsInput, scale: Scale, level: number, asked: number) => {
  // Shares of nothing are nothing.
  const share = (relative: number): number => (level === 0 ? 0 : relative);
  const candidates = [
    { because: "noise-floor", relative: share(input.noiseFloor) },
    { because: "absolute-floor", relative: scale.relative(input.absoluteFloor ?? 0) },
    { because: "resolution", relative: input.quantised ? scale.relative(resolutionAt(level)) : 0 },
    { because: "asked", relative: share(asked / 100) },
  ] as const;
  return candidates.reduce((widest, candidate) => (candidate.relative > widest.relative ? candidate : widest));
};

/** How far two references scatter against each other within a round; the median over all pairs of them. */
const repeatabilityOf = (rows: readonly (readonly number[])[], scale: Scale, references: number): number | null => {
  const pairs = Array.from({ length: references }, (_, a) =>
    Array.from({ length: a }, (_unused, b) => [a + 1, b + 1] as const),
  ).flat();
  if (pairs.length === 0) return null;
  return (
    REPEATABILITY *
    median(pairs.map(([a, b]) => standardDeviation(rows.map((row) => scale.difference(at(row, a), at(row, b))))))
  );
};

/** About how many more rounds bring a bound that reaches `reach` from its estimate within `gap`; null: too many. */
const roundsToClear = (rounds: number, reach: number, gap: number): number | null => {
  const needed = gap > 0 && Number.isFinite(reach) ? rounds * (reach / gap) ** 2 : Infinity;
  return needed <= MOST_ROUNDS ? Math.max(1, Math.ceil(needed) - rounds) : null;
};

/** Judges one metric of one axis; null where no round has a value of every subject. */
export const judgeByRound = (input: RoundsInput, options: RoundsOptions = {}): RoundJudgement | null => {
  const rows = completeRounds(input);
  const count = input.references.length;
  if (rows.length === 0 || count === 0) return null;
  const { level: tail = DEFAULT_LEVEL, marginPercent: asked = 0 } = options;
  const level = mean(rows.flatMap((row) => row.slice(1)));
  const scale = scaleOf(rows, level);
  const centres = input.references.map((_, reference) =>
    pairedCentre(rows.map((row) => scale.difference(at(row, 0), at(row, reference + 1)))),
  );
  const estimates = centres.map((centre) => centre.estimate);
  const highest = {
    estimate: Math.min(...estimates),
    low: Math.min(...centres.map((centre) => centre.lower(tail))),
    high: Math.min(...centres.map((centre) => centre.upper(tail / count))),
  };
  const lowest = {
    estimate: Math.max(...estimates),
    low: Math.max(...centres.map((centre) => centre.lower(tail / count))),
    high: Math.max(...centres.map((centre) => centre.upper(tail))),
  };
  const wanted = marginOf(input, scale, level, asked);
  const margin = scale.fromRelative(wanted.relative);
  const repeatability = repeatabilityOf(rows, scale, count);

  const isWithin = (reach: number): boolean => highest.high <= reach && lowest.low >= -reach;
  const isAbove = highest.low > 0 && highest.estimate > margin;
  const isBelow = lowest.high < 0 && lowest.estimate < -margin;
  const kind =
    isAbove || isBelow ? "outside" : isWithin(margin) ? "inside" : isWithin(repeatability ?? 0) ? "noise" : "undecided";

  const distance = highest.estimate > 0 ? highest.estimate : Math.min(0, lowest.estimate);
  const more = (): number | null => {
    if (rows.length < pairsForBound(tail / count)) return pairsForBound(tail / count) - rows.length;
    if (Math.abs(distance) > margin) {
      const nearer = distance > 0 ? highest.low : lowest.high;
      return roundsToClear(rows.length, Math.abs(distance - nearer), Math.abs(distance));
    }
    const above = roundsToClear(rows.length, highest.high - highest.estimate, margin - highest.estimate);
    const below = roundsToClear(rows.length, lowest.estimate - lowest.low, lowest.estimate + margin);
    return above === null || below === null ? null : Math.max(above, below);
  };
  const bound = (value: number): number | null => (Number.isFinite(value) ? scale.percent(value) : null);
  const percentages = (edge: typeof highest): EdgeDistance => ({
    estimate: scale.percent(edge.estimate),
    low: bound(edge.low),
    high: bound(edge.high),
  });
  return {
    kind,
    rounds: rows.length,
    distancePercent: scale.percent(distance),
    distanceFromZero: level === 0 ? distance : null,
    fromHighest: percentages(highest),
    fromLowest: percentages(lowest),
    marginPercent: level === 0 ? null : wanted.relative * 100,
    marginBecause: wanted.because,
    repeatabilityPercent: repeatability === null ? null : scale.percent(repeatability),
    furtherRounds: kind === "undecided" ? more() : 0,
  };
};
