/** The words and figures of a comparison, the same in every format: values, changes, verdicts, the sentence above a table. */
import { counted } from "../../counted.js";
import type {
  Comparison,
  Estimate,
  MetricComparison,
  PairMetric,
  RatioEstimate,
  SubjectMetric,
} from "../../compare/comparison.js";
import { scaleBytes } from "../../units.js";
import { blockWord } from "./block-name.js";

/** A number in as many digits as are read: whole as it is, else four. */
export const plainNumber = (value: number): string => {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1000) return value.toFixed(0);
  return size >= 100 ? value.toFixed(1) : value.toFixed(2);
};

const IN_UNIT: Readonly<Record<MetricComparison["unit"], (value: number) => string>> = {
  usec: (value) => `${plainNumber(value)}µs`,
  "requests/s": (value) => `${plainNumber(value)}/s`,
  "ops/s": (value) => `${plainNumber(value)}/s`,
  "bytes/s": (value) => {
    const scaled = scaleBytes(value);
    return `${scaled.value.toFixed(2)}${scaled.unit}/s`;
  },
  "per request": plainNumber,
  "per s": (value) => `${plainNumber(value)}/s`,
  "usec per request": (value) => `${plainNumber(value)}µs`,
  share: (value) => `${(value * 100).toFixed(1)}%`,
  count: plainNumber,
};

/** `lower is better`, `neither is better`. */
export const betterWords = (better: MetricComparison["better"]): string => `${better} is better`;

/** A value of a metric with its unit: `5021µs`, `1822.4/s`, `48.23MB/s`. */
export const valueText = (value: number, unit: MetricComparison["unit"]): string => IN_UNIT[unit](value);

/** A relative difference in percent, signed: `+10.3%`. */
export const changeText = (ratio: number): string => {
  const percent = (ratio - 1) * 100;
  const digits = Math.abs(percent) >= 99.95 ? 0 : 1;
  const text = percent.toFixed(digits);
  return `${Number(text) > 0 ? "+" : ""}${Number(text) === 0 ? (0).toFixed(digits) : text}%`;
};

/** What changed: in percent, or, where the base is 0, by how much: `+10.3%`, `+7µs`; empty where a side has no value. */
export const pairChangeText = ({ unit }: Pick<MetricComparison, "unit">, { ratio, difference }: PairMetric): string => {
  if (ratio !== null) return changeText(ratio.value);
  return difference === null ? "" : `${difference > 0 ? "+" : ""}${valueText(difference, unit)}`;
};

/** The interval of a ratio as changes: `[+7.1%, +13.0%]`, `[-90.0%, ∞)`; empty where there is none. */
export const intervalText = (ratio: RatioEstimate | null): string => {
  if (ratio === null || ratio.interval === null) return "";
  const { low, high } = ratio.interval;
  return `[${changeText(low)}, ${high === null ? "∞)" : `${changeText(high)}]`}`;
};

/** The same in words: `+7.1% to +13.0%`, `-90.0% and more`. */
export const intervalWords = ({ low, high }: NonNullable<RatioEstimate["interval"]>): string =>
  `${changeText(low)} ${high === null ? "and more" : `to ${changeText(high)}`}`;

/** How far the interval of a value reaches to its farther side: `± 3%`, `± ?` where it is wider than the value; empty where there is none. */
export const spreadText = (estimate: Estimate): string => {
  if (estimate.interval === null || estimate.value === 0) return "";
  const reach = Math.max(estimate.value - estimate.interval.low, estimate.interval.high - estimate.value);
  const share = reach / estimate.value;
  return share >= 1 ? "± ?" : `± ${(share * 100).toFixed(0)}%`;
};

/** What a table shows of a subject: `5021µs ± 3%`. */
export const subjectText = (metric: MetricComparison, subject: SubjectMetric | undefined): string => {
  const shown = subject?.shown ?? null;
  if (shown === null) return "-";
  return [valueText(shown.value, metric.unit), spreadText(shown)].filter((part) => part !== "").join(" ");
};

