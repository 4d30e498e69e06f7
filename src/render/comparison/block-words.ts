/** What blocks (machines, boots, files) say, in sentences that are the same in every format. */
import { at } from "../../at.js";
import { counted } from "../../counted.js";
import type { BlockMetric, Comparison, MetricComparison, PairMetric } from "../../compare/comparison.js";
import { DIRECTIONS } from "../../compare/direction.js";
import type { NextExperiment } from "../../compare/blocks/next-experiment.js";
import { blockWord } from "./block-name.js";
import { pText } from "./comparison-text.js";

type Blocks = NonNullable<Comparison["blocks"]>;

/** A share in percent, in two digits: `24 %`, `3.1 %`, `0.42 %`, `5 %`. */
const shareText = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

/** How a block comes out, in the order in which it is told. */
const OUTCOMES = [...DIRECTIONS, "not shown", "too few runs"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The outcome of a block. */
const outcomeOf = ({ verdict }: PairMetric): Outcome => {
  if (verdict.kind === "different") return verdict.direction;
  return verdict.kind === "undecided" ? "too few runs" : "not shown";
};

/** At most so many blocks are named. */
const NAMED = 3;

/** What is said of a block beside its name: what is different about it, and of what its runs warn as those of most others do not. */
export const doubtsOf = ({ rows }: Blocks, row: number): readonly string[] => {
  const { differs, warnings, runs } = at(rows, row);
  const all = runs.reduce((sum, count) => sum + count, 0);
  const unusual = warnings.filter(
    ({ code }) =>
      2 * rows.filter((other) => other.warnings.some((warning) => warning.code === code)).length <= rows.length,
  );
  return [...differs, ...unusual.map(({ code, runs: warned }) => `${code} in ${warned} of ${all} runs`)];
};

const namedRow = (blocks: Blocks, row: number): string => {
  const doubts = doubtsOf(blocks, row);
  const { name } = at(blocks.rows, row);
  return doubts.length === 0 ? name : `${name}: ${doubts.join(", ")}`;
};

/** `worse on 17 of 20 machines, not shown on 2 (node3, node9), better on 1 (node7: another CPU model)`. */
const tally = (blocks: Blocks, pairs: readonly PairMetric[]): string => {
  const groups = OUTCOMES.map((outcome) => ({
    outcome,
    rows: pairs.flatMap((pair, row) => (outcomeOf(pair) === outcome ? [row] : [])),
  })).filter(({ rows }) => rows.length > 0);
  return groups
    .toSorted((a, b) => b.rows.length - a.rows.length)
    .map(({ outcome, rows }, index) => {
      const of = index === 0 ? ` of ${counted(pairs.length, blockWord(blocks))}` : "";
      const isNamed = rows.length <= NAMED && groups.length > 1;
      const names = isNamed ? ` (${rows.map((row) => namedRow(blocks, row)).join("; ")})` : "";
      return `${outcome} on ${rows.length}${of}${names}`;
    })
    .join(", ");
};

/** Do they show one effect? */
const agreementText = (blocks: Blocks, metric: MetricComparison, candidate: number, alpha: number): string | null => {
  const found = metric.agreement?.[candidate] ?? null;
  if (found === null) return null;
  const { q, degrees, p, apart } = found;
  const test = `Cochran's Q ${q.toFixed(1)}, ${counted(degrees, "degree")} of freedom, ${pText(p)}`;
  if (p > alpha) return `The ${blockWord(blocks)}s are not shown to disagree (${test}).`;
  const names = apart.slice(0, NAMED).map((row) => namedRow(blocks, row));
  const who =
    names.length === 0 ? "" : `: apart from the others ${apart.length === 1 ? "is" : "are"} ${names.join("; ")}`;
  return `The ${blockWord(blocks)}s disagree (${test})${who}.`;
};

/** Blocks whose runs warn of something, or that are set up otherwise, and that no sentence above has named. */
const illText = (blocks: Blocks, said: string): string | null => {
  const ill = blocks.rows.flatMap((_, row) => {
    const words = namedRow(blocks, row);
    return doubtsOf(blocks, row).length > 0 && !said.includes(words) ? [words] : [];
  });
  if (ill.length === 0) return null;
  const more = ill.length > NAMED ? `; and ${ill.length - NAMED} more` : "";
  return `Unlike the other ${blockWord(blocks)}s: ${ill.slice(0, NAMED).join("; ")}${more}.`;
};

/** `Scatter of request p99: 24 % between machines, 3.1 % between boots, 2.4 % between runs.` */
const scatterText = (blocks: Blocks, { label, scatter }: MetricComparison): string | null => {
  if (scatter === undefined) return null;
  const parts = (["machine", "boot", "run"] as const).flatMap((level) => {
    const share = scatter[level];
    return share === null ? [] : [`${shareText(share)} between ${level === blocks.by ? blockWord(blocks) : level}s`];
  });
  return parts.length === 0 ? null : `Scatter of ${label}: ${parts.join(", ")}.`;
};

const planText = ({ unit, units, runs, change }: NextExperiment): string =>
  unit === "boot"
    ? `${shareText(change)} by ${counted(units, "boot")} of each subject with ${counted(runs, "run")} in each`
    : `${shareText(change)} by ${counted(units, "machine")} with ${counted(runs, "run")} of each subject`;

const nextText = ({ next = [] }: MetricComparison): string | null =>
  next.length === 0 ? null : `Found in four of five experiments, at the least cost: ${next.map(planText).join("; ")}.`;

/** What counts once, where it is not the run. */
const unitText = ({ replicate }: Blocks, { subjects }: MetricComparison): string | null =>
  replicate === "run"
    ? null
    : `A ${replicate} counts once, as the median of its runs: ${subjects
        .map(({ subject, units = [] }) => `${subject} has ${units.length}`)
        .join(", ")}.`;

/** A candidate's verdicts by block. */
export const pairsByBlock = (rows: readonly BlockMetric[], candidate: number): readonly PairMetric[] =>
  rows.map(({ pairs }) => at(pairs, candidate));

/** The sentences under a comparison's answer; none where the runs are one sample. */
export const blockSentences = ({ blocks, metrics, subjects, confidence }: Comparison): readonly string[] => {
  const primary = metrics.find((metric) => metric.primary);
  if (blocks === undefined || primary === undefined) return [];
  const rows = primary.blocks ?? [];
  const found = subjects.slice(1).flatMap(({ name }, candidate): readonly (string | null)[] => {
    if (rows.length === 0) return [];
    const whose = subjects.length > 2 ? ` of ${name}` : "";
    return [
      `${primary.label}${whose}: ${tally(blocks, pairsByBlock(rows, candidate))}.`,
      agreementText(blocks, primary, candidate, 1 - confidence),
    ];
  });
  const said = found.join(" ");
  return [
    ...found,
    illText(blocks, said),
    unitText(blocks, primary),
    scatterText(blocks, primary),
    nextText(primary),
  ].filter((sentence) => sentence !== null);
};
