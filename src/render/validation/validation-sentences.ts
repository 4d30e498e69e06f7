/** The words of a validation, all made from its figures, so that no sentence can say other than its table. */
import type { EdgeDistance, RoundJudgement } from "../../validate/by-round.js";
import type {
  AxisValidation,
  CellStatus,
  EnvelopeVerdict,
  MetricValidation,
  MetricVerdict,
  Validation,
} from "../../validate/validation.js";
import type { FigureUnit } from "../../model/metrics/fingerprint-figures.js";
import { METRICS } from "../../model/metrics/metrics.js";
import { valueText } from "../comparison/comparison-text.js";

export const STATUS_TEXT = {
  inside: "inside",
  noise: "noise",
  outside: "outside",
  undecided: "undecided",
  "not-judged": "shown, not judged",
} as const satisfies Record<CellStatus, string>;

/** In the order in which they are told. */
export const STATUSES = [
  "inside",
  "noise",
  "outside",
  "undecided",
  "not-judged",
] as const satisfies readonly CellStatus[];

/** A signed percentage: `+3.1 %`, `0 %`; of an edge of 0 there is none. */
export const percentText = (value: number | null): string => {
  if (value === null || !Number.isFinite(value)) return "∞ %";
  const text = Math.abs(value).toFixed(1);
  return text === "0.0" ? "0 %" : `${value > 0 ? "+" : "−"}${text} %`;
};

const isMetricUnit = (unit: MetricValidation["unit"]): unit is Exclude<MetricValidation["unit"], FigureUnit> =>
  METRICS.some((metric) => metric.unit === unit);

const average = (value: number): number => (Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toFixed(1)));

/** A value of a figure with its unit: `5021µs`, `0.998`, `12.3/s`. */
export const figureText = (value: number, unit: MetricValidation["unit"]): string => {
  if (isMetricUnit(unit)) return valueText(average(value), unit);
  if (unit === "share") return `${(value * 100).toFixed(1)} %`;
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  const number = value.toFixed(digits);
  return unit === "per s" ? `${number}/s` : unit === "usec per request" ? `${number}µs` : number;
};

/** `52 inside, 16 outside`. */
export const countsText = (counts: Readonly<Record<CellStatus, number>>): string => {
  const told = STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${counts[status]} ${STATUS_TEXT[status]}`,
  );
  return told.length === 0 ? "nothing was judged" : told.join(", ");
};

/** The outcome in one sentence. */
export const validationHeadline = ({ outcome, counts, code }: Validation): string => {
  const badCode = code?.filter((check) => !check.ok) ?? [];
  const because =
    badCode.length === 0
      ? ""
      : `; machine code not as it should be: ${badCode.map((check) => check.subject).join(", ")}`;
  const said = {
    inside: "Nothing is outside the envelope of the references",
    outside: "Not all is inside the envelope of the references",
    undecided: "Undecided",
  };
  return `${said[outcome]}: ${countsText(counts)}${because}.`;
};

const bound = (value: number | null, infinite: number): number => value ?? infinite;

/** Empty where there are too few rounds for any bound. */
const intervalText = ({ low, high }: Omit<EdgeDistance, "estimate">): string =>
  low === null && high === null
    ? ""
    : ` [${low === null ? "?" : percentText(low)}, ${high === null ? "?" : percentText(high)}]`;

/**
 * Between which distances from the envelope we are shown to lie: of the edge that we are beyond, else how far we may still
 * be beyond either; 0 where it is shown that we are not.
 */
const shownDistance = (judgement: RoundJudgement): Omit<EdgeDistance, "estimate"> => {
  const { distancePercent, distanceFromZero, fromHighest, fromLowest } = judgement;
  if (judgement.kind === "outside") return (distancePercent ?? distanceFromZero ?? 0) > 0 ? fromHighest : fromLowest;
  return {
    low: fromLowest.low === null ? null : Math.min(0, fromLowest.low),
    high: fromHighest.high === null ? null : Math.max(0, fromHighest.high),
  };
};

const moreRounds = (rounds: number | null): string =>
  rounds === null ? "" : `, about ${rounds} more ${rounds === 1 ? "round" : "rounds"}`;

/** A signed distance: in percent, or, of an edge of 0, in the metric's unit. */
export const distanceText = (percent: number | null, distance: number, unit: MetricValidation["unit"]): string =>
  percent === null ? `${distance > 0 ? "+" : "−"}${figureText(Math.abs(distance), unit)}` : percentText(percent);

/** What the ratios within rounds say: `inside [−0.3 %, 0 %]`, `outside, +5.0 % [+4.1 %, +6.2 %]`. */
export const byRoundText = (judgement: RoundJudgement | null, unit: MetricValidation["unit"]): string => {
  if (judgement === null) return "–";
  const off = distanceText(judgement.distancePercent, judgement.distanceFromZero ?? 0, unit);
  const words = {
    inside: judgement.marginBecause === "resolution" ? "inside (to the resolution)" : "inside",
    outside: `**outside, ${off}**`,
    noise: "noise",
    undecided: `undecided${moreRounds(judgement.furtherRounds)}`,
  };
  return `${words[judgement.kind]}${intervalText(shownDistance(judgement))}`;
};

/** One cell of a validation: which axis, which figure, which of our builds. */
export interface ToldCell {
  readonly axis: AxisValidation;
  readonly metric: MetricValidation;
  readonly verdict: MetricVerdict;
}

/** Every cell, axis by axis. */
export const cellsOf = ({ axes }: Validation): readonly ToldCell[] =>
  axes.flatMap((axis) =>
    axis.metrics.flatMap((metric) => metric.verdicts.map((verdict) => ({ axis, metric, verdict }))),
  );

const percentOf = (percent: number | null, distance: number): number =>
  percent ?? (distance === 0 ? 0 : distance > 0 ? Infinity : -Infinity);

/** Signed distance from the nearer edge in percent, by the rule that decides; infinite from an edge of 0, null where nothing is judged. */
export const distanceOf = (
  { byRound, judgement }: EnvelopeVerdict,
  { policy }: Pick<Validation, "policy">,
): number | null => {
  if (policy === "by-round")
    return byRound === null ? null : percentOf(byRound.distancePercent, byRound.distanceFromZero ?? 0);
  return judgement === null ? null : percentOf(judgement.distancePercent, judgement.distance);
};

/** A list in words: `a`, `a and b`, `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** How far the bounds reach, for drawing; null where there is no bound. */
export const drawnBounds = (verdict: EnvelopeVerdict): { readonly low: number; readonly high: number } | null => {
  if (verdict.byRound === null) return null;
  const { low, high } = shownDistance(verdict.byRound);
  if (low === null && high === null) return null;
  return { low: bound(low, -Infinity), high: bound(high, Infinity) };
};
