/** The answer above a comparison, one sentence per candidate: what differs, the strongest first, or that nothing does. */
import type { Comparison, MetricComparison, PairMetric, RatioEstimate } from "../../compare/comparison.js";
import type { Direction } from "../../compare/direction.js";
import { intervalWords, noteText, pairChangeText, percentText } from "./comparison-text.js";

/** A metric with its verdict on the candidate in question. */
interface Judged {
  readonly metric: MetricComparison;
  readonly pair: PairMetric;
}

/** In the order in which they are told. */
const TOLD = ["better", "worse", "changed"] as const satisfies readonly Direction[];

/** The metrics that differ in one direction, at least one. */
interface Way {
  readonly direction: Direction;
  readonly metrics: readonly Judged[];
}

/** How many differing metrics are named in one direction. */
const NAMED = 2;

/** How large the change is at least, as far as its interval tells: the distance of the nearer end from no change. */
const sureChange = ({ pair: { ratio } }: Judged): number => {
  // From a base of 0 every change is larger than any share.
  if (ratio === null) return Infinity;
  const ends = ratio.interval === null ? [ratio.value] : [ratio.interval.low, ratio.interval.high ?? Infinity];
  return Math.min(...ends.map((end) => Math.abs(Math.log(end))));
};

const descending = (a: number, b: number): number => (a === b ? 0 : b - a);

const differingOf = (judged: readonly Judged[], direction: Direction): readonly Judged[] =>
  judged
    .filter(({ pair: { verdict } }) => verdict.kind === "different" && verdict.direction === direction)
    .toSorted(
      (a, b) => Number(b.metric.primary) - Number(a.metric.primary) || descending(sureChange(a), sureChange(b)),
    );

const inBrackets = (ratio: RatioEstimate | null, confidence: number): string =>
  ratio === null || ratio.interval === null
    ? ""
    : ` (${percentText(confidence)} interval ${intervalWords(ratio.interval)})`;

const changeOf = ({ metric, pair }: Judged): string => `${metric.label} ${pairChangeText(metric, pair)}`.trim();

/** `request p99 +24.4% (95 % interval …), and 4 more`; the primary metric speaks for the others, else two are named. */
const listed = (differing: readonly Judged[], confidence: number, withInterval: boolean): string => {
  const named = differing.slice(0, differing[0]?.metric.primary === true ? 1 : NAMED);
  const words = named.map((one, index) =>
    index === 0 && withInterval ? `${changeOf(one)}${inBrackets(one.pair.ratio, confidence)}` : changeOf(one),
  );
  const more = differing.length - named.length;
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
};

/** What is to be added about a primary metric that does not differ where others do. */
const primaryWords = ({ metric, pair }: Judged): string => {
  if (pair.verdict.kind === "different") return "";
  const name = `; the primary metric, ${metric.label},`;
  if (pair.verdict.kind === "negligible") return `${name} differs too little to matter`;
  return pair.verdict.kind === "undecided" ? `${name} is undecided` : `${name} shows no difference`;
};

const nothingDiffers = (judged: readonly Judged[], primary: Judged): string => {
  const { metric, pair } = primary;
  const { base, candidate, verdict } = pair;
  if (verdict.kind === "negligible") {
    const by = ` by ${pairChangeText(metric, pair)}`;
    return `${candidate} and ${base} differ in ${metric.label}${by}, too little to matter (${noteText(pair)}).`;
  }
  if (verdict.kind === "undecided")
    return `Undecided between ${candidate} and ${base} in ${metric.label}: ${noteText(pair)}.`;
  const lookedAt = judged.filter(({ pair: { p } }) => p !== null).length;
  const where = lookedAt === 1 ? metric.label : `any of ${lookedAt} metrics`;
  return `No difference shown between ${candidate} and ${base} in ${where}.`;
};

const sentence = (judged: readonly Judged[], primary: Judged, confidence: number): string => {
  const { base, candidate } = primary.pair;
  const found = TOLD.map((direction) => ({ direction, metrics: differingOf(judged, direction) })).filter(
    ({ metrics }) => metrics.length > 0,
  );
  const [first, ...more] = found;
  if (first === undefined) return nothingDiffers(judged, primary);
  const { verdict } = primary.pair;
  const inWords = ({ direction, metrics }: Way): string => `${direction} in ${listed(metrics, confidence, false)}`;
  if (more.length > 0 && verdict.kind !== "different")
    return `${candidate} differs from ${base}: ${found.map(inWords).join("; ")}${primaryWords(primary)}.`;
  const main =
    (verdict.kind === "different" ? found.find(({ direction }) => direction === verdict.direction) : null) ?? first;
  const others = found.filter((way) => way !== main);
  const but = others.length > 0 ? `; but ${others.map(inWords).join("; ")}` : "";
  const is = main.direction === "changed" ? `differs from ${base}` : `is ${main.direction} than ${base}`;
  return `${candidate} ${is}: ${listed(main.metrics, confidence, true)}${but}${primaryWords(primary)}.`;
};

/** What was found out about a candidate (from 1, as in `Comparison.subjects`), metric by metric. */
const judgedOf = (comparison: Comparison, candidate: number): readonly Judged[] =>
  comparison.metrics.flatMap((metric) => {
    const pair = metric.pairs[candidate - 1];
    return pair === undefined ? [] : [{ metric, pair }];
  });

/** Where blocks show a difference that all of them together do not: null elsewhere. */
const onlyInBlocks = ({ blocks, metrics }: Comparison, candidate: number, { pair }: Judged): string | null => {
  const by = blocks?.by ?? null;
  if (blocks === undefined || by === null) return null;
  const differs = ({ pairs }: Pick<MetricComparison, "pairs">): boolean =>
    pairs[candidate - 1]?.verdict.kind === "different";
  if (metrics.some(differs) || !metrics.some((metric) => (metric.blocks ?? []).some(differs))) return null;
  return `No difference shown between ${pair.candidate} and ${pair.base} over all ${blocks.rows.length} ${by}s, but some of them show one.`;
};

/** The verdict on each candidate in one sentence. */
export const headlines = (comparison: Comparison): readonly string[] =>
  comparison.subjects.slice(1).flatMap((_, index) => {
    const judged = judgedOf(comparison, index + 1);
    const primary = judged.find(({ metric }) => metric.primary);
    if (primary === undefined) return [];
    return [onlyInBlocks(comparison, index + 1, primary) ?? sentence(judged, primary, comparison.confidence)];
  });

/** What is compared, above a table; empty where the subjects' plans are the same. */
export const contrastLines = ({ contrasts }: Pick<Comparison, "contrasts">): readonly string[] =>
  contrasts.length === 0 ? [] : [`The subjects differ in ${contrasts.join("; ")}.`];

/** The directions in which a candidate differs; empty where nothing is shown. */
export const directionsOf = (comparison: Comparison, candidate: number): ReadonlySet<Direction> =>
  new Set(
    judgedOf(comparison, candidate).flatMap(({ pair: { verdict } }) =>
      verdict.kind === "different" ? [verdict.direction] : [],
    ),
  );
