/**
 * A gate: may this change pass? Judged from a comparison or a grid, metric by metric. Pure; docs/statistics.md has the rules.
 *
 * Without a margin a gate fails where a difference in the wrong direction is shown. With a margin it is an equivalence test: a metric passes only
 * where its whole interval lies inside the margin, fails where it is shown beyond, and is undecided in between, so a comparison
 * without power never passes (D. Schuirmann 1987, two one-sided tests, with the 95 % interval in place of the 90 % one).
 */
import { at } from "../at.js";
import type { MetricId } from "../model/metrics/metrics.js";
import type { Comparison, PairMetric, RatioEstimate, Verdict } from "./comparison.js";
import type { Direction } from "./direction.js";
import type { GridComparison } from "./grid-comparison.js";

/** Which differences fail. */
export const FAIL_ON = ["worse", "better", "different"] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** How to decide. */
export interface GateOptions {
  readonly failOn: FailOn;
  /** Relative difference that may pass, such as 0.05; null: any that is not shown. */
  readonly margin: number | null;
  /** Metrics that decide; null: with a margin the primary one, else all. */
  readonly metrics: readonly MetricId[] | null;
}

export type GateStatus = "pass" | "fail" | "undecided";

/** One metric of one candidate under one setting. */
export interface GateRow {
  readonly metric: MetricId;
  readonly label: string;
  readonly base: string;
  readonly candidate: string;
  /** Name of the setting; null where there is only one. */
  readonly cell: string | null;
  readonly status: GateStatus;
  /** The direction of a difference that is shown. */
  readonly direction: Direction | null;
  readonly ratio: RatioEstimate | null;
  readonly adjustedP: number | null;
}

/** The decision: fails where a row fails, else is undecided where one is. */
export interface Gate {
  readonly failOn: FailOn;
  readonly margin: number | null;
  readonly outcome: GateStatus;
  readonly rows: readonly GateRow[];
}

/** What a row is decided from. */
interface Seen {
  readonly metric: Pick<Comparison["metrics"][number], "id" | "label" | "better" | "primary">;
  readonly cell: string | null;
  readonly pair: Pick<PairMetric, "base" | "candidate" | "ratio" | "adjustedP" | "verdict">;
}

const isShown = ({ kind }: Verdict): boolean => kind === "different" || kind === "negligible";

/** Which way fails. Where neither is better, `worse` stands for more and `better` for less: only both together are asked about. */
type Way = "better" | "worse";

/** How far the wrong way, as [low, high]: above 1 is in a direction that fails. */
const wrongWay = ({ metric, pair: { ratio } }: Seen, way: Way): readonly [number, number] | null => {
  if (ratio === null || ratio.interval === null) return null;
  const { low } = ratio.interval;
  const high = ratio.interval.high ?? Infinity;
  const growsWrong = metric.better === "higher" ? way === "better" : way === "worse";
  return growsWrong ? [low, high] : [1 / high, 1 / low];
};

const againstMargin = (seen: Seen, way: Way, margin: number): GateStatus => {
  const interval = wrongWay(seen, way);
  const { ratio, verdict } = seen.pair;
  // From a base of 0, what is shown lies beyond any margin.
  if (ratio === null && verdict.kind === "different")
    return verdict.direction === way || verdict.direction === "changed" ? "fail" : "pass";
  if (interval === null) return "undecided";
  const [low, high] = interval;
  if (high <= 1 + margin) return "pass";
  return isShown(seen.pair.verdict) && low > 1 + margin ? "fail" : "undecided";
};

const worst = (statuses: readonly GateStatus[]): GateStatus => {
  if (statuses.includes("fail")) return "fail";
  return statuses.includes("undecided") ? "undecided" : "pass";
};

const statusOf = (seen: Seen, { failOn, margin, metrics }: GateOptions): GateStatus => {
  const { verdict } = seen.pair;
  if (margin !== null) {
    const ways = failOn === "different" ? (["worse", "better"] as const) : [failOn];
    return worst(ways.map((way) => againstMargin(seen, way, margin)));
  }
  if (verdict.kind === "different") return failOn === "different" || verdict.direction === failOn ? "fail" : "pass";
  // Of metrics that were named, and of the primary one, it must be known that nothing is shown: too few runs cannot tell.
  const mustBeKnown = metrics !== null || seen.metric.primary;
  return verdict.kind === "undecided" && mustBeKnown ? "undecided" : "pass";
};

const seenIn = (judged: Comparison | GridComparison): readonly Seen[] =>
  judged.format === "schbench-ts/comparison"
    ? judged.metrics.flatMap((metric) => metric.pairs.map((pair) => ({ metric, cell: null, pair })))
    : judged.metrics.flatMap((metric) => [
        ...metric.rows.flatMap(({ cell, pairs }) =>
          pairs.map((pair) => ({ metric, cell: at(judged.cells, cell).name, pair })),
        ),
        ...metric.overall.map((pair) => ({ metric, cell: "over all settings", pair })),
      ]);

/** What blocks (machines) show by themselves. */
const seenInBlocks = (judged: Comparison | GridComparison): readonly Seen[] =>
  judged.format === "schbench-ts/grid"
    ? []
    : judged.metrics.flatMap((metric) =>
        (metric.blocks ?? []).flatMap(({ pairs }, block) =>
          pairs.map((pair) => ({ metric, cell: judged.blocks?.rows[block]?.name ?? null, pair })),
        ),
      );

/** Is a block worth a row that passes: of the primary metric, with enough runs to see a difference? */
const isPassShown = ({ metric, pair }: Seen): boolean => metric.primary && pair.verdict.kind !== "undecided";

/** Decides. */
export const judgeGate = (judged: Comparison | GridComparison, options: GateOptions): Gate => {
  const { failOn, margin, metrics } = options;
  // Where neither way is better, nothing is worse: only a gate on any difference looks at it.
  const decides = ({ metric }: Seen): boolean =>
    (failOn === "different" || metric.better !== "neither") &&
    (metrics === null ? margin === null || metric.primary : metrics.includes(metric.id));
  const rowOf = (seen: Seen): GateRow => {
    const { metric, cell, pair } = seen;
    return {
      metric: metric.id,
      label: metric.label,
      base: pair.base,
      candidate: pair.candidate,
      cell,
      status: statusOf(seen, options),
      direction: pair.verdict.kind === "different" ? pair.verdict.direction : null,
      ratio: pair.ratio,
      adjustedP: pair.adjustedP,
    };
  };
  const overall = seenIn(judged).filter(decides).map(rowOf);
  const hasFailed = ({ metric, pair }: Seen): boolean =>
    overall.some((row) => row.metric === metric.id && row.candidate === pair.candidate && row.status === "fail");
  // A machine fails the gate where it fails by itself, also when all together do not. That it alone passes needs more runs than it has:
  // what it does not know is left out.
  const byBlock = seenInBlocks(judged)
    .filter(decides)
    .filter(({ metric, pair }) => metric.primary || !hasFailed({ metric, cell: null, pair }))
    .map((seen) => ({ seen, row: rowOf(seen) }))
    .filter(({ seen, row }) => row.status === "fail" || (row.status === "pass" && isPassShown(seen)))
    .map(({ row }) => row);
  const rows = [...overall, ...byBlock];
  return { failOn, margin, outcome: rows.length === 0 ? "undecided" : worst(rows.map(({ status }) => status)), rows };
};
