/** What a comparison found, in words: of one metric, and of the whole. */
import type { Comparison, MetricComparison, PairMetric, Verdict } from "../../compare/comparison.js";
import { betterWords } from "../comparison/comparison-text.js";
import { directionsOf, headlines } from "../comparison/comparison-headline.js";
import { changeText, counted, valueText } from "../html/quantity.js";

/** A verdict as a symbol (it tells the same without colour) and a word. */
export interface VerdictWord {
  readonly symbol: string;
  readonly word: string;
  /** A difference was shown that matters. */
  readonly isShown: boolean;
}

const SYMBOLS = { better: "✓", worse: "✗", changed: "≠" } as const;

/** The word for one metric's verdict. */
export const verdictWord = (verdict: Verdict): VerdictWord => {
  if (verdict.kind === "different")
    return { symbol: SYMBOLS[verdict.direction], word: verdict.direction, isShown: true };
  if (verdict.kind === "negligible") return { symbol: "~", word: "negligible", isShown: false };
  if (verdict.kind === "not-shown") return { symbol: "~", word: "not shown", isShown: false };
  return { symbol: "?", word: verdict.because === "no-data" ? "no data" : "too few runs", isShown: false };
};

/** The words of the terminal with a true minus and a space before the percent sign. */
const typeset = (text: string): string => text.replace(/(?<=^|\s)-(?=\d)/g, "\u2212").replace(/(\d) ?%/g, "$1\u202f%");

/** `+6.1 %`; where the base is 0, `+7 µs`; null without a value on both sides. */
export const pairChangeText = ({ unit }: MetricComparison, { ratio, difference }: PairMetric): string | null => {
  if (ratio !== null) return changeText(ratio.value);
  if (difference === null) return null;
  return `${difference > 0 ? "+" : ""}${valueText(difference, unit)}`;
};

/** The interval of a pair as the plot draws it: an end that is nowhere lies beyond the axis. */
export const drawnInterval = ({
  ratio,
}: Pick<PairMetric, "ratio">): { readonly low: number; readonly high: number } | null =>
  ratio === null || ratio.interval === null ? null : { low: ratio.interval.low, high: ratio.interval.high ?? Infinity };

/** `+6.1 % [+4.9 %, +7.2 %]`. */
export const estimateText = (metric: MetricComparison, pair: PairMetric): string => {
  const change = pairChangeText(metric, pair) ?? "no ratio";
  const interval = pair.ratio?.interval ?? null;
  if (interval === null) return change;
  const { low, high } = interval;
  return `${change} [${changeText(low)}, ${high === null ? "∞)" : `${changeText(high)}]`}`;
};

/** One candidate's symbol: which way it differs, else what its primary metric's verdict says. */
const symbolOf = (comparison: Comparison, candidate: number, primary: PairMetric): string => {
  const [direction, other] = directionsOf(comparison, candidate);
  if (direction === undefined) return verdictWord(primary.verdict).symbol;
  return other === undefined ? SYMBOLS[direction] : "≠";
};

/** Symbol and sentence of the whole comparison. */
export const overallVerdict = (comparison: Comparison): { readonly symbol: string; readonly sentence: string } => {
  const pairs = comparison.metrics.find((metric) => metric.primary)?.pairs ?? [];
  if (pairs.length === 0) return { symbol: "?", sentence: "There is nothing to compare." };
  const symbols = new Set(pairs.map((pair, index) => symbolOf(comparison, index + 1, pair)));
  const [only] = symbols;
  return {
    symbol: symbols.size === 1 && only !== undefined ? only : comparison.outcome === "different" ? "≠" : "?",
    sentence: headlines(comparison).map(typeset).join(" "),
  };
};

const neededText = ({ verdict }: PairMetric): string | null => {
  if (verdict.kind === "undecided" && verdict.neededRuns !== null)
    return `${counted(verdict.neededRuns, "run")} of each could decide it.`;
  if (verdict.kind === "not-shown" && verdict.neededRuns !== null && verdict.neededForRatio !== null)
    return `About ${counted(verdict.neededRuns, "run")} of each would find a change of ${changeText(verdict.neededForRatio)}.`;
  return null;
};

/** The lines under the verdict: how it was judged, what else differs, what would help. */
export const verdictNotes = (comparison: Comparison): readonly string[] => {
  const primary = comparison.metrics.find((metric) => metric.primary);
  const others = comparison.metrics
    .filter((metric) => !metric.primary)
    .flatMap((metric) => metric.pairs.map((pair) => ({ metric, pair, word: verdictWord(pair.verdict) })))
    .filter(({ word }) => word.isShown)
    .map(({ metric, pair, word }) =>
      comparison.subjects.length > 2
        ? `${metric.label} ${word.word} (${pair.candidate})`
        : `${metric.label} ${word.word}`,
    );
  const runs = comparison.subjects.map((subject) => `${subject.name} ${subject.runs}`).join(", ");
  const leftOut = comparison.subjects.reduce((sum, subject) => sum + subject.leftOut, 0);
  return [
    primary === undefined
      ? ""
      : `Primary metric: ${primary.label} (${betterWords(primary.better)})${comparison.primaryNamed ? ", chosen in advance" : ""}; intervals at ${comparison.confidence * 100} %.`,
    others.length > 0 ? `Of the other metrics, shown: ${others.join(", ")}.` : "No other metric shows a difference.",
    `Runs: ${runs}${leftOut > 0 ? `; ${counted(leftOut, "run")} left out` : ""}.`,
    ...new Set((primary?.pairs ?? []).flatMap((pair) => neededText(pair) ?? [])),
  ].filter((note) => note !== "");
};
