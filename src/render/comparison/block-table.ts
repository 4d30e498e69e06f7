/** The rows of a comparison's blocks: one per machine, boot or file, for the primary metric. */
import { at } from "../../at.js";
import type { BlockSubject, Comparison, MetricComparison, PairMetric } from "../../compare/comparison.js";
import { doubtsOf, pairsByBlock } from "./block-words.js";
import { intervalText, noteText, pairChangeText, pText, spreadText, valueText } from "./comparison-text.js";

/** A block of one candidate as text, column by column. */
export interface BlockLine {
  readonly name: string;
  readonly base: string;
  readonly candidate: string;
  /** `~` where nothing is shown. */
  readonly change: string;
  readonly interval: string;
  /** `better`, `worse`, `changed`; empty where neither is shown. */
  readonly verdict: string;
  readonly p: string;
  readonly note: string;
  readonly pair: PairMetric;
}

/** The blocks of the primary metric; null where there are none. */
export const blockedPrimary = ({
  blocks,
  metrics,
}: Comparison): { readonly blocks: NonNullable<Comparison["blocks"]>; readonly metric: MetricComparison } | null => {
  const metric = metrics.find(({ primary }) => primary);
  return blocks === undefined || metric === undefined || (metric.blocks ?? []).length === 0 ? null : { blocks, metric };
};

const valueOf = ({ unit }: MetricComparison, { median }: BlockSubject): string =>
  median === null ? "-" : [valueText(median.value, unit), spreadText(median)].filter((part) => part !== "").join(" ");

/** One line per block. */
export const blockLines = (comparison: Comparison, candidate: number): readonly BlockLine[] => {
  const found = blockedPrimary(comparison);
  if (found === null) return [];
  const { blocks, metric } = found;
  const rows = metric.blocks ?? [];
  return pairsByBlock(rows, candidate - 1).map((pair, row): BlockLine => {
    const { subjects } = at(rows, row);
    const { verdict, ratio } = pair;
    const isShown = verdict.kind === "different";
    return {
      name: at(blocks.rows, row).name,
      base: valueOf(metric, at(subjects, 0)),
      candidate: valueOf(metric, at(subjects, candidate)),
      change: isShown ? pairChangeText(metric, pair) : "~",
      interval: intervalText(ratio),
      verdict: isShown ? verdict.direction : "",
      p: pText(pair.adjustedP),
      note: [...doubtsOf(blocks, row), noteText(pair)].filter((part) => part !== "").join("; "),
      pair,
    };
  });
};