/** A p value as it is printed: three digits, never 0. */
export const pText = (p: number | null): string => {
  if (p === null) return "";
  return p < 0.001 ? "p<0.001" : `p=${p.toFixed(3)}`;
};

/** The verdict in a word: `better`, `worse`, `changed`, or `~` where nothing that matters is shown. */
export const verdictText = ({ verdict }: PairMetric): string =>
  verdict.kind === "different" ? verdict.direction : "~";

/** Why nothing is shown, and what would help; empty for a difference. */
export const noteText = ({ verdict, unit: replicate }: PairMetric): string => {
  const unit = replicate ?? "run";
  if (verdict.kind === "different") return "";
  if (verdict.kind === "negligible")
    return verdict.because === "resolution" ? "no more than its resolution" : "within the noise threshold";
  if (verdict.kind === "not-shown")
    return verdict.neededRuns === null || verdict.neededForRatio === null
      ? ""
      : `${changeText(verdict.neededForRatio)} would need ${verdict.neededRuns} ${unit}s`;
  if (verdict.because === "no-data") return "no value on one side";
  return verdict.neededRuns === null ? `too few ${unit}s` : `too few ${unit}s, needs ${verdict.neededRuns}`;
};

/** A share as text: `95 %`. */
export const percentText = (share: number): string => `${Number((share * 100).toFixed(1))} %`;

/** What counts once in a comparison. */
const unitOf = ({ blocks }: Comparison): string => blocks?.replicate ?? "run";

const correctionText = (comparison: Comparison): string => {
  const { metrics, subjects, blocks } = comparison;
  const over = [
    ...(metrics.length > 1 ? ["all metrics"] : []),
    ...(subjects.length > 2 ? ["all candidates"] : []),
    ...(blocks === undefined || blocks.by === null ? [] : [`all ${blockWord(blocks)}s`]),
  ];
  const corrected = over.length === 0 ? "" : `, corrected over ${over.join(" and ")}`;
  const heaviest = Math.max(...metrics.map(({ weight }) => weight));
  const weights = metrics.some(({ weight }) => weight < heaviest)
    ? `; the primary metric, rates and the faster half of requests count ${heaviest} times`
    : "";
  return `p: ${(blocks?.by ?? null) === null ? "exact" : "stratified"} rank test over ${unitOf(comparison)}s${corrected}${weights}.`;
};

/** How much a subject's column rests on: runs, or boots that count once: `6`, `6 boots`. */
export const countText = (comparison: Comparison, subject: number): string => {
  const { subjects, metrics } = comparison;
  const unit = unitOf(comparison);
  if (unit === "run") return String(subjects[subject]?.runs ?? 0);
  const units = metrics[0]?.subjects[subject]?.units?.length ?? 0;
  return counted(units, unit);
};

/** How changes come about where runs lie in blocks; null where values and changes are one statistic. */
const blockLegend = ({ blocks }: Comparison): string | null => {
  if (blocks === undefined || blocks.by === null) return null;
  const by = blockWord(blocks);
  const scope =
    blocks.scope === "like-these"
      ? `; the interval is for ${by}s like these, so a small p beside ~ is a difference on some`
      : `; the interval is for these ${by}s`;
  return `Changes and tests are made within each ${by}, then combined${scope}.`;
};

/** What the marks of a table mean. */
export const legend = (comparison: Comparison): readonly string[] => {
  const [unit, within] = [unitOf(comparison), blockLegend(comparison)];
  return [
    `* primary metric (${comparison.primaryNamed ? "chosen in advance" : "the default for this mode"}); ~ no difference shown that matters; ± and [ ] are ${percentText(comparison.confidence)} intervals over ${unit}s (seed ${comparison.seed}).`,
    correctionText(comparison),
    `Values are medians over ${unit}s, ${within === null ? "changes are their ratios; " : ""}± ? is wider than the value: not known from these runs; ${unit}s needed are of each subject.`,
    ...(within === null ? [] : [within]),
  ];
};
